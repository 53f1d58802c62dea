import type { SideFile, TranscriptKind } from './types.ts';

/** What a file name says; `other` are files that are no transcript. */
export type FileName =
  | { class: 'transcript'; kind: TranscriptKind; baseId: string; sessionId: string; topic: string | null; archivedAt: number | null; generation: string | null; compressed: boolean }
  | { class: 'trajectory'; sessionId: string }
  | { class: 'lock'; guards: string }
  | { class: 'index' }
  | { class: 'other'; kind: SideFile['kind'] };

const archiveEnd = /\.jsonl\.(reset|deleted|bak)\.(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d(?:\.\d{1,9})?)Z(?:\.([0-9a-f]{32}))?$/;
const repairBackupEnd = /\.jsonl\.bak-\d+-(\d+)$/;
/** Forks, branches of a checkpoint and transcripts begun by a compaction: `<time>_<session>` (read in 2026.7.1-2). */
const stampedStart = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_(?=.)/;
const checkpointEnd = /\.checkpoint\.[0-9a-f-]{36}$/i;

function decodeTopic(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function transcript(kind: TranscriptKind, baseId: string, archivedAt: number | null, generation: string | null, compressed: boolean): FileName {
  const copy = checkpointEnd.exec(baseId);
  const whole = copy ? baseId.slice(0, copy.index) : baseId;
  const at = whole.lastIndexOf('-topic-');
  const sessionId = (at > 0 ? whole.slice(0, at) : whole).replace(stampedStart, '');
  const topic = at > 0 ? decodeTopic(whole.slice(at + '-topic-'.length)) : null;
  return { class: 'transcript', kind: copy ? 'checkpoint' : kind, baseId: whole, sessionId, topic, archivedAt, generation, compressed };
}

/** Classifies the name of a file in a sessions folder (format notes §1.2, §1.3). The archive mark is looked for from the right. */
export function classifyName(name: string): FileName {
  if (name === 'sessions.json') return { class: 'index' };
  if (name.endsWith('.lock')) return { class: 'lock', guards: name.slice(0, -'.lock'.length) };
  if (/^sessions\.json\.bak(\.\d+)?$/.test(name)) return { class: 'other', kind: 'index-backup' };
  if (name.endsWith('.tmp') || name.startsWith('.fs-safe-replace.')) return { class: 'other', kind: 'temp' };
  if (name.endsWith('.trajectory-path.json')) return { class: 'other', kind: 'trajectory-pointer' };
  if (/\.migrated\.[0-9a-f]{64}\./.test(name) || /\.imported-\d+$/.test(name)) return { class: 'other', kind: 'migrated' };
  const compressed = name.endsWith('.zst');
  const plain = compressed ? name.slice(0, -'.zst'.length) : name;
  const archive = archiveEnd.exec(plain);
  if (archive) {
    const baseId = plain.slice(0, archive.index);
    if (baseId.endsWith('.trajectory')) return { class: 'other', kind: 'unknown' };
    const [, kind, day, hour, minute, second, generation] = archive;
    const at = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
    return transcript(kind === 'reset' ? 'reset' : kind === 'deleted' ? 'deleted' : 'bak', baseId, Number.isNaN(at) ? null : at, generation ?? null, compressed);
  }
  const backup = repairBackupEnd.exec(plain);
  if (backup) return transcript('repair-backup', plain.slice(0, backup.index), Number(backup[1]), null, compressed);
  const corrupt = plain.indexOf('.jsonl.corrupt-');
  if (corrupt > 0) return transcript('corrupt-copy', plain.slice(0, corrupt), null, null, compressed);
  if (/\.corrupt-/.test(plain)) return { class: 'other', kind: 'quarantine' };
  if (!plain.endsWith('.jsonl') || compressed) return { class: 'other', kind: 'unknown' };
  const baseId = plain.slice(0, -'.jsonl'.length);
  if (baseId.endsWith('.trajectory')) return { class: 'trajectory', sessionId: baseId.slice(0, -'.trajectory'.length).replace(stampedStart, '') };
  if (baseId === '') return { class: 'other', kind: 'unknown' };
  return transcript('live', baseId, null, null, false);
}

/** The last part of a path as any system writes it: entries hold absolute paths of the host that wrote them. */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
