import { hermesCases } from '../../helpers/hermes-cases.ts';
import { startSeconds as ts, type HermesStore } from '../../helpers/hermes.ts';

const shape = { searchIndex: true };
const talk = (store: HermesStore): void => {
  store.session({ id: 'a' });
  store.talk('a', 'boat', 3, ts);
};
const deep = { shape, scan: { deep: true } };
hermesCases('db/search-drift', [
  ['rows that are not indexed', (store) => { talk(store); store.db.exec('DELETE FROM messages_fts WHERE rowid IN (2, 3)'); }, [{ severity: 'info', evidence: { rowsMissing: 2, rowsExtra: 0 } }], { shape }],
  ['entries without a row', (store) => { talk(store); store.db.exec("INSERT INTO messages_fts(rowid, content) VALUES (99, 'x')"); }, [{ evidence: { rowsMissing: 0, rowsExtra: 1 } }], { shape }],
  ['equal counts, other rows: only the deep scan sees it', (store) => { talk(store); store.db.exec("DELETE FROM messages_fts WHERE rowid = 2; INSERT INTO messages_fts(rowid, content) VALUES (99, 'x')"); }, [{ evidence: { rowsMissing: 1, rowsExtra: 1 } }], deep],
  ['an external index that says other words', (store) => {
    talk(store);
    store.db.exec("CREATE VIRTUAL TABLE messages_fts USING fts5(content, content='messages', content_rowid='id'); INSERT INTO messages_fts(messages_fts) VALUES ('rebuild'); UPDATE messages SET content = 'other' WHERE id = 2");
  }, [{ evidence: { strict: true, rowsMissing: 0 } }], { scan: { deep: true } }],
  ['in step', talk, [], { shape }],
  ['in step, deep', talk, [], deep],
  ['a rebuild is pending', (store) => { talk(store); store.db.exec("DELETE FROM messages_fts WHERE rowid = 2; INSERT INTO state_meta VALUES ('fts_stale', '1')"); }, [], { shape }],
  ['no search index', talk, []],
]);
