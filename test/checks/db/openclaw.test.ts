import { truncateSync, statSync, openSync, writeSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { talk, writeAgentDatabase } from '../../helpers/agent-database.ts';
import { temporaryFolder } from '../../helpers/paths.ts';
import { scanUntouched } from '../../helpers/untouched.ts';

const sessionId = '11111111-2222-4333-8444-555555555555';
const sessionKey = 'agent:main:main';
const start = Date.parse('2026-09-10T08:00:00Z');

async function findings(change: (db: Database.Database) => void, afterwards: (path: string) => void = () => {}, deep = false): Promise<unknown[]> {
  const state = temporaryFolder();
  const path = writeAgentDatabase(join(state, 'agents/main/agent/openclaw-agent.sqlite'), [{ sessionId, sessionKey, createdAt: start, events: talk(sessionId, start, 20) }], change);
  afterwards(path);
  const result = await scanUntouched(state, { check: ['db', 'session'], deep });
  expect(result.errors).toEqual([]);
  return result.findings.map(({ checkId, severity, session, evidence }) => ({ checkId, severity, session, evidence }));
}

describe('an OpenClaw agent database', () => {
  it('healthy: nothing, also with --deep', async () => {
    expect(await findings(() => {})).toEqual([]);
    expect(await findings(() => {}, () => {}, true)).toEqual([]);
  });

  it('events without window, identities without event, an entry that is no JSON, a schema of the future', async () => {
    expect(await findings((db) => db.exec('DELETE FROM session_windows'))).toMatchObject([
      { checkId: 'db/orphan-rows', severity: 'warning', session: sessionId, evidence: { missing: sessionId, tables: { transcript_events: 21 } } },
      { checkId: 'db/dangling-reference', severity: 'info', evidence: { column: 'session_nodes.current_session_id', count: 1, rows: [sessionKey] } },
    ]);
    expect(await findings((db) => db.exec("INSERT INTO transcript_event_identities VALUES ('x', 'e1', 7, 'message', NULL, NULL, 0)"))).toMatchObject([
      { checkId: 'db/dangling-reference', evidence: { column: 'transcript_event_identities.seq', count: 1, rows: ['x e1'] } },
    ]);
    expect(await findings((db) => db.exec(`UPDATE session_nodes SET entry_json = '{"sessionId":'`))).toMatchObject([{ checkId: 'db/invalid-json', severity: 'error', evidence: { column: 'entry_json', rows: [sessionKey] } }]);
    expect(await findings((db) => db.exec("UPDATE transcript_events SET event_json = '{\"type\":' WHERE seq IN (4, 9); UPDATE transcript_events SET event_json = '[]' WHERE seq = 12"))).toEqual([
      { checkId: 'db/invalid-json', severity: 'error', session: sessionId, evidence: { table: 'transcript_events', column: 'event_json', rows: [4, 9, 12], count: 3 } },
    ]);
    expect(await findings((db) => db.exec('UPDATE schema_meta SET schema_version = 99'))).toMatchObject([{ checkId: 'db/unknown-schema', severity: 'info', evidence: { version: '99' } }]);
  });

  it('cut short, zeroed, and with a page overwritten', async () => {
    expect(await findings(() => {}, (path) => truncateSync(path, Math.floor(statSync(path).size / 2)))).toMatchObject([{ checkId: 'db/corrupt', severity: 'error', session: null, evidence: { kind: 'short' } }]);
    expect(await findings(() => {}, (path) => truncateSync(path, 0))).toMatchObject([{ checkId: 'db/corrupt', evidence: { kind: 'zeroed', fileBytes: 0 } }]);
    const overwrite = (path: string): void => {
      const fd = openSync(path, 'r+');
      for (let page = 3; page < statSync(path).size / 1024; page++) writeSync(fd, Buffer.alloc(1024, 0xee), 0, 1024, page * 1024);
      closeSync(fd);
    };
    expect(await findings(() => {}, overwrite)).toMatchObject([{ checkId: 'db/corrupt', severity: 'error' }]);
  });
});
