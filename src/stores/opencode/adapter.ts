import type { StoreAdapter } from '../snapshot.ts';
import { defaultPaths } from './places.ts';
import { opencodeFamily, type Family } from './product.ts';
import { recogniseFamily } from './recognise.ts';
import { openSnapshot } from './snapshot.ts';
import type { OpencodeSnapshot } from './types.ts';

/** The adapter of one product of the family; both read the same tables. */
export function adapterFor(family: Family): StoreAdapter<OpencodeSnapshot> {
  return {
    product: family.product,
    defaults: (environment) => defaultPaths(family, environment),
    recognise: (path) => recogniseFamily(family, path),
    open: openSnapshot,
  };
}

export const opencodeAdapter: StoreAdapter<OpencodeSnapshot> = adapterFor(opencodeFamily);
