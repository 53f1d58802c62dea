import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Attributes } from '../io/atomic.ts';
import { readSmallFile } from '../io/files.ts';
import { jsonSplices } from '../io/json-edit.ts';
import { orderSplices, type Splice } from '../io/splice.ts';
import { RefusedError } from '../model/errors.ts';
import { pathsOf, type Action } from '../model/step.ts';
import { imageNow, requireAbsent, requireDigest, requirePresent, type FileImage } from './file-image.ts';
import { digestOf, type Source } from './file-source.ts';
import { requireInside } from './inside.ts';
import { planLines, type LineAction } from './line-changes.ts';
import { planAgain } from './advice.ts';

export type FileAction = Exclude<Action, { database: string }>;

export type FileChange = {
  path: string;
  /** null: no such file. */
  before: FileImage | null;
  after: FileImage | null;
  /** null: the file goes away, or comes by renaming. */
  source: Source | null;
  /** Set on the file that gets the bytes of `renamedFrom` by renaming. */
  renamedFrom?: string;
  renamedTo?: string;
};

/** Turns the actions on files into what each file was and will be, with all preconditions checked. Throws RefusedError; writes nothing. */
export function planFileChanges(actions: readonly FileAction[], home: string): FileChange[] {
  for (const action of actions) for (const path of pathsOf(action)) requireInside(path, home);
  const splices = new Map<string, Splice[]>();
  const changes = new Map<string, FileChange>();
  const requireFree = (path: string, taken: boolean): void => {
    if (taken) throw new RefusedError(`two steps change ${path} as a whole`, 'apply one of them with --step, then plan again');
  };
  const claim = (change: FileChange): void => {
    requireFree(change.path, changes.has(change.path) || splices.has(change.path));
    changes.set(change.path, change);
  };
  const addSplices = (path: string, more: readonly Splice[]): void => {
    requireFree(path, changes.has(path));
    splices.set(path, [...(splices.get(path) ?? []), ...more]);
  };
  for (const [path, lineActions] of groupByPath(actions, isLineAction)) {
    const planned = planLines(path, lineActions);
    addSplices(path, planned.splices);
    for (const sidecar of planned.sidecars) claim(sidecar);
  }
  for (const [path, edits] of groupByPath(actions, isJsonAction)) {
    requirePresent(path);
    addSplices(path, jsonSplices(readSmallFile(path).toString('latin1'), edits.flatMap((action) => action.edits), path));
  }
  for (const action of actions) for (const change of wholeChanges(action)) claim(change);
  for (const [path, parts] of splices) {
    const before = imageNow(path);
    const source: Source = { from: 'splices', splices: orderSplices(parts, path) };
    changes.set(path, { path, before, after: { ...digestOf(source, path), attributes: written(before) }, source });
  }
  return [...changes.values()];
}

/** What an action does to files as a whole; nothing where it changes one in parts. */
function wholeChanges(action: FileAction): FileChange[] {
  switch (action.kind) {
    case 'rename-file': {
      requireAbsent(action.to);
      const before = requireDigest(action.path, action.sha256);
      return [
        { path: action.path, before, after: null, source: null, renamedTo: action.to },
        { path: action.to, before: null, after: before, source: null, renamedFrom: action.path },
      ];
    }
    case 'create-file': {
      requireAbsent(action.path);
      const owner = lstatSync(dirname(action.path));
      return [withBytes(action.path, action.content, null, { mode: action.mode, uid: owner.uid, gid: owner.gid, atime: null, mtime: null })];
    }
    case 'replace-file': {
      const before = requireDigest(action.path, action.sha256);
      const change = withBytes(action.path, action.content, before, written(before));
      return action.sidecar === undefined ? [change] : [keptBeside(action.path, action.sidecar, before), change];
    }
    case 'mirror-rows':
      throw new RefusedError(`${action.path} was to be written from rows that were not read`, planAgain);
    case 'retire-file':
      return [{ path: action.path, before: requireDigest(action.path, action.sha256), after: null, source: null }];
    case 'edit-json-file':
    case 'edit-json-line':
    case 'remove-lines':
    case 'insert-lines':
      return [];
  }
}

function withBytes(path: string, content: string, before: FileImage | null, attributes: Attributes): FileChange {
  const source: Source = { from: 'bytes', bytes: Buffer.from(content, 'utf8') };
  return { path, before, after: { ...digestOf(source, path), attributes }, source };
}

/** The old bytes of a file that is written anew, under another name. */
function keptBeside(path: string, sidecar: string, before: FileImage): FileChange {
  requireAbsent(sidecar);
  return { path: sidecar, before: null, after: { ...before, attributes: { ...written(before), mode: 0o600 } }, source: { from: 'ranges', path, ranges: [{ offset: 0, length: before.size }] } };
}

/** Owner and mode stay; the times are those of the writing, so that readers that watch them notice. */
function written(before: FileImage): Attributes {
  return { ...before.attributes, atime: null, mtime: null };
}

function isLineAction(action: FileAction): action is LineAction {
  return action.kind === 'edit-json-line' || action.kind === 'remove-lines' || action.kind === 'insert-lines';
}

function isJsonAction(action: FileAction): action is Extract<FileAction, { kind: 'edit-json-file' }> {
  return action.kind === 'edit-json-file';
}

function groupByPath<T extends FileAction>(actions: readonly FileAction[], wanted: (action: FileAction) => action is T): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const action of actions.filter(wanted)) groups.set(action.path, [...(groups.get(action.path) ?? []), action]);
  return groups;
}
