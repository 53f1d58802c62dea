import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { HermesSnapshot } from '../../stores/hermes/types.ts';
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

function* hermesDangling(snapshot: HermesSnapshot): Iterable<FindingDraft> {
  const sessions = snapshot.sessions().filter((session) => session.missingPrompt !== null);
  const first = sessions[0];
  if (!first) return;
  yield {
    session: null,
    message: `Column sessions.system_prompt_hash names a prompt that is not stored, in ${sessions.length} ${sessions.length === 1 ? 'session' : 'sessions'}.`,
    details: [`Sessions ${sessions.slice(0, 6).map((session) => session.id).join(', ')}${sessions.length > 6 ? ` and ${sessions.length - 6} more` : ''}.`, 'hermes sessions repair-prompts sets it right where the text is still known.'],
    location: { path: snapshot.ref.path, table: 'sessions', row: first.id },
    evidence: { column: 'system_prompt_hash', sessions: sessions.map((session) => session.id) },
    record: 'system_prompt_hash',
  };
}

export default defineCheck({
  meta: {
    id: 'db/dangling-reference',
    severity: 'info',
    title: 'a stored id that names nothing',
    products: ['openclaw', 'opencode', 'mimocode', 'hermes'],
    fix: noFix,
    affects: 'most readers pass over it',
  },
  openclaw: { store: danglingInOpenclaw },
  opencode: { store: danglingInOpencode },
  mimocode: { store: danglingInOpencode },
  hermes: { store: hermesDangling },
});
