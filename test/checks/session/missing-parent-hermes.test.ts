import { hermesCases } from '../../helpers/hermes-cases.ts';

hermesCases('session/missing-parent', [
  ['the parent has no row', (store) => { store.session({ id: 'a', parent: 'gone' }); store.session({ id: 'b', parent: 'gone' }); }, [{ session: 'a', severity: 'warning', evidence: { missing: 'gone' }, fix: { id: 'null-missing-parent', class: 'safe' } }, { session: 'b' }]],
  ['the parent is there', (store) => { store.session({ id: 'a' }); store.session({ id: 'b', parent: 'a' }); }, []],
]);
