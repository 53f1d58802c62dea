import type { StoreAdapter } from '../snapshot.ts';
import type { OpencodeSnapshot } from '../opencode/types.ts';

export const mimocodeAdapter: StoreAdapter<OpencodeSnapshot> = {
  product: 'mimocode',
  defaults: () => [],
  recognise: () => [],
  open: () => Promise.reject(new Error('not yet')),
};
