import type { StoreAdapter } from '../snapshot.ts';
import { jsonlStores, namedConfig, stateFolders } from './paths.ts';
import { openJsonl } from './snapshot.ts';
import type { OpenclawSnapshot } from './types.ts';

export const openclawAdapter: StoreAdapter<OpenclawSnapshot> = {
  product: 'openclaw',
  defaults: stateFolders,
  recognise: (path, environment) => jsonlStores(path, environment === null ? undefined : namedConfig(environment)),
  open: async (ref) => openJsonl(ref),
};
