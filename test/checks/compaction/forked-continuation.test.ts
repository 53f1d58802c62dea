import { hermesCases } from '../../helpers/hermes-cases.ts';
import { startSeconds as ts, type HermesStore, type SessionSpec } from '../../helpers/hermes.ts';

const family = (store: HermesStore, ...children: Partial<SessionSpec>[]): void => {
  store.session({ id: 'p', started: ts, ended: ts + 100, reason: 'compression' });
  for (const [n, child] of children.entries()) store.session({ id: `c${n}`, parent: 'p', started: ts + 100 + n * 30, ...child });
};
const marker = (name: string, parent = 'p'): string => JSON.stringify({ [name]: parent });

hermesCases('compaction/forked-continuation', [
  ['two continuations', (store) => family(store, {}, {}), [{ session: 'p', severity: 'warning', evidence: { children: ['c0', 'c1'] } }]],
  ['three, one of them ended', (store) => family(store, { ended: ts + 500, reason: 'agent_close' }, {}, {}), [{ evidence: { children: ['c0', 'c1', 'c2'] } }]],
  ['markers inherited from a grandparent count for nothing', (store) => family(store, { config: marker('_branched_from', 'gone') }, { config: marker('_delegate_from', 'gone') }), [{ evidence: { children: ['c0', 'c1'] } }]],
  ['one continuation', (store) => family(store, {}), []],
  ['a subagent beside it', (store) => family(store, {}, { source: 'subagent', config: marker('_delegate_from') }), []],
  ['a subagent of an old build, without marker', (store) => family(store, {}, { source: 'subagent' }), []],
  ['a branch, a reset and a tool beside it', (store) => family(store, {}, { config: marker('_branched_from') }, { config: marker('_reset_from') }, { source: 'tool' }), []],
  ['a child that began before the compression', (store) => family(store, {}, { started: ts + 20 }), []],
  ['a ghost that the product swept', (store) => family(store, {}, { ended: ts + 900, reason: 'orphaned_compression' }), []],
  ['children of a parent that was reset', (store) => { store.session({ id: 'p', ended: ts + 100, reason: 'daily' }); for (const c of ['c0', 'c1']) store.session({ id: c, parent: 'p', started: ts + 200 }); }, []],
]);
