import type { ReadError } from '../model/finding.ts';
import { productNames, type Product } from '../model/product.ts';
import { count, printable, wrap } from './printable.ts';
import { styleFor, type TextOptions } from './style.ts';

/** What a renderer needs of one store. */
export type StoreLine = {
  product: Product;
  layout: string;
  path: string;
  label: string;
  home: string;
  reader: string;
  readerSource: string;
  readAs: string;
  sessions: number;
  bytes: number;
  schema: { version: string | null; newer: boolean } | null;
  databases: { path: string; fileBytes: number; walBytes: number; damage: string | null }[];
  holders: { pid: number; command: string | null; path: string; how: string }[];
};

/** `812 B`, `49 kB`, `1.4 GB`: powers of 1000, two digits at least. */
export function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

function readAsText(store: StoreLine): string {
  switch (store.readAs) {
    case 'files':
      return 'its files, one pass';
    case 'in-place':
      return 'where it lies, in one read transaction';
    default:
      return 'a private copy with its WAL';
  }
}

const howText: Record<string, string> = { 'open file': 'open', 'lock file': 'as its lock', 'gateway lock': 'as its configuration' };

/** The stores that were recognised, as text for people. */
export function renderStores(stores: readonly StoreLine[], errors: readonly ReadError[], places: readonly string[], options: TextOptions): string {
  const style = styleFor(options.color);
  const out: string[] = [];
  for (const store of stores) {
    const schema = store.schema?.version == null ? '' : `, schema ${store.schema.version}${store.schema.newer ? ' (newer than what is known)' : ''}`;
    out.push(style.strong(`${store.product}  ${printable(store.label)}  ${store.layout.toUpperCase()}`));
    out.push(`  path      ${printable(store.path)}`);
    out.push(`  holds     ${count(store.sessions, 'session')}, ${sizeText(store.bytes)}${printable(schema)}`);
    for (const { walBytes, damage } of store.databases) {
      if (walBytes > 0) out.push(`  WAL       ${sizeText(walBytes)}`);
      if (damage !== null) out.push(...wrap(printable(damage), options.width - 12).map((line, index) => `${index === 0 ? `  ${style.error('damage')}    ` : '            '}${line}`));
    }
    const version = store.reader.slice(store.reader.indexOf('@') + 1);
    out.push(`  reader    ${store.readerSource === 'unknown' ? `unknown: name it with --reader ${store.product}@VERSION` : `${productNames[store.product]} ${printable(version)} (${store.readerSource === 'option' ? 'from --reader' : 'the newest that the store records'})`}`);
    out.push(`  read as   ${readAsText(store)}`);
    const pids = new Map<number, (typeof store.holders)[number]>();
    for (const holder of store.holders) if (!pids.has(holder.pid)) pids.set(holder.pid, holder);
    if (pids.size === 0) out.push('  in use    by nobody that can be seen from here');
    for (const { pid, command, path, how } of pids.values()) out.push(`  in use    ${style.warning(`process ${pid}${command === null ? '' : ` (${printable(command)})`}`)} has ${printable(path.slice(path.lastIndexOf('/') + 1))} ${howText[how] ?? 'open'}`);
    out.push('');
  }
  for (const error of errors) out.push(...wrap(printable(`UNREAD  ${error.message}`), options.width));
  if (stores.length === 0 && errors.length === 0) {
    out.push('No session store was found. These places were looked at:', ...places.map((place) => `  ${printable(place)}`), 'Name a state folder, a database or a transcript: sessionfsck stores PATH');
  }
  return `${out.join('\n').trimEnd()}\n`;
}
