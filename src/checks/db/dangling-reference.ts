import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { OpenclawSnapshot } from '../../stores/openclaw/types.ts';
import type { OpencodeSnapshot } from '../../stores/opencode/types.ts';
import { defineCheck } from '../check.ts';

function* danglingInOpencode(snapshot: OpencodeSnapshot): Iterable<FindingDraft> {
  for (const { column, rows, missing, count } of snapshot.dangling()) {
    yield {
      session: null,
      message: `${count} ${count === 1 ? 'id' : 'ids'} in ${column} ${count === 1 ? 'names' : 'name'} nothing that has a row.`,
      details: [`for example ${missing[0] ?? ''}, named by ${rows[0] ?? ''}`],
      location: { path: snapshot.ref.path, table: column.split('.')[0] ?? '', row: rows[0] ?? '' },
      evidence: { column, count, rows, missing },
      record: column,
    };
  }
}

function* danglingInOpenclaw(snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  for (const { table, column, rows, examples } of snapshot.sqlite?.dangling() ?? []) {
    yield {
      session: null,
      message: `${rows} ${rows === 1 ? 'row' : 'rows'} of ${table} ${rows === 1 ? 'names' : 'name'} an event or a session in ${column} that has no row.`,
      details: [`for example ${examples[0] ?? ''}`],
      location: { path: snapshot.ref.path, table, row: examples[0] ?? '' },
      evidence: { column: `${table}.${column}`, count: rows, rows: examples },
      record: `${table}.${column}`,
    };
  }
}

export default defineCheck({
  meta: {
    id: 'db/dangling-reference',
    severity: 'info',
    title: 'a stored id that names nothing',
    products: ['openclaw', 'opencode', 'mimocode'],
    fix: noFix,
    affects: 'most readers pass over it',
  },
  openclaw: { store: danglingInOpenclaw },
  opencode: { store: danglingInOpencode },
  mimocode: { store: danglingInOpencode },
});
