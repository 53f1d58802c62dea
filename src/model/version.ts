import type { Product } from './product.ts';

/** The product build that will read a store next; the harm of a fault depends on it. */
export type Reader = {
  product: Product;
  /** Version as the product writes it (`1.18.14`, `2026.7.1-2`), or null when nothing tells. */
  version: string | null;
  /** Where the version comes from: `--reader`, the store's own records, or nowhere. */
  source: 'option' | 'store' | 'unknown';
};

type Parsed = { numbers: number[]; suffix: string | null; revision: number };

function parse(version: string): Parsed {
  const match = /^v?(\d+(?:\.\d+)*)(?:-(.+))?$/.exec(version.trim());
  if (!match) return { numbers: [], suffix: version, revision: 0 };
  const numbers = match[1]!.split('.').map(Number);
  const rest = match[2] ?? null;
  // OpenClaw appends a bare number for a re-release (`2026.7.1-2` follows `2026.7.1`); anything else is a pre-release.
  if (rest !== null && /^\d+$/.test(rest)) return { numbers, suffix: null, revision: Number(rest) };
  return { numbers, suffix: rest, revision: 0 };
}

/** Orders two version strings; negative when `a` is older. `-N` is a later re-release, any other suffix an earlier pre-release. */
export function compareVersions(a: string, b: string): number {
  const left = parse(a);
  const right = parse(b);
  const length = Math.max(left.numbers.length, right.numbers.length);
  for (let i = 0; i < length; i++) {
    const difference = (left.numbers[i] ?? 0) - (right.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  if (left.suffix !== right.suffix) {
    if (left.suffix === null) return 1;
    if (right.suffix === null) return -1;
    return left.suffix.localeCompare(right.suffix, 'en', { numeric: true });
  }
  return left.revision - right.revision;
}

/** The newest of some version strings, or null when there is none. */
export function newestVersion(versions: Iterable<string>): string | null {
  let newest: string | null = null;
  for (const version of versions) {
    if (!/^v?\d+(\.\d+)+/.test(version)) continue;
    if (newest === null || compareVersions(version, newest) > 0) newest = version;
  }
  return newest;
}

/** True when the reader is known and at least `version`. */
export function readerAtLeast(reader: Reader, version: string): boolean {
  return reader.version !== null && compareVersions(reader.version, version) >= 0;
}

/** True when the reader is known and older than `version`. */
export function readerBefore(reader: Reader, version: string): boolean {
  return reader.version !== null && compareVersions(reader.version, version) < 0;
}

/** `openclaw@2026.7.1-2`, or `openclaw@unknown`. */
export function formatReader(reader: Reader): string {
  return `${reader.product}@${reader.version ?? 'unknown'}`;
}
