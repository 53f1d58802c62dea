import type { StoreAdapter } from '../snapshot.ts';
import type { OpenclawSnapshot } from './types.ts';

export const openclawAdapter: StoreAdapter<OpenclawSnapshot> = {
  product: 'openclaw',
  defaults: () => [],
  recognise: () => [],
  open: () => Promise.reject(new Error('not yet')),
};
