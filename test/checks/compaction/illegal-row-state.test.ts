import { hermesCases } from '../../helpers/hermes-cases.ts';
import { startSeconds as ts, type HermesStore } from '../../helpers/hermes.ts';

const id = 's1';
const talk = (store: HermesStore): number[] => {
  store.session({ id });
  return store.talk(id, 'state', 3, ts);
};
hermesCases('compaction/illegal-row-state', [
  ['live and archived at once', (store) => { talk(store); store.db.exec('UPDATE messages SET compacted = 1 WHERE id = 2'); }, [{ severity: 'warning', evidence: { rows: [2], activeAndCompacted: 1 }, fix: { class: 'judgement' } }]],
  ['active NULL', (store) => { talk(store); store.db.exec('UPDATE messages SET active = NULL WHERE id IN (3, 4)'); }, [{ evidence: { rows: [3, 4], activeNull: 2 }, fix: { id: 'heal-row-state', class: 'safe' } }]],
  ['both in one session', (store) => { talk(store); store.db.exec('UPDATE messages SET active = NULL WHERE id = 5; UPDATE messages SET compacted = 1 WHERE id = 1'); }, [{ evidence: { rows: [1, 5] }, fix: { class: 'judgement' } }]],
  ['summarized away', (store) => { talk(store); store.compact(id, { rule: 'A', held: store.activeIds(id), tail: 2, ts: ts + 400 }); }, []],
  ['superseded by clones', (store) => { const held = talk(store); store.talk(id, 'late', 1, ts + 300); store.compact(id, { rule: 'D', held, tail: 2, ts: ts + 400 }); }, []],
  ['rewound', (store) => { talk(store); store.db.exec('UPDATE messages SET active = 0 WHERE id > 4'); }, []],
  ['a store without the columns', talk, [], { shape: { version: 10, without: ['active', 'compacted', '_compressed_summary', 'message_uid', 'absorbed_message_uids'] } }],
]);
