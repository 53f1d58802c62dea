import type { StoreAdapter } from '../snapshot.ts';
import type { HermesSnapshot } from './types.ts';

export const hermesAdapter: StoreAdapter<HermesSnapshot> = {
  product: 'hermes',
  defaults: () => [],
  recognise: () => [],
  open: () => Promise.reject(new Error('not yet')),
};
