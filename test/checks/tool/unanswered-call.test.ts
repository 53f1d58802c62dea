import { describe } from 'vitest';
import { checkCases, sessionId, type Case } from '../../helpers/check-cases.ts';
import { header, talk, talkStart, type Row } from '../../helpers/openclaw-transcripts.ts';

const check = 'tool/unanswered-call';
type Talk = ReturnType<typeof talk>;

function rowsOf(write: (t: Talk) => void): Row[] {
  const t = talk();
  t.chat(1);
  write(t);
  return t.rows;
}
const open = rowsOf((t) => { t.user('go'); t.calls(['c1']); t.chat(1); });
const found = { severity: 'warning', line: 6, evidence: { rows: ['a0000004'], callIds: ['c1'] } };
const onlyUsers = rowsOf((t) => { t.user('go'); t.calls(['c1']); t.user('#5 Ann: hello'); });
const soon = talkStart + 10 * 60_000;

const cases: Case[] = [
  ['the talk went on', { rows: open }, [found]],
  ['one of three', { rows: rowsOf((t) => { t.user('go'); t.calls(['c1', 'c2', 'c3']); t.result('c3'); t.result('c1'); t.chat(1); }) }, [{ evidence: { rows: ['a0000004'], callIds: ['c2'] } }]],
  ['all of one turn: the row once', { rows: rowsOf((t) => { t.user('go'); t.calls(['c1', 'c2']); t.chat(1); }) }, [{ evidence: { rows: ['a0000004'], callIds: ['c1', 'c2'] } }]],
  ['two turns', { rows: rowsOf((t) => { t.user('go'); t.calls(['c1']); t.user('go'); t.calls(['c2']); t.chat(1); }) }, [{ evidence: { rows: ['a0000004', 'a0000006'], callIds: ['c1', 'c2'] } }]],
  ['an id that is used again, and answered, later', { rows: rowsOf((t) => { t.user('go'); t.calls(['call_0']); t.user('go'); t.calls(['call_0']); t.result('call_0'); t.chat(1); }) }, [{ evidence: { rows: ['a0000004'], callIds: ['call_0'] } }]],
  ['an error reply follows, as a provider gives that refuses the request', { rows: rowsOf((t) => { t.user('go'); t.calls(['c1']); t.user('hello?'); t.reply('', { content: [], stopReason: 'error' }); }) }, [found]],
  ['only user rows follow, long ago', { rows: onlyUsers }, [found]],

  ['only user rows follow, this hour: the tool may be at work', { rows: onlyUsers }, [], { now: soon }],
  ['at the very end', { rows: rowsOf((t) => { t.user('go'); t.calls(['c1', 'c2']); t.result('c2'); }) }, []],
  ['at the very end, with rows that are no talk behind it', { rows: rowsOf((t) => { t.user('go'); t.calls(['c1']); t.row({ type: 'custom', customType: 'x', data: {} }); t.row({ type: 'session_info', name: 'x' }); t.reply('sent', { model: 'delivery-mirror' }); }) }, []],
  ["a result that the product's repair put beside the talk", { rows: rowsOf((t) => { t.user('go'); const call = t.calls(['c1']); t.result('c1', { isError: true, content: [{ type: 'text', text: 'aborted' }] }, { id: 'repair-0b7c' }); t.user('and?', {}, { parentId: call.id! }); t.reply('done'); }) }, []],
  ['at the very end, before text that the gateway injected', { rows: rowsOf((t) => { t.user('go'); t.calls(['c1']); t.reply('note', { model: 'gateway-injected' }); }) }, []],
  ['aborted, with a partial call', { rows: rowsOf((t) => { t.user('go'); t.calls(['c1'], { stopReason: 'aborted' }); t.chat(1); }) }, []],
  ['ended by an error', { rows: rowsOf((t) => { t.user('go'); t.calls(['c1'], { stopReason: 'error' }); t.chat(1); }) }, []],
  ['the result is on another branch', { rows: rowsOf((t) => { t.user('go'); const call = t.calls(['c1']); t.result('c1'); t.reply('one way'); t.user('other way', {}, { parentId: call.id! }); t.reply('done'); }) }, []],
  ['on a branch that nobody follows', { rows: rowsOf((t) => { const user = t.user('go'); t.calls(['c1']); t.reply('more'); t.reply('instead', {}, { parentId: user.id! }); }) }, []],
  ['a synthetic result', { rows: rowsOf((t) => { t.user('go'); t.calls(['c1']); t.result('c1', { isError: true, content: [{ type: 'text', text: '[openclaw] missing tool result in session history; inserted' }] }); t.chat(1); }) }, []],
  ['a call without an id', { rows: rowsOf((t) => { t.user('go'); t.reply('', { content: [{ type: 'toolCall', name: 'exec', arguments: {} }] }); t.chat(1); }) }, []],
  ['a late result, which is another check', { rows: rowsOf((t) => { t.user('go'); t.calls(['c1']); t.user('go'); t.calls(['c2']); t.result('c2'); t.result('c1'); t.chat(1); }) }, []],
  ['before an in-log reset', { rows: rowsOf((t) => { t.user('go'); t.calls(['c1']); t.chat(1); t.row({ type: 'reset', reason: 'new' }); t.chat(1); }) }, []],
  ['version 1, at the end', { header: header(sessionId, { version: 1 }), rows: rowsOf((t) => { t.user('go'); t.calls(['c1']); }) }, []],
  ['in an archive', { key: null, file: `${sessionId}.jsonl.reset.2026-06-10T04-00-01.000Z`, rows: open }, []],
];

describe(check, () => {
  checkCases(check, cases);
});
