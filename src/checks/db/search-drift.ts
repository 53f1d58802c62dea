import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { OpencodeSnapshot } from '../../stores/opencode/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';

function* driftInMimocode(snapshot: OpencodeSnapshot, context: CheckContext): Iterable<FindingDraft> {
  const index = snapshot.searchIndex();
  if (index === null) {
    context.skip('this database has no search index (history_fts)');
    return;
  }
  if (index.rows === index.entries && index.problem === null) return;
  yield {
    session: null,
    message:
      index.rows === index.entries
        ? 'The full-text table of the search index does not agree with its rows: searches miss or invent hits.'
        : `The search index has ${index.rows} rows, its full-text table ${index.entries} entries: searches miss or invent hits.`,
    details: ["MiMo-Code can rebuild it: INSERT INTO history_fts_idx(history_fts_idx) VALUES('rebuild'), with the program closed and a copy made.", ...(index.problem === null ? [] : [`SQLite says: ${index.problem}`])],
    location: { path: context.store.path, table: 'history_fts_idx' },
    evidence: { rows: index.rows, entries: index.entries, problem: index.problem },
  };
}

export default defineCheck({
  meta: {
    id: 'db/search-drift',
    severity: 'info',
    title: 'the search index and its rows differ',
    products: ['mimocode'],
    fix: noFix,
    affects: 'search only',
  },
  mimocode: { store: driftInMimocode },
});
