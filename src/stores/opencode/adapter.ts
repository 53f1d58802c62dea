import type { StoreAdapter } from '../snapshot.ts';
import type { OpencodeSnapshot } from './types.ts';

export const opencodeAdapter: StoreAdapter<OpencodeSnapshot> = {
  product: 'opencode',
  defaults: () => [],
  recognise: () => [],
  open: () => Promise.reject(new Error('not yet')),
};
