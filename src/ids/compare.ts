/**
 * Orders two strings as SQLite's BINARY collation orders their UTF-8 bytes; negative when `a` comes first. JavaScript's `<`
 * compares UTF-16 units, which puts characters beyond U+FFFF before U+E000–U+FFFF; bytes put them last.
 */
export function compareIds(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return byteRank(left) - byteRank(right);
  }
  return a.length - b.length;
}

/** Moves the surrogates behind every other UTF-16 unit. */
function byteRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** The order that is true whatever the ids look like: by time, then by id (opencode format notes §0). */
export function compareByTime(a: { time: number; id: string }, b: { time: number; id: string }): number {
  return a.time - b.time || compareIds(a.id, b.id);
}
