import { hermesCases } from '../../helpers/hermes-cases.ts';
import { startSeconds as ts, type HermesStore, type SessionSpec } from '../../helpers/hermes.ts';

const closed = (store: HermesStore, child?: Partial<SessionSpec>, reason = 'compression'): void => {
  store.session({ id: 'p', started: ts, ended: ts + 100, reason });
  if (child) store.session({ id: 'c', parent: 'p', started: ts + 100, ...child });
};
const now = Date.parse('2026-12-01T12:00:00Z') / 1000;

hermesCases('compaction/orphaned-end', [
  ['nothing continues it', (store) => closed(store), [{ session: 'p', severity: 'error', fix: { id: 'clear-end-stamp', class: 'judgement' } }]],
  ['only a subagent and a branch', (store) => { closed(store, { source: 'subagent', config: '{"_delegate_from":"p"}' }); store.session({ id: 'b', parent: 'p', config: '{"_branched_from":"p"}' }); }, [{ session: 'p' }]],
  ['the lock ran out', (store) => { closed(store); store.lock('p', ts + 400); }, [{ session: 'p' }]],
  ['its continuation is there', (store) => closed(store, {}), []],
  ['its continuation has ended', (store) => closed(store, { ended: ts + 900, reason: 'daily' }), []],
  ['a compression is still at work', (store) => { closed(store); store.lock('p', now + 200); }, []],
  ['swept by the product', (store) => closed(store, undefined, 'orphaned_compression'), []],
  ['branched', (store) => closed(store, { config: '{"_branched_from":"p"}' }, 'branched'), []],
]);
