import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
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

export default defineCheck({
  meta: {
    id: 'db/dangling-reference',
    severity: 'info',
    title: 'a stored id that names nothing',
    products: ['opencode', 'mimocode'],
    fix: noFix,
    affects: 'most readers pass over it',
  },
  opencode: { store: danglingInOpencode },
  mimocode: { store: danglingInOpencode },
});
