import { basename, relative } from 'node:path';
import type { Action, JsonEdit, MappedColumn } from '../model/step.ts';
import { count, printable, shorten } from './printable.ts';

/** Characters of a value that are shown; a plan file holds the whole. */
const valueWidth = 40;

function value(json: unknown): string {
  return printable(shorten(JSON.stringify(json) ?? 'nothing', valueWidth));
}

/** `a.b["c d"]`, as a person would write it. */
function pathText(path: readonly (string | number)[]): string {
  return printable(path.map((part, index) => (typeof part === 'string' && /^[A-Za-z_]\w*$/.test(part) ? (index === 0 ? part : `.${part}`) : `[${shorten(JSON.stringify(part), valueWidth)}]`)).join(''));
}

/** The chat that a step names already is left out of its paths. */
function editText(edit: JsonEdit, sessionKey: string | null): string {
  const path = edit.path.length > 1 && edit.path[0] === sessionKey ? edit.path.slice(1) : edit.path;
  if (edit.op === 'remove') return `remove  ${pathText(path)}`;
  return `set     ${pathText(path)}: ${edit.before === undefined ? 'nothing' : value(edit.before)} → ${value(edit.after)}`;
}

function columnText({ table, column, path }: MappedColumn): string {
  return path === undefined ? `${table}.${column}` : `${table}.${column} ${pathText(path)}`;
}

/** What one action does, in a few lines for people: place, before and after. `most` rows or edits are listed, the others counted. */
export function actionLines(action: Action, home: string, sessionKey: string | null, most: number): string[] {
  const file = (path: string): string => printable(relative(home, path) || basename(path));
  const some = <T>(items: readonly T[], text: (item: T) => string, noun: string): string[] => [
    ...items.slice(0, most).map(text),
    ...(items.length > most ? [`and ${count(items.length - most, `more ${noun}`)}`] : []),
  ];
  switch (action.kind) {
    case 'edit-json-file':
      return some(action.edits, (edit) => `${basename(file(action.path))}   ${editText(edit, sessionKey)}`, 'change');
    case 'edit-json-line':
      return some(action.edits, (edit) => `${basename(file(action.path))} line ${action.line}   ${editText(edit, sessionKey)}`, 'change');
    case 'remove-lines':
      return [`${basename(file(action.path))}   move ${action.count === 1 ? `line ${action.line}` : `lines ${action.line} to ${action.line + action.count - 1}`} to ${basename(action.sidecar)}`];
    case 'insert-lines':
      return [`${basename(file(action.path))}   insert ${count(action.lines.length, 'line')} before line ${action.line}`];
    case 'rename-file':
      return [`${basename(file(action.path))}   rename to ${printable(basename(action.to))}`];
    case 'create-file':
      return [`${file(action.path)}   create, ${count(Buffer.byteLength(action.content), 'byte')}`];
    case 'replace-file':
      return [`${file(action.path)}   write anew, ${count(Buffer.byteLength(action.content), 'byte')}; the old bytes go to the journal${action.sidecar === undefined ? '' : ` and to ${printable(basename(action.sidecar))}`}`];
    case 'mirror-rows':
      return [`${file(action.path)}   write anew from ${count(action.keys.length, 'row')} of ${printable(action.table)}, ${count(action.bytes, 'byte')}; the old bytes go to the journal${action.sidecar === undefined ? '' : ` and to ${printable(basename(action.sidecar))}`}`];
    case 'retire-file':
      return [`${file(action.path)}   move to the journal`];
    case 'update-rows':
      return some(
        action.rows,
        (row) => `${printable(action.table)} ${value(Object.values(row.key).length === 1 ? Object.values(row.key)[0] : row.key)}   ${Object.keys(row.after).map((column) => `${printable(column)}: ${column in row.before ? value(row.before[column]) : '?'} → ${cellText(row.after[column])}`).join(', ')}`,
        'row',
      );
    case 'edit-json-cell':
      return some(action.edits, (edit) => `${printable(action.table)}.${printable(action.column)}   ${editText(edit, sessionKey)}`, 'change');
    case 'shift-rows':
      return [`${printable(action.table)}   ${count(action.rows, 'row')} from ${printable(action.column)} ${Math.min(...action.shifts.map(({ from }) => from))} on: make room for ${count(action.shifts.reduce((sum, { by }) => sum + by, 0), 'new row')}`];
    case 'insert-rows':
      return [`${printable(action.table)}   insert ${count(action.rows.length, 'row')}`];
    case 'clone-rows':
      return [`${printable(action.table)}   write ${count(action.rows.length, 'row')} again behind the others: ${action.rows.slice(0, most).join(', ')}${action.rows.length > most ? ', …' : ''}`];
    case 'delete-rows':
      return some(action.rows, (row) => `${printable(action.table)}   remove the row ${value(row.key)}`, 'row');
    case 'map-ids': {
      const ids = Object.entries(action.mapping);
      return [
        ...some(ids, ([old, fresh]) => `${printable(old)} → ${printable(fresh)}`, 'id'),
        `in ${action.columns.map(columnText).map(printable).join(', ')}`,
      ];
    }
    case 'drop-triggers':
      return [`drop ${action.triggers.map((trigger) => printable(trigger.name)).join(', ')}`];
  }
}

function cellText(cell: unknown): string {
  if (typeof cell === 'object' && cell !== null) {
    if ('$count' in cell) return 'as many as there are';
    if ('$arrayLengths' in cell) return 'as many as there are';
    if ('$token' in cell) return 'a new token';
  }
  return value(cell);
}
