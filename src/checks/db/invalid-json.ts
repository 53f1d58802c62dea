import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { OpenclawSnapshot } from '../../stores/openclaw/types.ts';
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

function* invalidInOpenclaw(snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  const rows = snapshot.sqlite?.invalidEntries ?? [];
  if (rows.length === 0) return;
  yield {
    session: null,
    message: `${rows.length} ${rows.length === 1 ? 'chat has an entry' : 'chats have entries'} that ${rows.length === 1 ? 'is' : 'are'} not JSON: the product cannot list ${rows.length === 1 ? 'it' : 'them'}.`,
    details: [`chats: ${rows.slice(0, 5).join(', ')}${rows.length > 5 ? ', …' : ''}`],
    location: { path: snapshot.ref.path, table: 'session_nodes', row: rows[0] ?? '' },
    evidence: { table: 'session_nodes', column: 'entry_json', rows: rows.slice(0, 1000), count: rows.length },
    record: 'session_nodes.entry_json',
  };
}

export default defineCheck({
  meta: {
    id: 'db/invalid-json',
    severity: 'error',
    title: 'a JSON column that is not JSON',
    products: ['openclaw', 'opencode', 'mimocode'],
    fix: noFix,
    affects: 'every reader of that row',
  },
  openclaw: { store: invalidInOpenclaw },
  opencode: { store: invalidInOpencode },
  mimocode: { store: invalidInOpencode },
});
