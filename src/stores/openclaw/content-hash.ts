const wholeUpTo = 192;
const part = 64;

/** Adds a text to a 32-bit FNV-1a hash; of a long text its beginning, its end and 64 characters between. */
export function hashText(hash: number, text: string): number {
  const length = text.length;
  if (length <= wholeUpTo) {
    for (let i = 0; i < length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
    return hash;
  }
  hash = Math.imul(hash ^ length, 16777619);
  for (let i = 0; i < part; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  const step = Math.floor((length - 2 * part) / part);
  for (let i = part, n = 0; n < part; n++, i += step) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  for (let i = length - part; i < length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return hash;
}

/** Adds a JSON value of any kind, three levels deep. */
export function hashValue(hash: number, value: unknown, depth = 0): number {
  if (typeof value === 'string') return hashText(hash, value);
  if (typeof value !== 'object' || value === null) return hashText(hash, String(value));
  if (depth === 3) return hash;
  if (Array.isArray(value)) {
    hash = Math.imul(hash ^ value.length, 16777619);
    for (let i = 0; i < value.length && i < 64; i++) hash = hashValue(hash, value[i], depth + 1);
    return hash;
  }
  for (const [key, item] of Object.entries(value)) hash = hashValue(hashText(hash, key), item, depth + 1);
  return hash;
}

export const hashSeed = 0x811c9dc5 | 0;
