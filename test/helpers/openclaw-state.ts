import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Json } from '../../src/model/finding.ts';
import type { Row } from './openclaw-transcripts.ts';
import { temporaryFolder } from './paths.ts';

export type StateSpec = {
  /** Entries by key, or the bytes of `sessions.json`; null: no such file. */
  index?: { [key: string]: Json } | string | null;
  /** Files of the sessions folder by name: rows, a text, or bytes. */
  files?: { [name: string]: readonly Row[] | string | Buffer };
  /** Files anywhere below the state folder. */
  others?: { [path: string]: string | Buffer };
  config?: string;
  agent?: string;
};

/** `5e550007-0000-4000-8000-000000000007` */
export function uuid(n: number): string {
  const two = n.toString(16).padStart(2, '0');
  return `5e5500${two}-0000-4000-8000-0000000000${two}`;
}

export const night = Date.parse('2026-07-03T00:00:00Z');
export const minute = 60_000;
export const iso = (ms: number): string => new Date(ms).toISOString();

/** Writes a state folder of the JSONL era (below `root` or a new temporary folder) and returns its path. */
export function stateFolder(spec: StateSpec, root = temporaryFolder()): string {
  const sessions = join(root, 'agents', spec.agent ?? 'main', 'sessions');
  mkdirSync(sessions, { recursive: true });
  const write = (path: string, content: string | Buffer): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  if (spec.index !== null) write(join(sessions, 'sessions.json'), typeof spec.index === 'string' ? spec.index : JSON.stringify(spec.index ?? {}));
  for (const [name, content] of Object.entries(spec.files ?? {})) {
    write(join(sessions, name), typeof content === 'string' || Buffer.isBuffer(content) ? content : content.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
  if (spec.config !== undefined) write(join(root, 'openclaw.json'), spec.config);
  for (const [path, content] of Object.entries(spec.others ?? {})) write(join(root, path), content);
  return root;
}

/** A header, then one user row an item: a channel message id (or several, coalesced) makes an ambient row, a text its content, an object itself. */
export function ambientTranscript(id: string, start: number, items: readonly (number | number[] | string | Row)[], prefix = 'a'): Row[] {
  const rows: Row[] = [{ type: 'session', version: 3, id, timestamp: iso(start), cwd: '/srv/claw-ws' }];
  let parentId: string | null = null;
  for (const [at, item] of items.entries()) {
    const time = start + (at + 1) * minute;
    const rowId = prefix + at.toString(16).padStart(7, '0');
    const row: Row = { type: 'message', id: rowId, parentId, timestamp: iso(time) };
    if (typeof item === 'object' && !Array.isArray(item)) Object.assign(row, item);
    else row.message = { role: 'user', content: typeof item === 'string' ? item : [item].flat().map((number) => `#${number} mira: tide ${number}`).join('\n'), timestamp: time - 60 };
    rows.push(row);
    parentId = String(row.id);
  }
  return rows;
}

/** The numbers from `first` to `last`. */
export function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
