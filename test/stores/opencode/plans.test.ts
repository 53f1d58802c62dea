import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { orderSql } from '../../../src/stores/opencode/order-screen.ts';
import { partOrphanSql } from '../../../src/stores/opencode/orphans.ts';
import { lostInIndexSql } from '../../../src/stores/opencode/search-index.ts';
import { spanSql } from '../../../src/stores/opencode/sessions.ts';
import { buildStore } from '../../helpers/opencode-store.ts';
import { temporaryFolder } from '../../helpers/paths.ts';

/** The steps of a query plan that touch a table, and whether any step sorts. */
function planOf(product: 'opencode' | 'mimocode', sql: string): { steps: string[]; sorts: boolean } {
  const path = join(temporaryFolder(), 'x.db');
  buildStore(path, product).close();
  const db = new Database(path);
  const lines = db.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all().map((row) => row.detail);
  db.close();
  return { steps: lines.filter((line) => /^(SCAN|SEARCH) (message|part|history_fts|[a-z])\b/.test(line) && !/^SCAN (s|lost|\()/.test(line)), sorts: lines.some((line) => line.includes('TEMP B-TREE')) };
}

/** A row that a seek found on the index may then be read by its number; nothing else may read a table's rows. */
const cheap = /COVERING INDEX|USING INTEGER PRIMARY KEY \(rowid=\?\)/;

describe('screens stay on covering indexes, so that a change of schema upstream is noticed', () => {
  it.each([
    ['sessions out of order', 'opencode', orderSql],
    ['sessions out of order', 'mimocode', orderSql],
    ['ends of each session', 'opencode', spanSql],
    ['ends of each session', 'mimocode', spanSql],
    ['parts without a message', 'opencode', partOrphanSql],
    ['index rows without a message', 'mimocode', lostInIndexSql],
  ] as const)('%s (%s)', (_name, product, sql) => {
    const { steps, sorts } = planOf(product, sql);
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.filter((step) => !cheap.test(step))).toEqual([]);
    expect(sorts).toBe(false);
  });
});
