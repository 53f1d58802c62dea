import type { Direction } from './reading.ts';

/** Writes the clock and counter digits as a v1 build does: `ms * 0x1000 + counter`, lowest 48 bits, inverted for descending. */
export function v1Digits(ms: number, counter: number, direction: Direction = 'ascending'): string {
  return digits(ms, counter, direction, 48);
}

/** Writes mark and digits as a v2 build does: 64 bits behind `g`, or inverted behind `-`. */
export function v2Digits(ms: number, counter: number, direction: Direction = 'ascending'): string {
  return (direction === 'descending' ? '-' : 'g') + digits(ms, counter, direction, 64);
}

function digits(ms: number, counter: number, direction: Direction, bits: 48 | 64): string {
  // A counter beyond 4095 carries into the clock, as it does in the products.
  const value = BigInt(Math.trunc(ms)) * 0x1000n + BigInt(counter);
  return BigInt.asUintN(bits, direction === 'descending' ? ~value : value)
    .toString(16)
    .padStart(bits / 4, '0');
}

/** The greatest prefix a v1 build can mint at this time (ms): an id above it sorts after whatever is minted then. */
export function newestV1(prefix: string, ms: number): string {
  return `${prefix}_${v1Digits(ms, 0xfff)}`;
}
