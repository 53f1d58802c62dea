import { hermesCases } from '../../helpers/hermes-cases.ts';

hermesCases('session/parent-cycle', [
  ['a ring of two, and a child that hangs on it', (store) => { store.session({ id: 'b', parent: 'a' }); store.session({ id: 'a', parent: 'b' }); store.session({ id: 'c', parent: 'a' }); }, [{ session: 'a', severity: 'warning', evidence: { members: ['a', 'b'] } }]],
  ['its own parent', (store) => void store.session({ id: 'a', parent: 'a' }), [{ session: 'a', evidence: { members: ['a'] } }]],
  ['two rings', (store) => { for (const [id, parent] of [['a', 'b'], ['b', 'c'], ['c', 'a'], ['x', 'y'], ['y', 'x']] as const) store.session({ id, parent }); }, [{ session: 'a', evidence: { members: ['a', 'b', 'c'] } }, { session: 'x', evidence: { members: ['x', 'y'] } }]],
  ['a chain of two thousand', (store) => { for (let i = 0; i < 2000; i++) store.session({ id: `s${String(i).padStart(4, '0')}`, ...(i > 0 ? { parent: `s${String(i - 1).padStart(4, '0')}` } : {}) }); }, []],
]);
