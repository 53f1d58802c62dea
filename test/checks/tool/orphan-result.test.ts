import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeAgentDatabase } from '../../helpers/agent-database.ts';
import { checkCases, findingsOf, sessionId, type Case } from '../../helpers/check-cases.ts';
import { header, talk, type Row } from '../../helpers/openclaw-transcripts.ts';
import { temporaryFolder } from '../../helpers/paths.ts';
import { scanUntouched } from '../../helpers/untouched.ts';

const check = 'tool/orphan-result';
type Talk = ReturnType<typeof talk>;

function rowsOf(write: (t: Talk) => void): Row[] {
  const t = talk();
  t.chat(1);
  write(t);
  return t.rows;
}
const used = (t: Talk, id: string): void => {
  t.user('go');
  t.calls([id]);
  t.result(id);
  t.reply('done');
};
const stray = rowsOf((t) => { t.user('go'); t.calls(['c1']); t.result('c1'); t.result('c9'); t.reply('done'); t.chat(1); });

const cases: Case[] = [
  ['nobody made the call', { rows: stray }, [{ severity: 'warning', line: 8, evidence: { rows: ['a0000006'], callIds: ['c9'] } }]],
  ['the call was made by an earlier turn', { rows: rowsOf((t) => { t.user('go'); t.calls(['c1']); used(t, 'c2'); t.result('c1'); t.reply('late'); }) }, [{ evidence: { callIds: ['c1'] } }]],
  ['the result comes before its call', { rows: rowsOf((t) => { t.user('go'); t.result('c1'); t.calls(['c1']); t.reply('done'); }) }, [{ evidence: { rows: ['a0000004'] } }]],
  ['the result comes again, a reply and a turn later', { rows: rowsOf((t) => { used(t, 'c1'); t.chat(1); t.result('c1'); t.reply('again'); }) }, [{ evidence: { rows: ['a0000009'], callIds: ['c1'] } }]],
  ['two in one transcript', { rows: rowsOf((t) => { t.result('c8'); t.chat(1); t.result('c9'); t.chat(1); }) }, [{ evidence: { callIds: ['c8', 'c9'] } }]],

  ['a talk with tools', { rows: rowsOf((t) => { used(t, 'c1'); used(t, 'c2'); }) }, []],
  ['results in any order', { rows: rowsOf((t) => { t.user('go'); t.calls(['c1', 'c2', 'c3']); t.result('c3'); t.result('c1'); t.result('c2'); t.reply('done'); }) }, []],
  ['a result written twice before the reply', { rows: rowsOf((t) => { t.user('go'); t.calls(['c1']); t.result('c1'); t.result('c1'); t.reply('done'); }) }, []],
  ['a result written twice around a delivery mirror', { rows: rowsOf((t) => { t.user('go'); t.calls(['c1']); t.result('c1'); t.reply('sent', { model: 'delivery-mirror' }); t.result('c1'); t.reply('done'); }) }, []],
  ['ids used again in each turn', { rows: rowsOf((t) => { used(t, 'call_0'); used(t, 'call_0'); }) }, []],
  ["a group's talk between call and result", { rows: rowsOf((t) => { t.user('go'); t.calls(['c1']); t.user('#5 Ann: hello'); t.result('c1'); t.reply('done'); }) }, []],
  ['a delivery mirror between call and result', { rows: rowsOf((t) => { t.user('go'); t.calls(['c1']); t.reply('sent', { model: 'delivery-mirror' }); t.result('c1'); t.reply('done'); }) }, []],
  ['the call lies before what a compaction keeps', { rows: rowsOf((t) => { t.user('go'); t.calls(['c1']); const kept = t.result('c1'); t.reply('done'); t.row({ type: 'compaction', summary: '', firstKeptEntryId: kept.id!, tokensBefore: 1 }); t.chat(1); }) }, []],
  ['the call is on another branch', { rows: rowsOf((t) => { const user = t.user('go'); t.calls(['c1']); t.reply('instead', {}, { parentId: user.id! }); t.result('c1'); t.reply('done'); }) }, []],
  ['the call lies before a gap, which is another check', { rows: rowsOf((t) => { t.user('go'); t.calls(['c1']); t.result('c1', {}, { parentId: 'fffffff1' }); t.reply('done'); }) }, []],
  ['a synthetic result for an aborted call', { rows: rowsOf((t) => { t.user('go'); t.calls(['c1'], { stopReason: 'aborted' }); t.result('c1', { isError: true, content: [{ type: 'text', text: '[openclaw] missing tool result in session history; inserted' }] }); t.chat(1); }) }, []],
  ['a legacy result that names no call', { rows: rowsOf((t) => { t.user('go'); t.calls(['c1']); t.row({ message: { role: 'toolResult', toolName: 'exec', content: [] } }); t.reply('done'); }) }, []],
  ['other spellings of a call', { rows: rowsOf((t) => { for (const type of ['toolUse', 'functionCall', 'tool_use', 'tool_call', 'function_call']) { t.user('go'); t.reply('', { content: [{ type, id: type, name: 'exec', input: {} }], stopReason: 'toolUse' }); t.result(type); t.reply('done'); } }) }, []],
  ['other spellings of the id in a result', { rows: rowsOf((t) => { for (const field of ['toolUseId', 'tool_call_id', 'tool_use_id', 'callId', 'call_id']) { t.user('go'); t.calls([field]); t.row({ message: { role: 'toolResult', [field]: ` ${field} `, content: [] } }); t.reply('done'); } }) }, []],
  ['a result with an empty id', { rows: rowsOf((t) => { t.user('go'); t.calls(['c1']); t.result('c1'); t.result(''); t.reply('done'); }) }, []],
  ['version 1', { header: header(sessionId, { version: 1 }), rows: rowsOf((t) => { used(t, 'c1'); for (const row of t.rows) { delete row.id; delete row.parentId; } }) }, []],
  ['in an archive', { key: null, file: `${sessionId}.jsonl.reset.2026-06-10T04-00-01.000Z`, rows: stray }, []],
];

describe(check, () => {
  checkCases(check, cases);

  it('names events of a database by their seq', async () => {
    const state = temporaryFolder();
    const events = [header(sessionId), ...stray] as Record<string, unknown>[];
    writeAgentDatabase(join(state, 'agents/main/agent/openclaw-agent.sqlite'), [{ sessionId, sessionKey: 'agent:main:main', createdAt: Date.parse('2026-06-09T08:00:00Z'), events }]);
    const [found] = (await scanUntouched(state, { check: [check] })).findings;
    const seq = events.findIndex((event) => event['id'] === 'a0000006');
    expect(found?.location).toMatchObject({ table: 'transcript_events', row: `${sessionId}/${seq}` });
    expect([found?.message, ...(found?.details ?? [])].map((text) => /\bseq (\d+)/.exec(text ?? '')?.[1])).toEqual([`${seq}`, `${seq}`]);
  });

  it('knows a transcript whose beginning was cut off on purpose', async () => {
    const t = talk();
    t.row({ message: { role: 'toolResult', toolCallId: 'c1', toolName: 'exec', content: [] } });
    t.chat(1);
    const cut = { id: sessionId, rows: t.rows };
    expect(await findingsOf(check, [cut])).toHaveLength(1);
    expect(await findingsOf(check, [cut, { id: sessionId, key: null, file: `${sessionId}.jsonl.bak.2026-06-10T04-00-01.000Z`, rows: t.rows }])).toEqual([]);
  });
});
