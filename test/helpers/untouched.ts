import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { scan, type ScanOptions } from '../../src/checks/scan.ts';
import type { ScanResult } from '../../src/model/finding.ts';

/** Everything that a scan must leave alone below a path: names, kinds, modes, sizes, mtimes and ctimes in ns, inodes, hashes. */
export function fingerprintTree(root: string): string[] {
  const rows: string[] = [];
  const visit = (path: string): void => {
    const stats = lstatSync(path, { bigint: true });
    const common = `${path} ${stats.mode} ${stats.mtimeNs} ${stats.ctimeNs} ${stats.ino}`;
    if (stats.isDirectory()) {
      rows.push(`${common} folder`);
      let names: string[] = [];
      try {
        names = readdirSync(path).sort();
      } catch {
        rows.push(`${path} may not be listed`);
      }
      for (const name of names) visit(join(path, name));
    } else if (stats.isSymbolicLink()) {
      rows.push(`${common} -> ${readlinkSync(path)}`);
    } else if (stats.isFile()) {
      let hash: string;
      try {
        hash = createHash('sha256').update(readFileSync(path)).digest('hex');
      } catch {
        hash = 'unreadable';
      }
      rows.push(`${common} ${stats.size} ${hash}`);
    } else {
      rows.push(`${common} special`);
    }
  };
  visit(root);
  return rows;
}

/** Runs `work` and asserts that nothing below `root` changed meanwhile. */
export async function untouched<T>(root: string, work: () => T | Promise<T>): Promise<T> {
  const before = fingerprintTree(root);
  try {
    return await work();
  } finally {
    expect(fingerprintTree(root)).toEqual(before);
  }
}

/** Scans a store and asserts that it was left alone. Zone and clock are fixed unless given. */
export function scanUntouched(path: string, options: ScanOptions = {}): Promise<ScanResult> {
  return untouched(path, () => scan([path], { zone: 'UTC', now: Date.parse('2026-12-01T12:00:00Z'), ...options }));
}
