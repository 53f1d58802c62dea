import { basename } from 'node:path';
import type { Step } from '../model/step.ts';
import { idRanges, shownSteps } from './plan-group.ts';
import { count, groupDigits, printable } from './printable.ts';
import { findingName } from './session-name.ts';
import { styleFor, type TextOptions } from './style.ts';

/** What an apply did, as far as people are told. */
export type ApplyReport = {
  dryRun: boolean;
  journal: string | null;
  resumed: boolean;
  done: readonly Step[];
  skipped: readonly { step: Step; reason: string }[];
  rescan: { gone: string[]; remaining: string[]; appeared: string[] } | null;
  rolledBack: { reason: string; journal: string | null } | null;
};

/** The file that a step writes to; with its agent where the steps are of several stores. */
function where(step: Step, several: boolean): string {
  const action = step.actions[0];
  if (action === undefined) return '';
  const path = 'database' in action ? action.database : action.path;
  const agent = several ? /\/(agents\/[^/]+)\//.exec(path)?.[1] : undefined;
  return printable(agent === undefined ? basename(path) : `${agent} ${basename(path)}`);
}

/** Items of one kind together: the first few of each, and the others apart. */
function shortened<T>(items: readonly T[], kind: (item: T) => string, verbose: boolean): { shown: T[]; more: T[] }[] {
  const kinds = new Map<string, T[]>();
  for (const item of items) {
    const known = kinds.get(kind(item));
    if (known) known.push(item);
    else kinds.set(kind(item), [item]);
  }
  return [...kinds.values()].map((all) => (verbose || all.length <= shownSteps ? { shown: all, more: [] } : { shown: all.slice(0, shownSteps), more: all.slice(shownSteps) }));
}

/** `undoOptions` is what the undo command needs besides the id, such as a journal folder. */
export function renderApply(result: ApplyReport, options: TextOptions, undoOptions = ''): string {
  const style = styleFor(options.color);
  const lines: string[] = [];
  if (result.journal !== null && result.rolledBack === null) lines.push(`journal  ${style.strong(result.journal)}   (undo: sessionfsck undo ${result.journal}${undoOptions})`);
  if (result.resumed) lines.push('an interrupted run of this plan was finished');
  const several = new Set(result.done.map((step) => step.store)).size > 1;
  const word = result.dryRun ? 'would do' : result.rolledBack === null ? 'done' : 'taken back';
  for (const { shown, more } of shortened(result.done, ({ fix, store }) => JSON.stringify([store, fix]), options.verbose)) {
    for (const step of shown) lines.push(`${printable(step.id).padStart(3)}  ${style.good(word)}   ${printable(step.fix)}   ${where(step, several)}   ${findingName(step)}`.trimEnd());
    if (more.length > 0) lines.push(`     ${style.good(word)}   ${count(more.length, `more ${printable(more[0]?.fix ?? '')} step`)} (${printable(idRanges(more.map((step) => step.id)))})`);
  }
  for (const { shown, more } of shortened(result.skipped, ({ step, reason }) => JSON.stringify([step.store, step.fix, reason.replace(/\d+/g, '#')]), options.verbose)) {
    for (const { step, reason } of shown) lines.push(`${printable(step.id).padStart(3)}  ${style.dim('not done')}   ${printable(step.fix)}   ${printable(reason)}`);
    if (more.length > 0) lines.push(`     ${style.dim('not done')}   ${count(more.length, `more ${printable(more[0]?.step.fix ?? '')} step`)} (${printable(idRanges(more.map(({ step }) => step.id)))})`);
  }
  if (result.dryRun) lines.push(result.done.length > 0 ? 'Every precondition holds. Nothing was written.' : 'Nothing would be done.');
  else if (result.rolledBack !== null) {
    lines.push(`${style.error('rolled back')}   ${printable(result.rolledBack.reason)}. ${several ? 'All stores are' : 'The store is'} as ${several ? 'they were' : 'it was'} before.`);
  } else if (result.rescan !== null) {
    lines.push(`rescan   ${result.rescan.gone.map(printable).join(', ')} gone, nothing new`);
  } else if (result.done.length === 0) lines.push('Nothing was done.');
  return `${lines.join('\n')}\n`;
}

/** Files that are named one by one without --verbose. */
const shownPaths = 10;

export type UndoReport = { of: string; journal: string | null; dryRun: boolean; paths: readonly string[]; untouched: readonly string[]; left: readonly string[] };

export function renderUndo(result: UndoReport, options: TextOptions, undoOptions = ''): string {
  const style = styleFor(options.color);
  const lines: string[] = [];
  if (result.journal !== null) lines.push(`journal  ${style.strong(result.journal)}   (to do it again: sessionfsck undo ${result.journal}${undoOptions})`);
  const list = (paths: readonly string[], word: string): void => {
    const shown = options.verbose || paths.length <= shownPaths ? paths : paths.slice(0, shownPaths);
    for (const path of shown) lines.push(`  ${word}   ${printable(path)}`);
    if (shown.length < paths.length) lines.push(`  ${word}   ${count(paths.length - shown.length, 'more file')}`);
  };
  list(result.paths, style.good(result.dryRun ? 'would give back' : 'given back'));
  list(result.untouched, style.dim('as before'));
  list(result.left, style.warning(`${result.dryRun ? 'would be left' : 'left'}, changed since`));
  lines.push(result.dryRun ? 'Everything is as the repair left it. Nothing was written.' : result.paths.length === 0 ? 'Nothing had to be given back.' : `${result.of} is taken back.`);
  return `${lines.join('\n')}\n`;
}

/** One journal of the list. */
export type JournalRow = { id: string; state: string; job: 'apply' | 'undo' | null; of: string | null; stores: string[]; fixes: string[]; bytes: number; ageSeconds: number; by: string | null; detail: string | null; undoable: boolean };

/** `3 min ago`; a clock that was ahead is told, since the time is no use then. */
export function ageText(seconds: number): string {
  if (seconds < -5) return `${spanText(-seconds)} ahead of this clock`;
  return `${spanText(Math.max(0, seconds))} ago`;
}

function spanText(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

export function renderJournals(rows: readonly JournalRow[], folder: string, options: TextOptions): string {
  const style = styleFor(options.color);
  if (rows.length === 0) return `No journal in ${printable(folder)}: nothing was applied here.\n`;
  const lines = [`${printable(folder)}   ${count(rows.length, 'journal')}`, ''];
  for (const row of rows) {
    const what = row.job === null ? '' : row.job === 'undo' ? `undo of ${row.of}` : [...new Set(row.fixes)].join(', ');
    lines.push(`  ${style.strong(row.id)}  ${row.state.padEnd(10)}  ${ageText(row.ageSeconds).padStart(12)}  ${groupDigits(row.bytes)} bytes`);
    if (what !== '') lines.push(`      ${printable(what)}   ${row.stores.map(printable).join(', ')}`);
    if (row.detail !== null) lines.push(`      ${printable(row.detail)}`);
    if (row.state === 'unfinished') {
      if (row.job === 'apply') lines.push(`      take back: sessionfsck undo ${row.id}      finish: sessionfsck apply ${row.id}`);
      else lines.push(`      finish: sessionfsck undo ${row.of}`);
    } else if (row.undoable) lines.push(`      ${row.job === 'undo' ? 'do it again' : 'take back'}: sessionfsck undo ${row.id}`);
    else if (row.by !== null) lines.push(`      taken back by ${row.by}`);
  }
  return `${lines.join('\n')}\n`;
}
