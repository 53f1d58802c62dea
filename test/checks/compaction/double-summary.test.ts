import { hermesCases } from '../../helpers/hermes-cases.ts';
import { startSeconds as ts, summaryOf, type HermesStore } from '../../helpers/hermes.ts';

const id = 's1';
const compacted = (store: HermesStore): number => {
  store.session({ id });
  return store.compact(id, { rule: 'A', held: store.talk(id, 'boat', 4, ts), tail: 2, ts: ts + 400 }).carrier;
};
const noFlag = { version: 16, without: ['_compressed_summary', 'message_uid', 'absorbed_message_uids'] };

hermesCases('compaction/double-summary', [
  ['two of different text', (store) => { compacted(store); store.message(id, { content: summaryOf('Otherwise.'), summary: 1, ts: ts + 420 }); }, [{ severity: 'error', evidence: { carriers: [9, 12], sameText: false }, fix: { class: 'none' } }]],
  ['the same one twice', (store) => { compacted(store); store.message(id, { content: summaryOf('What was said so far.'), summary: 1, ts: ts + 407 }); }, [{ evidence: { carriers: [9, 12], sameText: true }, fix: { id: 'retire-duplicate', class: 'safe' } }]],
  ['an older head', (store) => { compacted(store); store.message(id, { content: '[CONTEXT SUMMARY]: earlier', summary: 1, ts: ts + 420 }); }, [{ evidence: { carriers: [9, 12] } }]],
  ['the older one archived', (store) => { compacted(store); store.compact(id, { rule: 'A', held: store.activeIds(id), tail: 1, ts: ts + 900, summary: summaryOf('More.') }); }, []],
  ['the older one carried along as a head copy', (store) => {
    compacted(store);
    store.talk(id, 'later', 2, ts + 500);
    store.compact(id, { rule: 'A', held: store.activeIds(id), head: 1, tail: 1, ts: ts + 900, summary: summaryOf('More.') });
    store.db.exec("UPDATE messages SET _compressed_summary = 1 WHERE active = 1 AND content LIKE '[CONTEXT%'");
  }, []],
  ['a marker of a micro-compaction', (store) => { compacted(store); store.message(id, { content: '[tool output folded]', summary: 1, ts: ts + 500 }); }, []],
  ['a user who quotes the head', (store) => { compacted(store); store.message(id, { content: summaryOf('what is this?'), ts: ts + 500 }); }, []],
  ['a user who quotes the head, no flag column', (store) => { store.session({ id }); store.talk(id, 'boat', 2, ts); store.message(id, { content: 'what does "[CONTEXT COMPACTION — REFERENCE ONLY]" mean', ts: ts + 500 }); store.message(id, { content: summaryOf('and this?'), ts: ts + 501 }); }, [], { shape: noFlag }],
  ['two different ones, no flag column', (store) => {
    compacted(store);
    store.message(id, { content: summaryOf('Otherwise.'), ts: ts + 420 });
    for (const row of [10, 11]) store.db.prepare('INSERT INTO messages (session_id, role, content, timestamp) SELECT session_id, role, content, timestamp FROM messages WHERE id = ?').run(row);
  }, [{ evidence: { carriers: [9, 12] } }], { shape: noFlag }],
]);
