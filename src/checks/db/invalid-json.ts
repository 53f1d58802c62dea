import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { OpencodeSnapshot } from '../../stores/opencode/types.ts';
import { defineCheck } from '../check.ts';

function* invalidInOpencode(snapshot: OpencodeSnapshot): Iterable<FindingDraft> {
  for (const { table, column, sessionId, rows, count } of snapshot.invalidJson()) {
    yield {
      session: sessionId,
      message: `${count} ${count === 1 ? 'row' : 'rows'} of ${table} ${count === 1 ? 'holds' : 'hold'} something in ${column} that is not JSON: a reader that meets ${count === 1 ? 'it' : 'them'} fails.`,
      details: [`rows: ${rows.slice(0, 5).join(', ')}${count > 5 ? ', …' : ''}`],
      location: { path: snapshot.ref.path, table, row: rows[0] ?? '' },
      evidence: { table, column, rows, count },
      record: `${table}.${column}`,
    };
  }
}

export default defineCheck({
  meta: {
    id: 'db/invalid-json',
    severity: 'error',
    title: 'a JSON column that is not JSON',
    products: ['opencode', 'mimocode'],
    fix: noFix,
    affects: 'every reader of that row',
  },
  opencode: { store: invalidInOpencode },
  mimocode: { store: invalidInOpencode },
});
