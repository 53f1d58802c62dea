import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep, basename } from 'node:path';
import { attributesOf, type Attributes } from '../io/atomic.ts';
import { jsonSplices } from '../io/json-edit.ts';
import { forEachLine } from '../io/lines.ts';
import { digester, digestFile, orderSplices, sha256Of, spliceFile, withFile, type Digest, type Splice } from '../io/splice.ts';
import { readSmallFile } from '../io/files.ts';
import { RefusedError, errorCode } from '../model/errors.ts';
import { pathsOf, type Action } from '../model/step.ts';
import { readSync } from 'node:fs';

export type FileAction = Exclude<Action, { database: string }>;

/** Where the new bytes of a file come from. */
export type Source =
  | { from: 'splices'; splices: Splice[] }
  | { from: 'bytes'; bytes: Buffer }
  /** Byte ranges of another file, as it is before anything is written. */
  | { from: 'ranges'; path: string; ranges: { offset: number; length: number }[] };

/** What one file was or will be; null: no such file. */
export type FileImage = Digest & { attributes: Attributes };

export type FileChange = {
  path: string;
  before: FileImage | null;
  after: FileImage | null;
  /** null: the file goes away, or comes by renaming. */
  source: Source | null;
  /** Set on the file that gets the bytes of `renamedFrom` by renaming. */
  renamedFrom?: string;
  renamedTo?: string;
};

const again = 'the store changed since the plan, or the plan was edited: make a new plan';

/** What a file is now. */
export function imageNow(path: string): FileImage {
  return { ...digestFile(path), attributes: attributesOf(path) };
}

function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return false;
    throw error;
  }
}

/** Refuses paths outside the store's home, links, and files with other names. A plan is a file that anybody may have edited. */
export function requireInside(path: string, home: string): void {
  let folder: string;
  let root: string;
  try {
    folder = realpathSync(dirname(path));
    root = realpathSync(home);
  } catch {
    throw new RefusedError(`${dirname(path)} does not exist`, again);
  }
  const inner = relative(root, join(folder, basename(path)));
  if (inner === '' || inner === '..' || inner.startsWith(`..${sep}`)) throw new RefusedError(`${path} lies outside the store (${home})`, 'the plan was edited, or a link leads out of the store');
  if (!exists(path)) return;
  const stats = lstatSync(path);
  if (!stats.isFile()) throw new RefusedError(`${path} is not a plain file`, 'links and folders are never replaced');
  if (stats.nlink > 1) throw new RefusedError(`${path} has ${stats.nlink} names (hard links), and replacing it would part them`, 'copy the file so that it stands alone');
}

function requireAbsent(path: string): void {
  if (exists(path)) throw new RefusedError(`${path} exists already`, again);
}

function requireDigest(path: string, sha256: string): FileImage {
  if (!exists(path)) throw new RefusedError(`${path} is not there any more`, again);
  const image = imageNow(path);
  if (image.sha256 !== sha256) throw new RefusedError(`${path} is no longer what the plan saw`, again);
  return image;
}

type LinePlace = { offset: number; bytes: number; next: number };

/** Where the wanted lines lie; `total` is how many there are. */
function findLines(path: string, wanted: ReadonlySet<number>): { places: Map<number, LinePlace>; total: number; size: number; endsWithNewline: boolean } {
  const places = new Map<number, LinePlace>();
  let total = 0;
  let endsWithNewline = true;
  const size = forEachLine(path, (line) => {
    total = line.number;
    endsWithNewline = line.terminated;
    if (wanted.has(line.number)) places.set(line.number, { offset: line.offset, bytes: line.bytes, next: line.offset + line.bytes + (line.terminated ? 1 : 0) });
  });
  return { places, total, size, endsWithNewline };
}

function readBytes(path: string, offset: number, length: number): Buffer {
  return withFile(path, (fd) => {
    const buffer = Buffer.alloc(length);
    let done = 0;
    while (done < length) {
      const count = readSync(fd, buffer, done, length - done, offset + done);
      if (count === 0) break;
      done += count;
    }
    return buffer.subarray(0, done);
  });
}

/** Turns the actions on files into what each file was and will be, with all preconditions checked. Throws RefusedError; writes nothing. */
export function planFileChanges(actions: readonly FileAction[], home: string): FileChange[] {
  for (const action of actions) for (const path of pathsOf(action)) requireInside(path, home);
  const splices = new Map<string, Splice[]>();
  const changes = new Map<string, FileChange>();
  const claim = (change: FileChange): void => {
    if (changes.has(change.path) || splices.has(change.path)) throw new RefusedError(`two steps change ${change.path} as a whole`, 'apply one of them with --step, then plan again');
    changes.set(change.path, change);
  };
  const addSplices = (path: string, more: readonly Splice[]): void => {
    if (changes.has(path)) throw new RefusedError(`two steps change ${path} as a whole`, 'apply one of them with --step, then plan again');
    splices.set(path, [...(splices.get(path) ?? []), ...more]);
  };
  for (const [path, lineActions] of groupLines(actions)) planLines(path, lineActions, addSplices, claim);
  for (const [path, edits] of groupJson(actions)) {
    if (!exists(path)) throw new RefusedError(`${path} is not there any more`, again);
    addSplices(path, jsonSplices(readSmallFile(path).toString('latin1'), edits, path));
  }
  for (const action of actions) {
    switch (action.kind) {
      case 'rename-file': {
        requireAbsent(action.to);
        const before = requireDigest(action.path, action.sha256);
        claim({ path: action.path, before, after: null, source: null, renamedTo: action.to });
        claim({ path: action.to, before: null, after: before, source: null, renamedFrom: action.path });
        break;
      }
      case 'create-file':
        requireAbsent(action.path);
        claim({ path: action.path, before: null, after: freshImage(Buffer.from(action.content, 'utf8'), action.mode, action.path), source: { from: 'bytes', bytes: Buffer.from(action.content, 'utf8') } });
        break;
      case 'replace-file': {
        const before = requireDigest(action.path, action.sha256);
        const bytes = Buffer.from(action.content, 'utf8');
        if (action.sidecar !== undefined) {
          requireAbsent(action.sidecar);
          claim({ path: action.sidecar, before: null, after: { ...before, attributes: { ...written(before), mode: 0o600 } }, source: { from: 'ranges', path: action.path, ranges: [{ offset: 0, length: before.size }] } });
        }
        claim({ path: action.path, before, after: { attributes: written(before), sha256: sha256Of(bytes), size: bytes.length }, source: { from: 'bytes', bytes } });
        break;
      }
      case 'retire-file':
        claim({ path: action.path, before: requireDigest(action.path, action.sha256), after: null, source: null });
        break;
      default:
        break;
    }
  }
  for (const [path, parts] of splices) {
    const before = imageNow(path);
    const ordered = orderSplices(parts);
    const { sink, result } = digester();
    spliceFile(path, ordered, sink);
    changes.set(path, { path, before, after: { ...result(), attributes: written(before) }, source: { from: 'splices', splices: ordered } });
  }
  return [...changes.values()];
}

/** Owner and mode stay; the times are those of the writing, so that readers that watch them notice. */
function written(before: FileImage): Attributes {
  return { ...before.attributes, atime: null, mtime: null };
}

function freshImage(bytes: Buffer, mode: number, path: string): FileImage {
  const owner = lstatSync(dirname(path));
  return { sha256: sha256Of(bytes), size: bytes.length, attributes: { mode, uid: owner.uid, gid: owner.gid, atime: null, mtime: null } };
}

type LineAction = Extract<FileAction, { line: number }>;

function groupLines(actions: readonly FileAction[]): Map<string, LineAction[]> {
  const groups = new Map<string, LineAction[]>();
  for (const action of actions) {
    if (action.kind === 'edit-json-line' || action.kind === 'remove-lines' || action.kind === 'insert-lines') groups.set(action.path, [...(groups.get(action.path) ?? []), action]);
  }
  return groups;
}

function groupJson(actions: readonly FileAction[]): Map<string, Extract<FileAction, { kind: 'edit-json-file' }>['edits']> {
  const groups = new Map<string, Extract<FileAction, { kind: 'edit-json-file' }>['edits']>();
  for (const action of actions) if (action.kind === 'edit-json-file') groups.set(action.path, [...(groups.get(action.path) ?? []), ...action.edits]);
  return groups;
}

/** Line numbers are those of the file as it is; all changes of one file are made in one pass. */
function planLines(path: string, actions: readonly LineAction[], addSplices: (path: string, splices: Splice[]) => void, claim: (change: FileChange) => void): void {
  if (!exists(path)) throw new RefusedError(`${path} is not there any more`, again);
  const wanted = new Set(actions.flatMap((action) => (action.kind === 'remove-lines' ? [action.line, action.line + action.count - 1] : [action.line])));
  const { places, total, size, endsWithNewline } = findLines(path, wanted);
  const place = (line: number): LinePlace => {
    const found = places.get(line);
    if (!found) throw new RefusedError(`${path} has no line ${line} any more`, again);
    return found;
  };
  const moved = (line: number): never => {
    throw new RefusedError(`line ${line} of ${path} is no longer what the plan saw`, again);
  };
  const sidecars = new Map<string, { ranges: { offset: number; length: number }[] }>();
  for (const action of actions) {
    switch (action.kind) {
      case 'edit-json-line': {
        const { offset, bytes } = place(action.line);
        const line = readBytes(path, offset, bytes);
        if (sha256Of(line) !== action.sha256) moved(action.line);
        addSplices(path, jsonSplices(line.toString('latin1'), action.edits, `line ${action.line} of ${path}`).map((splice) => ({ ...splice, offset: splice.offset + offset })));
        break;
      }
      case 'insert-lines': {
        if (action.lines.some((line) => line.includes('\n'))) throw new RefusedError('an inserted line holds a newline', again);
        const atEnd = action.line === total + 1;
        const offset = atEnd ? size : place(action.line).offset;
        const text = action.lines.map((line) => `${line}\n`).join('');
        addSplices(path, [{ offset, length: 0, bytes: Buffer.from(atEnd && !endsWithNewline ? `\n${text.slice(0, -1)}` : text, 'utf8') }]);
        break;
      }
      case 'remove-lines': {
        const { offset } = place(action.line);
        const length = place(action.line + action.count - 1).next - offset;
        const { sink, result } = digester();
        withFile(path, (fd) => {
          let left = length;
          const buffer = Buffer.alloc(Math.min(length, 1024 * 1024) || 1);
          while (left > 0) {
            const count = readSync(fd, buffer, 0, Math.min(buffer.length, left), offset + length - left);
            if (count === 0) break;
            sink(buffer.subarray(0, count));
            left -= count;
          }
        });
        if (result().sha256 !== action.sha256) moved(action.line);
        addSplices(path, [{ offset, length, bytes: Buffer.alloc(0) }]);
        const sidecar = sidecars.get(action.sidecar) ?? { ranges: [] };
        sidecar.ranges.push({ offset, length });
        sidecars.set(action.sidecar, sidecar);
        break;
      }
    }
  }
  for (const [sidecar, { ranges }] of sidecars) {
    requireAbsent(sidecar);
    ranges.sort((a, b) => a.offset - b.offset);
    const source: Source = { from: 'ranges', path, ranges };
    const { sink, result } = digester();
    produce(source, sidecar, sink);
    claim({ path: sidecar, before: null, after: { ...result(), attributes: { ...attributesOf(path), mode: 0o600, atime: null, mtime: null } }, source });
  }
}

/** Sends the new bytes of a file to a sink. */
export function produce(source: Source, path: string, sink: (bytes: Buffer) => void): void {
  switch (source.from) {
    case 'bytes':
      sink(source.bytes);
      break;
    case 'splices':
      spliceFile(path, source.splices, sink);
      break;
    case 'ranges':
      for (const { offset, length } of source.ranges) sink(readBytes(source.path, offset, length));
      break;
  }
}
