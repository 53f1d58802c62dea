import { hermesCases } from '../../helpers/hermes-cases.ts';
import { startSeconds as ts, type HermesStore } from '../../helpers/hermes.ts';

const id = 's1';
const start = (store: HermesStore, messageCount: number, toolCallCount: number, rewound = 0): void => void store.session({ id, messageCount, toolCallCount, rewound });
const tools = (store: HermesStore): void => {
  store.talk(id, 'boat', 2, ts);
  store.message(id, { role: 'assistant', content: '', toolCalls: [{ id: 'a' }, { id: 'b' }], ts: ts + 200.5 });
  for (const call of ['a', 'b']) store.message(id, { role: 'tool', content: 'ok', toolCallId: call, ts: ts + 201.5 });
};
const keepCounters = true;
hermesCases('session/counter-drift', [
  ['too many messages', (store) => { start(store, 13, 2); tools(store); }, [{ severity: 'warning', evidence: { storedMessages: 13, activeMessages: 7, storedToolCalls: 2, activeToolCalls: 2 }, fix: { id: 'recount', class: 'safe' } }], { keepCounters }],
  ['shows no message', (store) => { start(store, 0, 0); tools(store); }, [{ evidence: { storedMessages: 0, activeMessages: 7 } }], { keepCounters }],
  ['tool calls', (store) => { start(store, 7, 9); tools(store); }, [{ evidence: { storedToolCalls: 9, activeToolCalls: 2 } }], { keepCounters }],
  ['exact', (store) => { start(store, 7, 2); tools(store); }, [], { keepCounters }],
  ['after a compaction only live rows count', (store) => { start(store, 3, 0); store.compact(id, { rule: 'A', held: store.talk(id, 'boat', 4, ts), tail: 2, ts: ts + 400 }); }, [], { keepCounters }],
  ['rewound by a build that does not recount', (store) => { start(store, 8, 0, 1); store.talk(id, 'boat', 4, ts); store.db.exec('UPDATE messages SET active = 0 WHERE id > 4'); }, [], { keepCounters }],
  ['tool_calls that cannot be read', (store) => { start(store, 2, 1); store.message(id, { ts }); store.message(id, { role: 'assistant', toolCalls: '[{"id', ts }); }, [], { keepCounters }],
  ['rows that the next open heals', (store) => { start(store, 4, 0); store.talk(id, 'boat', 2, ts); store.db.exec('UPDATE messages SET active = NULL WHERE id = 2'); }, [], { keepCounters }],
  ['results counted instead of calls', (store) => { start(store, 3, 1); store.message(id, { ts }); store.message(id, { role: 'assistant', toolCalls: [{ id: 'a' }, { id: 'b' }], ts }); store.message(id, { role: 'tool', toolCallId: 'a', ts }); }, [], { keepCounters }],
]);
