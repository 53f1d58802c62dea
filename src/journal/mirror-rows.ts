import { pythonObject } from '../io/json-layout.ts';
import { bindCell, quoteName } from '../io/sqlite-cells.ts';
import { snapshotDatabase } from '../io/sqlite-snapshot.ts';
import { sha256Of } from '../io/splice.ts';
import { RefusedError, errorMessage } from '../model/errors.ts';
import type { FileAction } from './file-plan.ts';
import { requireInside } from './inside.ts';
import { planAgain } from './advice.ts';

type MirrorRows = Extract<FileAction, { kind: 'mirror-rows' }>;

async function contentOf({ source, table, keyColumn, valueColumn, where, keys }: MirrorRows): Promise<string> {
  const database = await snapshotDatabase(source, { snapshotDir: null, inPlace: false });
  try {
    if (database.db === null) throw new RefusedError(`${source} cannot be read: ${database.facts.damage?.detail ?? 'it is damaged'}`, planAgain);
    const conditions = [keyColumn, ...Object.keys(where)].map((column) => `${quoteName(column)} IS ?`);
    const value = database.db.prepare<unknown[], unknown>(`SELECT ${quoteName(valueColumn)} FROM ${quoteName(table)} WHERE ${conditions.join(' AND ')}`).pluck();
    const bound = Object.values(where).map(bindCell);
    return pythonObject(
      keys.map((key) => {
        const json = value.get(key, ...bound);
        if (typeof json !== 'string') throw new RefusedError(`${table} has no row ${key} any more`, planAgain);
        return { key, json };
      }),
    );
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    throw new RefusedError(`the rows of ${table} cannot be read: ${errorMessage(error)}`, planAgain);
  } finally {
    database.close();
  }
}

/** The same action with its content, where it is to be read from rows of the store's database. Throws RefusedError when they changed. */
export async function withContent(action: FileAction, home: string): Promise<FileAction> {
  if (action.kind !== 'mirror-rows') return action;
  requireInside(action.source, home);
  const content = await contentOf(action);
  if (sha256Of(Buffer.from(content, 'utf8')) !== action.contentSha256) throw new RefusedError(`the rows of ${action.table} are no longer what the plan saw`, planAgain);
  const { path, sha256, sidecar } = action;
  return { kind: 'replace-file', path, sha256, content, ...(sidecar === undefined ? {} : { sidecar }) };
}
