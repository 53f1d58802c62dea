import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SqliteDatabase } from '../../src/io/sqlite.ts';
import { nextPrompt, type PromptOutcome } from '../../src/readers/opencode/next-prompt.ts';
import { visibleRows } from '../../src/readers/opencode/compacted.ts';
import { revertCleanup, type RevertCleanup } from '../../src/readers/opencode/revert.ts';
import { opencodeRules, type OrderRules } from '../../src/readers/opencode/rules.ts';
import type { MessageRow } from '../../src/stores/opencode/types.ts';
import { realStores, temporaryFolder } from '../helpers/paths.ts';
import { preparePrograms, type ClientRun } from './harness.ts';
import { compactionMarks, messageRows, opencodeHome, partIds, promptOpencode, revertOf, sessionIds, toolCallRows, withDatabase, type OpencodeHome } from './opencode.ts';

const byId = '1.18.14';
const byTime = '1.18.31';
const specOf = (version: string): string => `opencode-linux-x64@${version}`;

const wedgedStore = join(realStores, 'opencode-wedged/store/opencode.db');
const armedStore = join(realStores, 'opencode-armed-revert/store/opencode.db');

const ready = existsSync(wedgedStore) && existsSync(armedStore) ? preparePrograms([byId, byTime].map(specOf)) : { reason: 'the labelled stores do not lie beside the project' };
const reason = 'reason' in ready ? ready.reason : null;
if (reason !== null) console.log(`skipped: ${reason}`);

const rulesOf = (version: string): OrderRules => opencodeRules({ product: 'opencode', version, source: 'option' });

function predict(db: SqliteDatabase, session: string, version: string): PromptOutcome {
  const marks = compactionMarks(db, session);
  return nextPrompt(messageRows(db, session), {
    rules: rulesOf(version),
    now: Date.now(),
    revert: revertOf(db, session),
    visible: (rows) => visibleRows(rows, marks),
    toolCalls: toolCallRows(db, session),
  });
}

function prompt(version: string, home: OpencodeHome, session: string): ClientRun {
  if ('reason' in ready) throw new Error(ready.reason);
  return promptOpencode(ready.folders.get(specOf(version)) ?? '', home, session);
}

/** What a run looks like from outside, and what a model has to predict. */
function observed(run: ClientRun): PromptOutcome['kind'] | string {
  if (run.stopped === 'calls') return 'repeats';
  if (run.exitCode !== 0) return `exit ${run.exitCode}, ${run.stopped}: ${run.stderr}`;
  if (run.calls.length === 0 && run.stdout.trim() === '') return 'silent';
  return run.calls.length === 1 ? 'answered' : `${run.calls.length} calls`;
}

const wedged = 'ses_014749500ffemmpxRP7D4KFTMJ';
const answeredStraddler = 'ses_0056f85d8ffeBClu4b1CdhvrSF';
const beforeTheWrap = 'ses_03952da6effe1tmlqhX4Y8xnQu';
const afterTheWrap = 'ses_fe17e79dfffe93RO47jmf6yzYk';
const skewed = 'ses_f9f4c1103ffeAqonPescvDxIn5';

describe.skipIf(reason !== null)(`opencode, the published programs (${reason ?? 'offline, in a network namespace'})`, () => {
  it.each([
    [byId, wedged, 'silent'],
    [byId, answeredStraddler, 'silent'],
    [byId, beforeTheWrap, 'silent'],
    [byId, afterTheWrap, 'answered'],
    [byId, skewed, 'answered'],
    [byTime, wedged, 'answered'],
    [byTime, answeredStraddler, 'answered'],
    [byTime, beforeTheWrap, 'answered'],
  ])('%s on %s: %s, as the model says', (version, session, expected) => {
    const home = opencodeHome(temporaryFolder(), wedgedStore);
    const before = withDatabase(home.db, (db) => ({ rows: messageRows(db, session), outcome: predict(db, session, version) }));
    const run = prompt(version, home, session);
    const after = withDatabase(home.db, (db) => messageRows(db, session));
    expect([before.outcome.kind, observed(run)]).toEqual([expected, expected]);
    const known = new Set(before.rows.map((row) => row.id));
    expect(after.filter((row) => !known.has(row.id)).map((row) => row.role).sort()).toEqual(expected === 'silent' ? ['user'] : ['assistant', 'user']);
    expect(after.length - before.rows.length).toBe(expected === 'silent' ? 1 : 2);
  });

  it.each([
    ['a prompt before the wrap that nobody answered', "DELETE FROM message WHERE id = (SELECT max(id) FROM message WHERE session_id = ?)"],
    ['an aborted reply before the wrap', `UPDATE message SET data = json_set(json_remove(data, '$.finish'), '$.error', json('{"name":"MessageAbortedError","data":{"message":"Aborted"}}')) WHERE id = (SELECT max(id) FROM message WHERE session_id = ?)`],
  ])('%s: asked again and again by id', (_name, sql) => {
    const home = opencodeHome(temporaryFolder(), wedgedStore);
    const outcome = withDatabase(home.db, (db) => {
      db.prepare(sql).run(beforeTheWrap);
      return predict(db, beforeTheWrap, byId);
    });
    expect([outcome.kind, observed(prompt(byId, home, beforeTheWrap))]).toEqual(['repeats', 'repeats']);
  });

  it('rows from a clock that ran ahead silence a reader that orders by time as well', () => {
    const home = opencodeHome(temporaryFolder(), wedgedStore);
    const year = 365 * 86_400_000;
    const outcome = withDatabase(home.db, (db) => {
      db.prepare("UPDATE message SET time_created = time_created + ?, data = json_set(data, '$.time.created', time_created + ?) WHERE session_id = ?").run(year, year, afterTheWrap);
      return predict(db, afterTheWrap, byTime);
    });
    expect([outcome.kind, observed(prompt(byTime, home, afterTheWrap))]).toEqual(['silent', 'silent']);
  });

  const armed = reason === null ? armedSessions() : [];
  it.each(armed.flatMap((session) => [byId, byTime].map((version) => [version, session] as const)))('%s deletes the rows that the model names when %s is prompted with its undo point set', (version, session) => {
    const home = opencodeHome(temporaryFolder(), armedStore);
    expect(expectCleanup(version, home, session).deletedMessages.length).toBeGreaterThan(0);
  });

  it.each([byId, byTime])('%s deletes the parts that the model names when the undo point is a part', (version) => {
    const home = opencodeHome(temporaryFolder(), armedStore);
    const session = armed[0] ?? '';
    withDatabase(home.db, (db) => {
      const { messageId } = revertOf(db, session) ?? { messageId: '' };
      const reply = messageRows(db, session).find((row) => row.parentId === messageId);
      const part = partIds(db, reply?.id ?? '').at(1);
      db.prepare('UPDATE session SET revert = ? WHERE id = ?').run(JSON.stringify({ messageID: reply?.id, partID: part }), session);
    });
    expect(expectCleanup(version, home, session).deletedParts.length).toBeGreaterThan(0);
  });
});

/** The sessions whose undo point is set, the straddling one first. */
function armedSessions(): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'sessionfsck-armed-'));
  try {
    return withDatabase(opencodeHome(folder, armedStore).db, (db) => sessionIds(db).filter((id) => revertOf(db, id) !== null));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prompts a session whose undo point is set and compares what is gone with what the model says. */
function expectCleanup(version: string, home: OpencodeHome, session: string): RevertCleanup<MessageRow> {
  const partsOf = (db: SqliteDatabase): string[] => messageRows(db, session).flatMap((row) => partIds(db, row.id));
  const before = withDatabase(home.db, (db) => {
    const revert = revertOf(db, session);
    if (revert === null) throw new Error('no undo point is set');
    const rows = messageRows(db, session);
    const cleanup = revertCleanup(rows, revert, rulesOf(version), partIds(db, revert.messageId));
    const partsOfDeleted = cleanup.deletedMessages.flatMap((row) => partIds(db, row.id));
    return { ids: rows.map((row) => row.id), parts: partsOf(db), cleanup, partsOfDeleted };
  });
  const run = prompt(version, home, session);
  expect(observed(run)).toBe('answered');
  const after = withDatabase(home.db, (db) => ({ ids: new Set(messageRows(db, session).map((row) => row.id)), parts: new Set(partsOf(db)), revert: revertOf(db, session) }));
  expect(before.ids.filter((id) => !after.ids.has(id)).sort()).toEqual(before.cleanup.deletedMessages.map((row) => row.id).sort());
  expect(before.parts.filter((id) => !after.parts.has(id)).sort()).toEqual([...before.partsOfDeleted, ...before.cleanup.deletedParts].sort());
  expect(after.revert).toBeNull();
  return before.cleanup;
}
