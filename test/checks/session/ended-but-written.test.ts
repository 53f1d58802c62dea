import { hermesCases } from '../../helpers/hermes-cases.ts';
import { startSeconds as ts, type HermesStore } from '../../helpers/hermes.ts';

const id = 's1';
const ended = (store: HermesStore, reason = 'tui_close'): number[] => {
  store.session({ id, ended: ts + 200, reason });
  return store.talk(id, 'boat', 3, ts);
};
hermesCases('session/ended-but-written', [
  ['the talk goes on', (store) => { ended(store); store.talk(id, 'still here', 1, ts + 900); }, [{ session: id, severity: 'warning', evidence: { rows: [7, 8], endedAt: '2026-08-05T09:03:20.000Z' } }]],
  ['an unknown end reason', (store) => { ended(store, 'my_plugin'); store.talk(id, 'still here', 1, ts + 900); }, [{ evidence: { endReason: 'my_plugin' } }]],
  ['the agent flushes after the close', (store) => { ended(store); store.message(id, { role: 'assistant', ts: ts + 260 }); }, []],
  ['a clock that was ahead for one row', (store) => { ended(store); store.db.exec(`UPDATE messages SET timestamp = ${ts + 4000} WHERE id = 2`); }, []],
  ['salvage garbage for a time', (store) => { ended(store); store.message(id, { ts: 5e246 }); store.message(id, { ts: (ts + 900) * 1000 }); store.message(id, { ts: 'yesterday' }); }, []],
  ['rows that are not live', (store) => { ended(store); store.talk(id, 'gone', 1, ts + 900); store.db.exec('UPDATE messages SET active = 0 WHERE id > 6'); }, []],
  ['rows that the continuation holds as clones', (store) => {
    ended(store, 'compression');
    const rows = store.talk(id, 'late', 1, ts + 900);
    store.session({ id: 's2', parent: id, started: ts + 200 });
    for (const row of rows) store.db.prepare("INSERT INTO messages (session_id, role, content, timestamp) SELECT 's2', role, content, timestamp FROM messages WHERE id = ?").run(row);
  }, []],
  ['still open', (store) => { store.session({ id }); store.talk(id, 'boat', 3, ts); }, []],
]);
