/** A seeded generator (mulberry32): equal seeds give equal bench stores on every machine. */
export function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n) => Math.floor(next() * n);
  return {
    below,
    pick: (list) => list[below(list.length)],
    /** `length` hexadecimal digits. */
    hex: (length) => Array.from({ length }, () => below(16).toString(16)).join(''),
  };
}
