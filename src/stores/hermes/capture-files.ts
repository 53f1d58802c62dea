import { basename, join } from 'node:path';
import { listFolder, readHead, readSmallFile, type Entry } from '../../io/files.ts';
import { digestFile } from '../../io/splice.ts';
import { inspectWal } from '../../io/wal.ts';
import { syntaxProblem } from '../../model/errors.ts';
import { isObject } from '../../model/values.ts';
import type { SiblingFile } from './types.ts';

/** What of a copy beside the store can be put together to a database. Paths are absolute. */
export type CaptureFiles = {
  /** null: it holds no database file. */
  image: string | null;
  /** A log with at least one committed frame, by its own checksums. */
  wal: string | null;
  /** Bytes of a page in that log. */
  walPageSize: number;
  /** The first 100 bytes that the database file had, where only they were kept. */
  header: Buffer | null;
  /** One sentence each, for people. */
  notes: string[];
  /** Why nothing of it can be read; null where something can be tried. */
  problem: string | null;
};

const manifestName = 'manifest.json';
const largestManifest = 1024 * 1024;

function place(entry: Entry): string {
  return entry.kind === 'link' ? `${entry.name} is a link, and links are not followed` : `${entry.name} is ${entry.kind === 'folder' ? 'a folder' : 'no regular file'}`;
}

/** What the manifest recorded of a file, against the file. */
function compared(recorded: unknown, path: string): string[] {
  if (!isObject(recorded) || typeof recorded['bytes'] !== 'number') return [];
  const { size, sha256 } = digestFile(path);
  if (recorded['bytes'] !== size) return [`${basename(path)} has ${size} bytes, its manifest recorded ${recorded['bytes']}.`];
  return typeof recorded['sha256'] === 'string' && recorded['sha256'] !== sha256 ? [`${basename(path)} is not what its manifest recorded: another sha256.`] : [];
}

/** Hermes writes the manifest last: version, and name, size and sha256 of each file (Hermes format notes §1.2). */
function manifestNotes(entries: ReadonlyMap<string, Entry>, image: string | null, wal: string | null): string[] {
  const entry = entries.get(manifestName);
  if (entry === undefined) return ['It has no manifest.'];
  if (entry.kind !== 'file') return [`${place(entry)}.`];
  let manifest: unknown;
  try {
    manifest = JSON.parse(readSmallFile(entry.path, largestManifest).toString('utf8'));
  } catch (error) {
    return [`Its manifest cannot be read: ${syntaxProblem(error)}.`];
  }
  if (!isObject(manifest)) return ['Its manifest holds no JSON object.'];
  return [
    ...(manifest['version'] === 1 ? [] : [`Its manifest is of version ${JSON.stringify(manifest['version'] ?? null)}; version 1 is known.`]),
    ...(wal === null ? [] : compared(manifest['wal'], wal)),
    ...(image === null ? [] : compared(manifest['main'], image)),
  ];
}

/** The log as SQLite would read it: kept only where something of it was committed. */
function withLog(files: CaptureFiles, wal: Entry | undefined): CaptureFiles {
  if (wal === undefined) return files;
  const unreadable = (why: string): CaptureFiles => ({ ...files, notes: [...files.notes, `${wal.name} was not read: ${why}.`], problem: files.image === null ? `${wal.name}: ${why}` : null });
  if (wal.kind !== 'file') return unreadable(place(wal));
  const facts = inspectWal(wal.path);
  if (facts.problem !== null) return unreadable(facts.problem);
  return {
    ...files,
    wal: wal.path,
    walPageSize: facts.pageSize,
    notes: [...files.notes, ...(facts.cut === null ? [] : [`${wal.name} was read up to frame ${facts.committed} of ${facts.frames}: ${facts.cut}.`])],
  };
}

const nothing: CaptureFiles = { image: null, wal: null, walPageSize: 0, header: null, notes: [], problem: null };

function inFolder(folder: string): CaptureFiles {
  const entries = new Map(listFolder(folder).map((entry) => [entry.name, entry]));
  const wal = entries.get('state.db-wal') ?? [...entries.values()].find((entry) => entry.name.endsWith('-wal'));
  const base = wal === undefined ? 'state.db' : wal.name.slice(0, -'-wal'.length);
  const image = entries.get(base);
  if (image !== undefined && image.kind !== 'file') return { ...nothing, problem: place(image) };
  if (image === undefined && wal === undefined) return { ...nothing, problem: 'it holds neither a database nor a write-ahead log' };
  const header = entries.get(`${base}.header`);
  const files = withLog({ ...nothing, image: image?.path ?? null, header: image === undefined && header?.kind === 'file' ? readHead(header.path, 100) : null }, wal);
  return { ...files, notes: [...manifestNotes(entries, image?.path ?? null, wal?.kind === 'file' ? wal.path : null), ...files.notes] };
}

/** Looks at the files of one copy, as they lie; nothing is opened as a database. Throws UnreadableError. */
export function captureFiles(sibling: SiblingFile, home: string): CaptureFiles {
  const beside = listFolder(home);
  const own = beside.find((entry) => entry.path === sibling.path);
  if (own === undefined) return { ...nothing, problem: 'it is not there any more' };
  if (own.kind === 'folder') {
    const files = inFolder(own.path);
    return sibling.complete ? files : { ...files, notes: ['Its writing was not finished.', ...files.notes] };
  }
  if (own.kind !== 'file') return { ...nothing, problem: place(own) };
  const files = withLog({ ...nothing, image: own.path }, beside.find((entry) => entry.path === `${join(home, own.name)}-wal`));
  return sibling.complete ? files : { ...files, notes: ['Its writing was not finished.', ...files.notes] };
}
