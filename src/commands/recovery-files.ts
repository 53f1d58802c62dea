import { closeSync, openSync, readdirSync, rmdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { scan, type ScanOptions } from '../checks/scan.ts';
import { makeFolders } from '../io/folders.ts';
import { reasonOf } from '../io/output-file.ts';
import { FriendlyError, UsageError, errorCode } from '../model/errors.ts';
import type { ReadError } from '../model/finding.ts';
import type { RecoveredText, Recovery } from '../model/recovery.ts';
import { recoveredBlock, recoveredHead, recoveredLine, recoveredSession, type RecoveryRow } from '../report/recovery.ts';
import { copiesOf, recoverableChecks, recoveriesOf } from './recovering.ts';

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
function nameOf({ about, source }: Recovery, number: number): string {
  const words = (source ?? about.sessionKey ?? about.session ?? 'store').replace(/[^A-Za-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 60);
  return `${String(number).padStart(2, '0')}-${about.checkId.replace('/', '-')}-${words}`;
}

function writeText(fd: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}

/** A JSONL and a Markdown file (0600, new), made with the first text. */
function outputs(recovery: Recovery, folder: string, name: string, product: string): { write(text: RecoveredText): void; close(): void; made(): boolean } {
  let open: { jsonl: number; markdown: number } | null = null;
  let session: string | null | undefined;
  const begin = (): { jsonl: number; markdown: number } => {
    const jsonl = openSync(join(folder, `${name}.jsonl`), 'wx', 0o600);
    open = { jsonl, markdown: openSync(join(folder, `${name}.md`), 'wx', 0o600) };
    writeText(open.markdown, recoveredHead(recovery.about, recovery.source));
    return open;
  };
  return {
    write(text) {
      const { jsonl, markdown } = open ?? begin();
      writeText(jsonl, recoveredLine(text, recovery.about, recovery.source, product));
      if (text.session !== undefined && text.session !== session) writeText(markdown, recoveredSession(text));
      ({ session } = text);
      writeText(markdown, recoveredBlock(text));
    },
    close() {
      if (open === null) return;
      closeSync(open.jsonl);
      closeSync(open.markdown);
    },
    made: () => open !== null,
  };
}

/** Streams one recovery into its files. Counts messages, not their parts. */
function writeOne(recovery: Recovery, folder: string, number: number, product: string): RecoveryRow {
  const { about, source, unit, texts } = recovery;
  const name = nameOf(recovery, number);
  const files = outputs(recovery, folder, name, product);
  const ids = new Set<string>();
  let count = 0;
  try {
    for (const text of texts) {
      files.write(text);
      // A row without an id of its own is named by its line: unique in its file.
      if (unit !== 'row' && source === null) ids.add(text.id);
      count++;
    }
  } finally {
    files.close();
  }
  const outcome = recovery.outcome();
  const written = unit === 'row' || source !== null ? count : ids.size;
  const { checkId, store, session, sessionKey } = about;
  const made = files.made();
  return { checkId, store, session, sessionKey, source, ...outcome, written, texts: count, notFound: Math.max(0, outcome.expected - written), unit, jsonl: made ? `${name}.jsonl` : null, markdown: made ? `${name}.md` : null };
}

/** A database that could not be read, so that nothing could be looked for in it. */
export type Unsearched = { path: string; reason: string };

/** Scans for what is hidden and writes it out while each store is open. Nothing of the stores changes. */
export async function writeRecoveries(paths: readonly string[], options: ScanOptions, folder: string): Promise<{ rows: RecoveryRow[]; unsearched: Unsearched[]; errors: ReadError[] }> {
  const made = requireEmpty(folder);
  try {
    makeFolders(folder, 0o700);
  } catch (error) {
    throw new FriendlyError(`${folder} could not be made: ${reasonOf(error, folder)}`, 'name another place with -o DIR');
  }
  const rows: RecoveryRow[] = [];
  const unsearched: Unsearched[] = [];
  const failures: string[] = [];
  const result = await scan(paths, {
    ...options,
    check: [...recoverableChecks],
    async onScanned(opened, findings, reader) {
      for (const { path, damage } of opened.snapshot.databases) if (damage !== null) unsearched.push({ path, reason: damage.detail });
      try {
        for (const recovery of recoveriesOf(opened, findings, reader)) rows.push(writeOne(recovery, folder, rows.length + 1, opened.product));
        for await (const recovery of copiesOf(opened)) rows.push(writeOne(recovery, folder, rows.length + 1, opened.product));
      } catch (error) {
        failures.push(reasonOf(error, join(folder, 'x')));
      }
    },
  });
  if (made && readdirSync(folder).length === 0) rmdirSync(folder);
  if (failures[0] !== undefined) throw new FriendlyError(`not everything could be written: ${failures[0]}`, `what was written is in ${folder}`);
  return { rows, unsearched, errors: result.errors };
}
