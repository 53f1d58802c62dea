import { basename, dirname } from 'node:path';
import type { StoreReport } from '../model/finding.ts';
import { printable } from './printable.ts';

/** What a person would call a store: `agents/main`, `opencode.db`; with its host where a report joins several. Safe to print. */
export function storeName(store: Pick<StoreReport, 'layout' | 'path' | 'host'>): string {
  const path = store.path.replace(/\/+$/, '');
  const folder = basename(path) === 'sessions' ? dirname(path) : path;
  const name = store.layout === 'jsonl' ? `agents/${basename(folder)}` : basename(path);
  return printable(store.host === undefined ? name : `${store.host} ${name}`);
}
