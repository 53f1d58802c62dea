import { createHash, hash } from 'node:crypto';

const longText = 512;

/**
 * A number of 53 bits for a text, never 0: equal texts give equal numbers, and among a million different ones the odds of any
 * two being equal are below 1 in 10 000. Short texts are mixed here, long ones go through SHA-1, which is faster for them.
 */
export function hashText(text: string): number {
  if (text.length > longText) return Number.parseInt(hash('sha1', text, 'hex').slice(0, 13), 16) || 1;
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (low >>> 0) * 0x200000 + (high >>> 11) || 1;
}

/** The hash of a value of any SQLite type; 0 for NULL. Values of different types never count as equal by accident. */
export function hashValue(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (typeof value === 'string') return hashText(value);
  if (value instanceof Uint8Array) return Number.parseInt(createHash('sha1').update(value).digest('hex').slice(0, 13), 16) || 1;
  return hashText(`\u0001${typeof value}:${String(value)}`);
}

/** One hash of two. 0 and 0 give 0. */
export function mixHashes(a: number, b: number): number {
  if (b === 0) return a;
  const high = Math.imul(Math.floor(a / 0x200000) ^ 0x9e3779b9, 2654435761) ^ Math.imul(b >>> 0, 1597334677);
  const low = Math.imul((a >>> 0) ^ 0x85ebca6b, 2246822507) ^ Math.imul(Math.floor(b / 0x200000) ^ 0xc2b2ae35, 3266489909);
  return ((low ^ (low >>> 15)) >>> 0) * 0x200000 + ((high ^ (high >>> 13)) >>> 11) || 1;
}
