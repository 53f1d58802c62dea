import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { HermesSnapshot } from '../../stores/hermes/types.ts';
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

function* hermesDrift(snapshot: HermesSnapshot, context: CheckContext): Iterable<FindingDraft> {
  const { pending, indexes } = snapshot.search(context.deep);
  if (pending !== null) {
    context.skip(pending);
    return;
  }
  const drifted = indexes.filter((index) => index.rowsMissing + index.rowsExtra > 0 || index.strictProblem !== null);
  if (drifted.length === 0) return;
  const missing = drifted.reduce((sum, index) => sum + index.rowsMissing, 0);
  const extra = drifted.reduce((sum, index) => sum + index.rowsExtra, 0);
  yield {
    session: null,
    message: missing + extra > 0 ? `The search index and the rows differ: ${missing} rows are not indexed, ${extra} index entries have no row.` : `The search index and the rows differ in what they say (${drifted.map((index) => index.name).join(', ')}).`,
    details: [
      ...drifted.map((index) => `${index.name}: ${index.rowsMissing} missing, ${index.rowsExtra} extra${index.strictProblem === null ? '' : `, strict check: ${index.strictProblem}`}`),
      'Search finds too little or too much; the conversation itself is untouched. hermes sessions optimize-storage rebuilds the index.',
    ],
    location: { path: snapshot.ref.path, table: drifted[0]?.name ?? 'messages_fts' },
    evidence: { indexes: drifted.map((index) => index.name), rowsMissing: missing, rowsExtra: extra, strict: drifted.some((index) => index.strictProblem !== null) },
  };
}

export default defineCheck({
  meta: {
    id: 'db/search-drift',
    severity: 'info',
    title: 'the search index and its rows differ',
    products: ['mimocode', 'hermes'],
    fix: noFix,
    affects: 'search only',
  },
  mimocode: { store: driftInMimocode },
  hermes: { store: hermesDrift },
});
