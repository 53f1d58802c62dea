import { readSmallFile } from '../../io/files.ts';
import type { Json } from '../../model/finding.ts';
import type { IndexFacts, SideFile } from './types.ts';

/** An entry that could be taken out of a damaged index or an older copy of it. */
export type SalvagedEntry = { key: string; value: { [field: string]: Json }; /** Name of the file it comes from. */ from: string };

/** Index behind a JSON string that begins at `at`, or -1. */
function stringEnd(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 92) i++;
    else if (code === 34) return i + 1;
  }
  return -1;
}

/** Index behind a JSON object that begins at `at`, or -1 when it is not whole. */
function objectEnd(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 34) {
      const end = stringEnd(text, i);
      if (end === -1) return -1;
      i = end - 1;
    } else if (code === 123 || code === 91) depth++;
    else if (code === 125 || code === 93) {
      depth--;
      if (depth === 0) return i + 1;
    }
  }
  return -1;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The plain members at the beginning of an object that is cut: texts, numbers and words that a comma follows. */
function wholeMembers(text: string, at: number): { [field: string]: Json } {
  const members: { [field: string]: Json } = {};
  const member = /\s*("(?:[^"\\]|\\.)*")\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9.eE+-]+|true|false|null)\s*,/y;
  member.lastIndex = at + 1;
  for (let found = member.exec(text); found !== null; found = member.exec(text)) {
    const name = parse(found[1] ?? '');
    const value = parse(found[2] ?? '');
    if (typeof name === 'string' && value !== undefined) members[name] = value as Json;
  }
  return members;
}

/** The entries at the beginning of an index text, up to where it is damaged; of the one that is cut, what is whole of it. */
export function wholeEntries(text: string): { key: string; value: { [field: string]: Json } }[] {
  const entries: { key: string; value: { [field: string]: Json } }[] = [];
  let at = /^\ufeff?\s*\{/.exec(text)?.[0].length ?? -1;
  while (at !== -1) {
    const keyStart = /^[\s,]*(?=")/.exec(text.slice(at, at + 4096))?.[0].length;
    if (keyStart === undefined) break;
    const keyEnd = stringEnd(text, at + keyStart);
    if (keyEnd === -1) break;
    const key = parse(text.slice(at + keyStart, keyEnd));
    const colon = /^\s*:\s*(?=\{)/.exec(text.slice(keyEnd, keyEnd + 4096))?.[0].length;
    if (typeof key !== 'string' || colon === undefined) break;
    const end = objectEnd(text, keyEnd + colon);
    if (end === -1) {
      const value = wholeMembers(text, keyEnd + colon);
      if (typeof value['sessionId'] === 'string') entries.push({ key, value });
      break;
    }
    const value = parse(text.slice(keyEnd + colon, end));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) break;
    entries.push({ key, value: value as { [field: string]: Json } });
    at = end;
  }
  return entries;
}

/** Entries of the damaged index, then of its temporary files and backups, newest first; each key once. Unreadable files give none. */
export function salvageIndex(index: IndexFacts, sideFiles: readonly SideFile[]): SalvagedEntry[] {
  const copies = sideFiles.filter((file) => (file.kind === 'temp' || file.kind === 'index-backup') && file.name.startsWith('sessions.json.')).sort((a, b) => b.modifiedAt - a.modifiedAt || (a.name < b.name ? -1 : 1));
  const found = new Map<string, SalvagedEntry>();
  for (const { path, name } of [{ path: index.path, name: 'sessions.json' }, ...copies]) {
    let text: string;
    try {
      text = readSmallFile(path).toString('utf8');
    } catch {
      continue;
    }
    for (const { key, value } of wholeEntries(text)) if (!found.has(key)) found.set(key, { key, value, from: name });
  }
  return [...found.values()];
}
