import { hermesCases } from '../../helpers/hermes-cases.ts';
import { startSeconds as ts, type HermesStore } from '../../helpers/hermes.ts';

const id = 's1';
type Step = ['user' | 'say' | 'call' | 'result' | 'meta', ...string[]];
const talk = (...steps: Step[]) => (store: HermesStore): void => {
  store.session({ id });
  let clock = ts + 0.5;
  for (const [kind, ...ids] of steps) {
    clock += 5;
    if (kind === 'user') store.message(id, { content: 'go', ts: clock });
    else if (kind === 'say') store.message(id, { role: 'assistant', content: 'done', ts: clock });
    else if (kind === 'meta') store.message(id, { role: 'session_meta', content: 'x', ts: clock });
    else if (kind === 'call') store.message(id, { role: 'assistant', content: '', toolCalls: ids.map((call) => ({ id: call })), ts: clock });
    else store.message(id, { role: 'tool', content: 'ok', toolCallId: ids[0] ?? '', ts: clock });
  }
};

hermesCases('tool/orphan-result', [
  ['nobody made the call', talk(['user'], ['say'], ['result', 'c9'], ['user'], ['say']), [{ session: id, severity: 'warning', evidence: { rows: [3] }, fix: { id: 'retire-orphan-result', class: 'judgement' } }]],
  ['an earlier turn made it', talk(['user'], ['call', 'c1'], ['result', 'c1'], ['say'], ['user'], ['call', 'c2'], ['result', 'c2'], ['result', 'c1'], ['say']), [{ evidence: { rows: [8] } }]],
  ['a turn of several calls, results in any order', talk(['user'], ['call', 'c1', 'c2'], ['result', 'c2'], ['result', 'c1'], ['say']), []],
  ['the same id in each turn', talk(['user'], ['call', 'c1'], ['result', 'c1'], ['say'], ['user'], ['call', 'c1'], ['result', 'c1'], ['say']), []],
  ['behind calls that cannot be read', (store) => { talk(['user'], ['call', 'c1'], ['result', 'c1'], ['say'])(store); store.db.exec("UPDATE messages SET tool_calls = '[{' WHERE id = 2"); }, []],
  ['a result that is not live', (store) => { talk(['user'], ['say'], ['result', 'c9'], ['say'])(store); store.db.exec('UPDATE messages SET active = 0 WHERE id = 3'); }, []],
]);

hermesCases('tool/unanswered-call', [
  ['the talk went on', talk(['user'], ['call', 'c1'], ['user'], ['say']), [{ session: id, severity: 'warning', evidence: { rows: [2], callIds: ['c1'] }, fix: { class: 'none' } }]],
  ['one of three', talk(['user'], ['call', 'c1', 'c2', 'c3'], ['result', 'c1'], ['result', 'c3'], ['say']), [{ evidence: { rows: [2], callIds: ['c2'] } }]],
  ['only a user wrote after it, long ago', talk(['user'], ['call', 'c1'], ['user']), [{ evidence: { rows: [2] } }]],
  ['only a user wrote after it, just now', talk(['user'], ['call', 'c1'], ['user']), [], { scan: { now: (ts + 60) * 1000 } }],
  ['at the very end', talk(['user'], ['call', 'c1']), []],
  ['bookkeeping between call and result', talk(['user'], ['call', 'c1'], ['meta'], ['result', 'c1'], ['say']), []],
]);
