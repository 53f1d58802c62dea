import { closeSync, mkdirSync, openSync, readdirSync, rmdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { scan, type ScanOptions } from '../checks/scan.ts';
import { FriendlyError, UsageError, errorCode, errorMessage } from '../model/errors.ts';
import type { ReadError } from '../model/finding.ts';
import { recoveredBlock, recoveredHead, recoveredLine, type RecoveryRow } from '../report/recovery.ts';
import { recoverableChecks, recoveriesOf, type Recovery } from './recovering.ts';

function requireEmpty(folder: string): boolean {
  try {
    if (!statSync(folder).isDirectory()) throw new UsageError(`${folder} is a file`, 'name a folder that does not exist yet');
    if (readdirSync(folder).length > 0) throw new UsageError(`${folder} is not empty`, 'nothing is overwritten: name a folder that does not exist yet');
    return false;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return true;
    throw error;
  }
}

/** A name that any file system takes, unique by its number. */
function nameOf(recovery: Recovery, number: number): string {
  const { checkId, session, sessionKey } = recovery.finding;
  const words = (sessionKey ?? session ?? 'store').replace(/[^A-Za-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 60);
  return `${String(number).padStart(2, '0')}-${checkId.replace('/', '-')}-${words}`;
}

function writeText(fd: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}

/** Streams one recovery into a JSONL and a Markdown file (0600, new). Counts messages, not their parts. */
function writeOne(recovery: Recovery, folder: string, number: number, product: string): RecoveryRow {
  const { finding, expected, unit, texts } = recovery;
  const name = nameOf(recovery, number);
  const jsonl = openSync(join(folder, `${name}.jsonl`), 'wx', 0o600);
  const markdown = openSync(join(folder, `${name}.md`), 'wx', 0o600);
  const ids = new Set<string>();
  let count = 0;
  try {
    writeText(markdown, recoveredHead(finding));
    for (const text of texts) {
      writeText(jsonl, recoveredLine(text, finding, product));
      writeText(markdown, recoveredBlock(text));
      // A row without an id of its own is named by its line: unique in its file.
      ids.add(text.id);
      count++;
    }
  } finally {
    closeSync(jsonl);
    closeSync(markdown);
  }
  const written = unit === 'row' ? count : ids.size;
  return { checkId: finding.checkId, session: finding.session, sessionKey: finding.sessionKey, expected, written, texts: count, notFound: Math.max(0, expected - written), unit, jsonl: `${name}.jsonl`, markdown: `${name}.md` };
}

/** Scans for what is hidden and writes it out while each store is open. Nothing of the stores changes. */
export async function writeRecoveries(paths: readonly string[], options: ScanOptions, folder: string): Promise<{ rows: RecoveryRow[]; errors: ReadError[] }> {
  const made = requireEmpty(folder);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new FriendlyError(`${folder} could not be made: ${errorMessage(error)}`, 'name another place with -o DIR');
  }
  const rows: RecoveryRow[] = [];
  const failures: string[] = [];
  const result = await scan(paths, {
    ...options,
    check: [...recoverableChecks],
    onScanned(opened, findings, reader) {
      try {
        for (const recovery of recoveriesOf(opened, findings, reader)) rows.push(writeOne(recovery, folder, rows.length + 1, opened.product));
      } catch (error) {
        failures.push(errorMessage(error));
      }
    },
  });
  if (rows.length === 0 && made) rmdirSync(folder);
  if (failures[0] !== undefined) throw new FriendlyError(`not everything could be written: ${failures[0]}`, `what was written is in ${folder}`);
  return { rows, errors: result.errors };
}
