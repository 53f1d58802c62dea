import { join } from 'node:path';
import { kindOf, listFolder, type Entry } from '../../io/files.ts';
import { fileState } from '../../io/files.ts';
import type { SiblingFile, SiblingKind } from './types.ts';

/** Hermes format notes §1.2. Sidecars of a copy (`-wal`, `-shm`) belong to it and are not named again. */
const patterns: [RegExp, SiblingKind, boolean][] = [
  [/^state\.db\.(zeroed|notadb)-.*\.bak$/, 'quarantined', true],
  [/^state\.db\.retired-wal-.*\.partial$/, 'retired-wal', false],
  [/^state\.db\.retired-wal-/, 'retired-wal', true],
  [/^state\.db\.malformed-backup-.*\.incomplete/, 'malformed-backup', false],
  [/^state\.db\.malformed-backup-\d{8}_\d{6}(_\d+)?$/, 'malformed-backup', true],
  [/^state\.db\.corrupt-.*(?<!-wal|-shm|-journal)$/, 'corrupt-copy', true],
];

function bytesOf(entry: Entry): number {
  if (entry.kind === 'folder') return listFolder(entry.path).reduce((sum, inner) => sum + (inner.kind === 'file' ? (fileState(inner.path)?.size ?? 0) : 0), 0);
  return fileState(entry.path)?.size ?? 0;
}

/** Files and folders beside the database, and transcripts that were diverted because it refused writes. Links are not followed. Throws UnreadableError. */
export function readSiblings(home: string): SiblingFile[] {
  const found: SiblingFile[] = [];
  if (kindOf(home) !== 'folder') return found;
  for (const entry of listFolder(home)) {
    if (entry.kind !== 'file' && entry.kind !== 'folder') continue;
    const match = patterns.find(([pattern]) => pattern.test(entry.name));
    if (match) found.push({ path: entry.path, name: entry.name, kind: match[1], bytes: bytesOf(entry), complete: match[2] });
    else if (entry.name === 'pending_messages' && entry.kind === 'folder') {
      const inner = listFolder(entry.path).filter((file) => file.kind === 'file');
      if (inner.length > 0) found.push({ path: entry.path, name: entry.name, kind: 'spool', bytes: bytesOf(entry), complete: true });
    }
  }
  const sessions = join(home, 'sessions');
  if (kindOf(sessions) === 'folder') {
    for (const entry of listFolder(sessions)) {
      if (entry.kind === 'file' && /^[^.].*\.jsonl$/.test(entry.name)) found.push({ path: entry.path, name: `sessions/${entry.name}`, kind: 'diverted-transcript', bytes: bytesOf(entry), complete: true });
    }
  }
  return found;
}
