import { attributesOf } from '../io/atomic.ts';
import { withFile } from '../io/files.ts';
import { jsonSplices } from '../io/json-edit.ts';
import { forEachLine } from '../io/lines.ts';
import { readRange, sha256Of, type Splice } from '../io/splice.ts';
import { RefusedError } from '../model/errors.ts';
import type { Action } from '../model/step.ts';
import { requireAbsent, requirePresent } from './file-image.ts';
import type { FileChange } from './file-plan.ts';
import { digestOf, type Source } from './file-source.ts';
import { planAgain } from './advice.ts';

export type LineAction = Extract<Action, { kind: 'edit-json-line' | 'remove-lines' | 'insert-lines' }>;

type LinePlace = { offset: number; bytes: number; next: number };
type Lines = { places: Map<number, LinePlace>; total: number; size: number; endsWithNewline: boolean };

/** Where the wanted lines lie; `total` is how many there are. */
function findLines(path: string, wanted: ReadonlySet<number>): Lines {
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

function placeOf(path: string, lines: Lines, line: number): LinePlace {
  const found = lines.places.get(line);
  if (!found) throw new RefusedError(`${path} has no line ${line} any more`, planAgain);
  return found;
}

function moved(path: string, line: number): RefusedError {
  return new RefusedError(`line ${line} of ${path} is no longer what the plan saw`, planAgain);
}

/**
 * Turns the actions on the lines of one file into splices of it and into the sidecars that take what is removed. Line
 * numbers are those of the file as it is; all changes of one file are made in one pass. Throws RefusedError.
 */
export function planLines(path: string, actions: readonly LineAction[]): { splices: Splice[]; sidecars: FileChange[] } {
  requirePresent(path);
  const lines = findLines(path, new Set(actions.flatMap((action) => (action.kind === 'remove-lines' ? [action.line, action.line + action.count - 1] : [action.line]))));
  const splices: Splice[] = [];
  const removed = new Map<string, { offset: number; length: number }[]>();
  for (const action of actions) {
    switch (action.kind) {
      case 'edit-json-line':
        splices.push(...editedLine(path, action, lines));
        break;
      case 'insert-lines':
        splices.push(insertedLines(path, action, lines));
        break;
      case 'remove-lines': {
        const { offset } = placeOf(path, lines, action.line);
        const length = placeOf(path, lines, action.line + action.count - 1).next - offset;
        if (digestOf({ from: 'ranges', path, ranges: [{ offset, length }] }, path).sha256 !== action.sha256) throw moved(path, action.line);
        splices.push({ offset, length, bytes: Buffer.alloc(0) });
        removed.set(action.sidecar, [...(removed.get(action.sidecar) ?? []), { offset, length }]);
        break;
      }
    }
  }
  return { splices, sidecars: [...removed].map(([sidecar, ranges]) => sidecarOf(path, sidecar, ranges)) };
}

function editedLine(path: string, action: Extract<LineAction, { kind: 'edit-json-line' }>, lines: Lines): Splice[] {
  const { offset, bytes } = placeOf(path, lines, action.line);
  const line = withFile(path, (fd) => readRange(fd, offset, bytes));
  if (sha256Of(line) !== action.sha256) throw moved(path, action.line);
  return jsonSplices(line.toString('latin1'), action.edits, `line ${action.line} of ${path}`).map((splice) => ({ ...splice, offset: splice.offset + offset }));
}

function insertedLines(path: string, action: Extract<LineAction, { kind: 'insert-lines' }>, lines: Lines): Splice {
  if (action.lines.some((line) => line.includes('\n'))) throw new RefusedError('an inserted line holds a newline', planAgain);
  const atEnd = action.line === lines.total + 1;
  const offset = atEnd ? lines.size : placeOf(path, lines, action.line).offset;
  const text = action.lines.map((line) => `${line}\n`).join('');
  return { offset, length: 0, bytes: Buffer.from(atEnd && !lines.endsWithNewline ? `\n${text.slice(0, -1)}` : text, 'utf8') };
}

/** The file that takes lines out of `path`, in their order there. */
function sidecarOf(path: string, sidecar: string, ranges: { offset: number; length: number }[]): FileChange {
  requireAbsent(sidecar);
  const source: Source = { from: 'ranges', path, ranges: ranges.sort((a, b) => a.offset - b.offset) };
  return { path: sidecar, before: null, after: { ...digestOf(source, sidecar), attributes: { ...attributesOf(path), mode: 0o600, atime: null, mtime: null } }, source };
}
