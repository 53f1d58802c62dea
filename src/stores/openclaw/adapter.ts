import type { StoreAdapter } from '../snapshot.ts';
import { jsonlStores, namedConfig, stateFolders } from './paths.ts';
import { openJsonl } from './snapshot.ts';
import { sqliteStores } from './sqlite/paths.ts';
import { openSqlite } from './sqlite/snapshot.ts';
import type { OpenclawSnapshot } from './types.ts';

export const openclawAdapter: StoreAdapter<OpenclawSnapshot> = {
  product: 'openclaw',
  defaults: stateFolders,
  recognise(path, environment) {
    const config = environment === null ? undefined : namedConfig(environment);
    const stores = sqliteStores(path, config);
    // What lies beside a database belongs to its sessions.
    return stores.some((store) => store.only !== undefined) ? stores : [...jsonlStores(path, config), ...stores];
  },
  open: async (ref, options) => (ref.layout === 'sqlite' ? openSqlite(ref, options) : openJsonl(ref, options)),
};
