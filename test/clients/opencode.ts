import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSqlite, type SqliteDatabase } from '../../src/io/sqlite.ts';
import type { CompactionMark } from '../../src/readers/opencode/compacted.ts';
import type { MessageRow, RevertPoint } from '../../src/stores/opencode/types.ts';
import { runClient, stubPort, type ClientRun } from './harness.ts';

/** A home folder of an opencode program with a copy of a database in it. */
export type OpencodeHome = { folder: string; work: string; db: string; model: string };

type Model = { providerID: string; modelID: string };

/** Makes a home in `folder` around a copy of a database (with its WAL); the provider of its rows is the stub. */
export function opencodeHome(folder: string, database: string): OpencodeHome {
  const data = join(folder, 'data/opencode');
  const work = join(folder, 'work');
  for (const path of [data, work, join(folder, 'config/opencode'), join(folder, 'cache'), join(folder, 'state')]) mkdirSync(path, { recursive: true });
  const db = join(data, 'opencode.db');
  copyFileSync(database, db);
  if (existsSync(`${database}-wal`)) copyFileSync(`${database}-wal`, `${db}-wal`);
  const { providerID, modelID } = withDatabase(db, (handle) => {
    // The folder that a session was begun in has to exist; nothing that is tested depends on it.
    handle.prepare('UPDATE session SET directory = ?').run(work);
    return modelOf(handle);
  });
  const provider = {
    npm: '@ai-sdk/openai-compatible',
    name: providerID,
    options: { baseURL: `http://127.0.0.1:${stubPort}/v1`, apiKey: 'none' },
    models: { [modelID]: { name: modelID, tool_call: true, limit: { context: 400_000, output: 8192 } } },
  };
  writeFileSync(join(folder, 'config/opencode/opencode.json'), JSON.stringify({ provider: { [providerID]: provider }, model: `${providerID}/${modelID}`, small_model: `${providerID}/${modelID}`, snapshot: false, share: 'disabled' }));
  return { folder, work, db, model: `${providerID}/${modelID}` };
}

function modelOf(db: SqliteDatabase): Model {
  const row = db.prepare<[], Model>("SELECT json_extract(data,'$.model.providerID') AS providerID, json_extract(data,'$.model.modelID') AS modelID FROM message WHERE json_extract(data,'$.role')='user' LIMIT 1").get();
  if (!row) throw new Error('the store has no prompt');
  return row;
}

/** Opens a scratch database, works on it and closes it. */
export function withDatabase<T>(path: string, work: (db: SqliteDatabase) => T): T {
  const db = new (loadSqlite())(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Sends one prompt with `opencode run --session`, as a person would. `folder` is where the program was installed. */
export function promptOpencode(folder: string, home: OpencodeHome, session: string, text = 'Are you there?'): ClientRun {
  return runClient({
    command: join(folder, 'node_modules/opencode-linux-x64/bin/opencode'),
    args: ['run', '--session', session, '--model', home.model, text],
    cwd: home.work,
    timeoutMs: 180_000,
    maxCalls: 3,
    env: {
      PATH: process.env.PATH ?? '',
      // The program takes its folder from PWD and hangs after the turn when it differs from the real one.
      PWD: home.work,
      HOME: home.folder,
      XDG_DATA_HOME: join(home.folder, 'data'),
      XDG_CONFIG_HOME: join(home.folder, 'config'),
      XDG_CACHE_HOME: join(home.folder, 'cache'),
      XDG_STATE_HOME: join(home.folder, 'state'),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    },
  });
}

/** The rows of a session as the reader models take them, read apart from the store adapter. */
export function messageRows(db: SqliteDatabase, session: string): MessageRow[] {
  type Data = { role?: string; finish?: string; parentID?: string; summary?: unknown; time?: { completed?: number }; error?: { name?: string } };
  const rows = db.prepare<[string], { id: string; time: number; data: string }>('SELECT id, time_created AS time, data FROM message WHERE session_id = ?').all(session);
  return rows.map(({ id, time, data }) => {
    const info: Data = JSON.parse(data);
    return {
      id,
      agent: 'main',
      time,
      role: info.role === 'user' || info.role === 'assistant' ? info.role : 'other',
      finish: info.finish ?? null,
      parentId: info.parentID ?? null,
      completed: info.time?.completed !== undefined,
      error: info.error?.name ?? null,
      summary: info.summary === true,
    };
  });
}

/** The replies of a session that hold a tool part which neither the provider ran nor a restart interrupted. */
export function toolCallRows(db: SqliteDatabase, session: string): Set<string> {
  const rows = db
    .prepare<[string], { id: string }>(
      "SELECT DISTINCT message_id AS id FROM part WHERE session_id = ? AND json_extract(data,'$.type')='tool' AND json_extract(data,'$.metadata.providerExecuted') IS NOT 1 AND (json_extract(data,'$.state.status')<>'error' OR json_extract(data,'$.state.metadata.interrupted') IS NOT 1)",
    )
    .all(session);
  return new Set(rows.map((row) => row.id));
}

/** Part ids of a message in order of id. */
export function partIds(db: SqliteDatabase, message: string): string[] {
  return db.prepare<[string], { id: string }>('SELECT id FROM part WHERE message_id = ? ORDER BY id').all(message).map((row) => row.id);
}

/** The compaction parts of a session. */
export function compactionMarks(db: SqliteDatabase, session: string): CompactionMark[] {
  return db
    .prepare<[string], CompactionMark>("SELECT message_id AS messageId, json_extract(data,'$.tail_start_id') AS tailStartId FROM part WHERE session_id = ? AND json_extract(data,'$.type')='compaction'")
    .all(session);
}

/** The undo point of a session. */
export function revertOf(db: SqliteDatabase, session: string): RevertPoint | null {
  const row = db.prepare<[string], { revert: string | null }>('SELECT revert FROM session WHERE id = ?').get(session);
  if (!row?.revert) return null;
  const { messageID, partID }: { messageID: string; partID?: string } = JSON.parse(row.revert);
  return { messageId: messageID, partId: partID ?? null };
}

export function sessionIds(db: SqliteDatabase): string[] {
  return db.prepare<[], { id: string }>('SELECT id FROM session ORDER BY id').all().map((row) => row.id);
}
