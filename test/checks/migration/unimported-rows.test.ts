import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { talk, writeAgentDatabase } from '../../helpers/agent-database.ts';
import { temporaryFolder } from '../../helpers/paths.ts';
import { scanUntouched } from '../../helpers/untouched.ts';

const sessionId = '11111111-2222-4333-8444-555555555555';
const sessionKey = 'agent:main:telegram:direct:1';
const start = Date.parse('2026-09-10T08:00:00Z');
const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

type Case = [name: string, path: string, content: (rows: Record<string, unknown>[]) => string, missing: { missingRows: number; rowsInFile: number; unreadableLines: number; sessionKnown: boolean } | null];

const live = `agents/main/sessions/${sessionId}.jsonl`;
const imported = `agents/main/session-sqlite-import-archive/agent_main_telegram_direct_1.${sessionId}.jsonl.imported-1796061169188`;
const extra = { type: 'message', id: 'extra-1', parentId: 'x', timestamp: '2026-09-10T09:00:00.000Z', message: { role: 'user', content: 'later', timestamp: start } };

const cases: Case[] = [
  ['two rows more than the database', live, (rows) => lines([...rows, extra, { ...extra, id: 'extra-2' }]), { missingRows: 2, rowsInFile: 9, unreadableLines: 0, sessionKnown: true }],
  ['an id twice with different contents: the database kept one', live, (rows) => lines([...rows, { ...extra, id: rows[2]!['id'] }]), { missingRows: 1, rowsInFile: 8, unreadableLines: 0, sessionKnown: true }],
  ['rows behind a line that is not JSON', live, (rows) => `${lines(rows.slice(0, 3))}{"type":\n${lines([extra])}`, { missingRows: 1, rowsInFile: 4, unreadableLines: 1, sessionKnown: true }],
  ['an imported original with a row more', imported, (rows) => lines([...rows, extra]), { missingRows: 1, rowsInFile: 8, unreadableLines: 0, sessionKnown: true }],
  ['the same rows', live, (rows) => lines(rows), null],
  ['an imported original', imported, (rows) => lines(rows), null],
  ['the same rows under new ids', live, (rows) => lines(rows.map((row, i) => ({ ...row, id: `new-${i}`, parentId: null }))), null],
  ['a version 1 file: no ids', live, (rows) => lines(rows.map(({ id: _id, parentId: _parent, ...row }, i) => (i === 0 ? { ...row, id: sessionId, version: undefined } : row))), null],
  ['fewer rows than the database', live, (rows) => lines(rows.slice(0, 3)), null],
  ['byte order mark and CRLF', live, (rows) => `\ufeff${lines(rows).replaceAll('\n', '\r\n')}`, null],
  ['fields in another order', live, (rows) => lines(rows.map((row) => Object.fromEntries(Object.entries(row).reverse()))), null],
];

describe('migration/unimported-rows', () => {
  it.each(cases)('%s', async (_name, path, content, wanted) => {
    const state = temporaryFolder();
    const rows = talk(sessionId, start, 6);
    writeAgentDatabase(join(state, 'agents/main/agent/openclaw-agent.sqlite'), [{ sessionId, sessionKey, createdAt: start, events: rows }]);
    mkdirSync(join(state, path, '..'), { recursive: true });
    writeFileSync(join(state, path), content(rows));
    const { findings } = await scanUntouched(state, { check: ['migration'] });
    expect(findings.map(({ session, evidence: { missingRows, rowsInFile, unreadableLines, sessionKnown } }) => ({ session, missingRows, rowsInFile, unreadableLines, sessionKnown }))).toEqual(
      wanted ? [{ session: sessionId, ...wanted }] : [],
    );
  });

  it('says of a session that the database does not know whether it was ever imported', async () => {
    const state = temporaryFolder();
    const gone = '99999999-2222-4333-8444-555555555555';
    writeAgentDatabase(join(state, 'agents/main/agent/openclaw-agent.sqlite'), [{ sessionId, sessionKey, createdAt: start, events: talk(sessionId, start, 2) }]);
    mkdirSync(join(state, 'agents/main/sessions'), { recursive: true });
    mkdirSync(join(state, 'agents/main/session-sqlite-import-archive'), { recursive: true });
    writeFileSync(join(state, `agents/main/sessions/${gone}.jsonl`), lines(talk(gone, start, 4)));
    const other = '88888888-2222-4333-8444-555555555555';
    writeFileSync(join(state, `agents/main/session-sqlite-import-archive/agent_main_x.${other}.jsonl.imported-1796061169188`), lines(talk(other, start, 3)));
    const { findings } = await scanUntouched(state, { check: ['migration'] });
    expect(findings.map(({ session, severity, confidence, evidence }) => [session, severity, confidence, evidence['missingRows']])).toEqual([
      [gone, 'error', 'certain', 5],
      [other, 'warning', 'suspect', 4],
    ]);
  });
});
