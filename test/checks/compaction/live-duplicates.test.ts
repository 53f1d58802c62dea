import { describe, expect, it } from 'vitest';
import { hermesCases, hermesFindings } from '../../helpers/hermes-cases.ts';
import { startSeconds as ts, summaryOf, type HermesStore } from '../../helpers/hermes.ts';

const id = 's1';
const again = (store: HermesStore, rows: readonly number[], shift?: (row: number, position: number) => number): void => {
  for (const [position, row] of rows.entries()) {
    store.db.prepare('INSERT INTO messages (session_id, role, content, timestamp, tool_call_id, tool_calls) SELECT session_id, role, content, coalesce(?, timestamp), tool_call_id, tool_calls FROM messages WHERE id = ?').run(shift?.(row, position) ?? null, row);
  }
};
/** A talk in whole seconds, as platforms stamp it. */
const wholeTalk = (store: HermesStore, words: readonly string[]): number[] => words.map((content, i) => store.message(id, { role: i % 2 ? 'assistant' : 'user', content, ts: ts + i * 10 }));
const start = (store: HermesStore): void => void store.session({ id });

hermesCases('compaction/live-duplicates', [
  ['a block written again with its times', (store) => { start(store); again(store, store.talk(id, 'boat', 3, ts).slice(2)); }, [{ severity: 'error', confidence: 'certain', evidence: { rows: [7, 8, 9, 10], firstCopies: [3, 4, 5, 6] }, fix: { id: 'retire-duplicate', class: 'safe' } }]],
  ['one row twice, to the fraction of a second', (store) => { start(store); again(store, store.talk(id, 'boat', 2, ts).slice(3)); }, [{ evidence: { rows: [5], firstCopies: [4] } }]],
  ['each row twice, interleaved', (store) => { start(store); for (let i = 0; i < 3; i++) for (let copy = 0; copy < 2; copy++) store.message(id, { role: i % 2 ? 'assistant' : 'user', content: 'twice', ts: ts + i * 7.3 + 0.1 }); }, [{ evidence: { rows: [2, 4, 6], firstCopies: [1, 3, 5] } }]],
  ['three copies of a block', (store) => { start(store); const rows = store.talk(id, 'boat', 2, ts); again(store, rows); again(store, rows); }, [{ evidence: { rows: [5, 6, 7, 8, 9, 10, 11, 12], firstCopies: [1, 2, 3, 4] } }]],
  ['a block of whole seconds', (store) => { start(store); again(store, wholeTalk(store, ['one', 'two', 'three', 'four']).slice(1)); }, [{ confidence: 'likely', evidence: { rows: [5, 6, 7], firstCopies: [2, 3, 4] }, fix: { class: 'judgement' } }]],
  ['a result of the same call twice', (store) => { start(store); store.message(id, { role: 'assistant', content: '', toolCalls: [{ id: 'c1' }], ts }); const row = store.message(id, { role: 'tool', content: 'ok', toolCallId: 'c1', ts: ts + 1 }); again(store, [row]); }, [{ evidence: { rows: [3], firstCopies: [2] } }]],
  ['a block replayed with new times, at machine speed', (store) => { start(store); again(store, store.talk(id, 'boat', 3, ts), (_row, position) => ts + 900 + position * 0.01); }, [{ confidence: 'likely', evidence: { rows: [7, 8, 9, 10, 11, 12], firstCopies: [1, 2, 3, 4, 5, 6], replayed: 6 }, fix: { class: 'judgement' } }]],

  ['the same words at different times', (store) => { start(store); for (let i = 0; i < 12; i++) store.message(id, { role: i % 2 ? 'assistant' : 'user', content: 'ok', ts: ts + i * 8.5 }); }, []],
  ['the same short words within one second', (store) => { start(store); for (let i = 0; i < 3; i++) { store.message(id, { content: 'ok', ts: ts + i * 60 }); store.message(id, { content: 'ok', ts: ts + i * 60 }); store.message(id, { role: 'assistant', content: `answer ${i}`, ts: ts + i * 60 + 3.5 }); } }, []],
  ['a flood of one word within one second', (store) => { start(store); for (let i = 0; i < 6; i++) store.message(id, { content: 'k', ts }); }, []],
  ['a job that says the same each hour', (store) => { start(store); for (let hour = 0; hour < 5; hour++) for (const [i, words] of ['check', 'nothing new', 'bye'].entries()) store.message(id, { role: i % 2 ? 'assistant' : 'user', content: words, ts: ts + hour * 3600 + i * 2.5 }); }, []],
  ['parallel calls with equal results', (store) => { start(store); store.message(id, { role: 'assistant', content: '', toolCalls: [{ id: 'c1' }, { id: 'c2' }], ts: ts + 0.5 }); for (const call of ['c1', 'c2']) store.message(id, { role: 'tool', content: 'ok', toolCallId: call, ts: ts + 1.5 }); }, []],
  ['carried copies with archived originals', (store) => { start(store); store.compact(id, { rule: 'A', held: store.talk(id, 'boat', 5, ts), tail: 4, head: 2, ts: ts + 400 }); }, []],
  ['archived copies of archived rows', (store) => { start(store); const rows = store.talk(id, 'boat', 3, ts); again(store, rows); store.db.exec('UPDATE messages SET active = 0, compacted = 1'); store.talk(id, 'later', 1, ts + 900); }, []],
  ['an edited row that keeps its uid', (store) => { start(store); const uid = 'ab'.repeat(16); store.message(id, { content: 'first wording', uid, ts: ts + 0.5 }); store.message(id, { content: 'second wording', uid, ts: ts + 9.5 }); }, []],
  ['two summaries, which is another check', (store) => { start(store); for (let i = 0; i < 2; i++) store.message(id, { content: summaryOf('So far.'), summary: 1, ts: ts + 0.5 }); }, []],
]);

describe('a session of the same word', () => {
  it('is read in linear time', async () => {
    const began = Date.now();
    const findings = await hermesFindings('compaction/live-duplicates', (store) => {
      start(store);
      store.db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) INSERT INTO messages (session_id, role, content, timestamp) SELECT '${id}', 'user', 'ok', ${ts} + i * 0.3 FROM n`);
    });
    expect(findings).toEqual([]);
    expect(Date.now() - began).toBeLessThan(20_000);
  });
});
