import { hermesCases } from '../../helpers/hermes-cases.ts';
import { startSeconds as ts } from '../../helpers/hermes.ts';

hermesCases('db/orphan-rows', [
  ['messages of sessions without a row, one finding each', (store) => { store.session({ id: 'a' }); store.talk('a', 'kept', 1, ts); store.talk('gone1', 'ghost', 1, ts); store.talk('gone2', 'ghost', 1, ts); }, [{ session: 'gone1', severity: 'warning', evidence: { rows: [3, 4], messages: 2 } }, { session: 'gone2', evidence: { rows: [5, 6] } }]],
  ['usage alone', (store) => { store.db.exec("INSERT INTO session_model_usage VALUES ('gone', 'm')"); }, [{ session: 'gone', evidence: { rows: [], usageRows: 1 } }]],
  ['all have their session', (store) => { store.session({ id: 'a' }); store.talk('a', 'kept', 1, ts); store.db.exec("INSERT INTO session_model_usage VALUES ('a', 'm')"); }, []],
  ['a child whose parent session is gone is another check', (store) => { store.session({ id: 'a', parent: 'gone' }); store.talk('a', 'kept', 1, ts); }, []],
]);
