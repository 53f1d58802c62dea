import { basename } from 'node:path';
import { fileState, readHead } from '../../io/files.ts';
import { rowDamage } from '../../io/row-damage.ts';
import { snapshotDatabase, type DatabaseSnapshot } from '../../io/sqlite-snapshot.ts';
import { errorMessage } from '../../model/errors.ts';
import type { StoreRef } from '../../model/store.ts';
import { captureFiles, type CaptureFiles } from './capture-files.ts';
import { lackingRows, lacksRows, rowSource, type RowSource } from './captured-rows.ts';
import type { CaptureCounts, CaptureSnapshot, SiblingFile } from './types.ts';

/** Offsets in a database's header (sqlite.org/fileformat2, §1.3). */
const changeCounter = 24;
const applicationId = 68;

const noCounts = (): CaptureCounts => ({ rows: 0, present: 0, repeated: 0, unread: 0, stopped: [], sessions: new Set() });

/** What of the capture's pages can be laid over the store's own file, or why not. */
function overLive(files: CaptureFiles, live: string): { problem: string } | { note: string } {
  const name = basename(live);
  if ((fileState(live)?.size ?? 0) < 100) return { problem: `it holds no database file, and ${name} has none of its pages either` };
  const head = readHead(live, 100);
  const raw = head.readUInt16BE(16);
  const pageSize = raw === 1 ? 65536 : raw;
  if (pageSize !== files.walPageSize) return { problem: `it holds no database file, and its pages have ${files.walPageSize} bytes where those of ${name} have ${pageSize}` };
  const { header } = files;
  const laid = `Its log was laid over a private copy of ${name}`;
  if (header === null || header.length < 100) return { note: `${laid}; integrity_check finds them to fit.` };
  if (header.readUInt32BE(applicationId) !== head.readUInt32BE(applicationId)) return { problem: `it holds no database file, and ${name} is another one now: it was made anew since` };
  const same = header.readUInt32BE(changeCounter) === head.readUInt32BE(changeCounter);
  return { note: same ? `${laid}, which has not changed since.` : `${laid}, which was written since; integrity_check finds them to fit.` };
}

/**
 * Puts a copy beside the store together on a private copy: its own image with its log, or, where only the log was kept, the log
 * over the store's own image. Rows are handed out only when integrity_check finds no damage that makes them doubtful.
 */
export async function openCapture(sibling: SiblingFile, ref: StoreRef, store: () => RowSource | null, snapshotDir: string | null): Promise<CaptureSnapshot> {
  const counts = noCounts();
  const refuse = (problem: string, notes: string[] = []): CaptureSnapshot => ({ file: sibling, notes, problem, counts, lacking: () => [], close() {} });
  let database: DatabaseSnapshot | null = null;
  try {
    const files = captureFiles(sibling, ref.home);
    const notes = [...files.notes];
    if (files.problem !== null) return refuse(files.problem, notes);
    const mixed = files.image === null;
    if (mixed) {
      const way = overLive(files, ref.path);
      if ('problem' in way) return refuse(way.problem, notes);
      notes.push(way.note);
    }
    database = await snapshotDatabase(files.image ?? ref.path, { snapshotDir, inPlace: false }, files.wal);
    const { db } = database;
    if (db === null) return refuse(database.facts.damage?.detail ?? 'SQLite cannot open it', notes);
    const damage = rowDamage(db, ['messages', 'sessions'], mixed) ?? lacksRows(db);
    if (damage !== null) {
      database.close();
      return refuse(mixed ? `laid over ${basename(ref.path)} as it is now, its log makes no sound database (${damage}): the file was written since` : damage, mixed ? notes.slice(0, -1) : notes);
    }
    const opened = database;
    const [rows, own] = [rowSource(db), store()];
    return { file: sibling, notes, problem: null, counts, lacking: (seen) => lackingRows(rows, own, sibling.path, seen, counts), close: () => opened.close() };
  } catch (error) {
    database?.close();
    return refuse(errorMessage(error));
  }
}
