import { writeSync } from 'node:fs';
import { FriendlyError, errorCode, errorMessage } from '../model/errors.ts';
import type { ReadError } from '../model/finding.ts';
import { printable } from '../report/printable.ts';
import type { TextOptions } from '../report/style.ts';
import type { GlobalOptions } from './options.ts';

function write(fd: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  let done = 0;
  while (done < bytes.length) {
    try {
      done += writeSync(fd, bytes, done);
    } catch (error) {
      if (errorCode(error) === 'EAGAIN') continue;
      // The reader of a pipe (`| head`) or the terminal went away: there is nobody left to tell.
      if (['EPIPE', 'EIO'].includes(errorCode(error))) return;
      throw new FriendlyError(`${fd === 1 ? 'stdout' : 'stderr'} could not be written: ${errorMessage(error)}`, 'scan, report, plan and bundle write to a file with -o FILE');
    }
  }
}

let printed = false;

/** Whether anything was written to stdout. */
export function hasPrinted(): boolean {
  return printed;
}

/** Writes data to stdout, whole, also into a slow pipe. */
export function printData(text: string): void {
  if (text !== '') printed = true;
  write(1, text);
}

/** Writes a remark to stderr. */
export function printNote(text: string): void {
  write(2, text.endsWith('\n') ? text : `${text}\n`);
}

/** Says on stderr what could not be read: for commands whose result goes to a file. */
export function printUnread(errors: readonly ReadError[]): void {
  for (const error of errors) printNote(printable(`unread: ${error.message}`));
}

/** Whether colour is wanted on stdout: --no-color, NO_COLOR, FORCE_COLOR, then whether it is a terminal. */
export function wantsColor(options: Pick<GlobalOptions, 'color'>): boolean {
  if (!options.color) return false;
  const { NO_COLOR, FORCE_COLOR } = process.env;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return process.stdout.isTTY === true && process.env.TERM !== 'dumb';
}

/** Columns of a text: 80, or as many as a narrower terminal has, but not below 40. */
function textWidth(): number {
  const columns = process.stdout.isTTY === true ? process.stdout.columns : 80;
  return Math.min(80, Math.max(40, columns || 80));
}

export function textOptions(options: GlobalOptions, paths: readonly string[]): TextOptions {
  return { color: wantsColor(options), verbose: options.verbose ?? false, quiet: options.quiet ?? false, width: textWidth(), paths };
}
