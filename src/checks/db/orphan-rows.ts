import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { OpenclawSnapshot } from '../../stores/openclaw/types.ts';
import type { OpencodeSnapshot } from '../../stores/opencode/types.ts';
import { defineCheck } from '../check.ts';

/** `4 message rows and 2 todo rows`. */
function countsInWords(tables: { [table: string]: number }): string {
  const words = Object.entries(tables).map(([table, count]) => `${count} ${table} ${count === 1 ? 'row' : 'rows'}`);
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

function* orphansOfOpencode(snapshot: OpencodeSnapshot): Iterable<FindingDraft> {
  for (const { parentTable, missing, sessionId, rows, tables } of snapshot.orphans()) {
    const total = Object.values(tables).reduce((sum, count) => sum + count, 0);
    yield {
      session: sessionId,
      message: `${countsInWords(tables)} ${total === 1 ? 'names' : 'name'} the ${parentTable} ${missing}, which has no row: no reader shows ${total === 1 ? 'it' : 'them'}.`,
      details: ['The usual cause is a deletion by hand: the sqlite3 program does not check foreign keys unless told to.'],
      location: { path: snapshot.ref.path, table: Object.keys(tables)[0] ?? parentTable, row: rows[0] ?? missing },
      evidence: { missing, parentTable, rows, tables },
      record: `${parentTable} ${missing}`,
    };
  }
}

function* orphansOfOpenclaw(snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  for (const { sessionId, rows } of snapshot.sqlite?.orphanEvents() ?? []) {
    yield {
      session: sessionId,
      message: `${rows.length} transcript ${rows.length === 1 ? 'event belongs' : 'events belong'} to the session ${sessionId}, which has no window: no reader shows ${rows.length === 1 ? 'it' : 'them'}.`,
      location: { path: snapshot.ref.path, table: 'transcript_events', row: `${sessionId}/${rows[0] ?? ''}` },
      evidence: { missing: sessionId, parentTable: 'session_windows', rows, tables: { transcript_events: rows.length } },
      record: `session_windows ${sessionId}`,
    };
  }
}

export default defineCheck({
  meta: {
    id: 'db/orphan-rows',
    severity: 'warning',
    title: 'rows whose parent row is gone',
    products: ['openclaw', 'opencode', 'mimocode'],
    fix: noFix,
    affects: 'every reader: the rows are never shown',
  },
  openclaw: { store: orphansOfOpenclaw },
  opencode: { store: orphansOfOpencode },
  mimocode: { store: orphansOfOpencode },
});
