import { basename, dirname } from 'node:path';
import type { StoreReport } from '../model/finding.ts';
import { printable } from './printable.ts';

/** The database of an OpenClaw agent, which has the same name for each. */
const agentDatabase = /\/agents\/([^/]+)\/agent\/[^/]+$/;

/** What a person would call a store: `agents/main`, `opencode.db`; with its host where a report joins several. Safe to print. */
export function storeName(store: Pick<StoreReport, 'layout' | 'path' | 'host'>): string {
  const path = store.path.replace(/\/+$/, '');
  const folder = basename(path) === 'sessions' ? dirname(path) : path;
  const agent = store.layout === 'jsonl' ? basename(folder) : agentDatabase.exec(path)?.[1];
  const name = agent === undefined ? basename(path) : `agents/${agent}`;
  return printable(store.host === undefined ? name : `${store.host} ${name}`);
}
