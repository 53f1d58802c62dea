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
    return [...jsonlStores(path, config), ...sqliteStores(path, config)];
  },
  open: async (ref, options) => (ref.layout === 'sqlite' ? openSqlite(ref, options) : openJsonl(ref)),
};
