import { hermesCases } from '../../helpers/hermes-cases.ts';
import { startSeconds as ts, type HermesStore } from '../../helpers/hermes.ts';

const id = 's1';
const put = (store: HermesStore, column: string, value: string): void => {
  store.session({ id });
  const row = store.message(id, { role: 'assistant', content: 'x', ts });
  store.db.prepare(`UPDATE messages SET ${column} = ? WHERE id = ?`).run(value, row);
};
hermesCases('db/invalid-json', [
  ['tool_calls cut off', (store) => put(store, 'tool_calls', '[{"id": "call_1", "type'), [{ session: id, severity: 'error', evidence: { column: 'tool_calls', rows: [1] } }]],
  ['structured content cut off', (store) => put(store, 'content', '\u0000json:[{"type": "text"'), [{ evidence: { column: 'content', rows: [1] } }]],
  ['reasoning cut off', (store) => put(store, 'codex_reasoning_items', '[{"type": "compaction"'), [{ evidence: { column: 'codex_reasoning_items' } }]],
  ['model_config cut off', (store) => void store.session({ id, config: '{"temperature":0.2' }), [{ session: id, evidence: { column: 'model_config' } }]],
  ['two columns, two findings', (store) => { store.session({ id, config: '{' }); store.message(id, { role: 'assistant', toolCalls: '[', ts }); }, [{ evidence: { column: 'tool_calls' } }, { evidence: { column: 'model_config' } }]],
  ['a route', (store) => store.route('agent:main:telegram:dm:1', '{"session_id'), [{ sessionKey: 'agent:main:telegram:dm:1', evidence: { column: 'entry_json' } }]],
  ['structured content behind its marker', (store) => put(store, 'content', '\u0000json:[{"type": "text", "text": "x"}]'), []],
  ['numbers that only Python writes', (store) => put(store, 'reasoning_details', '[{"score": NaN, "note": "Infinity \\" here", "low": -Infinity}]'), []],
  ['words of a provider in a reasoning column', (store) => put(store, 'reasoning_details', 'thinking about boats'), []],
  ['an object encoded twice', (store) => void store.session({ id, config: JSON.stringify(JSON.stringify({ _reset_from: 'x' })) }), []],
  ['empty texts', (store) => put(store, 'display_metadata', ''), []],
]);
