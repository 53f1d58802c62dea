import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { discover, openStore } from '../../../src/stores/discover.ts';
import type { OpenclawSnapshot, TranscriptDigest, TranscriptSummary } from '../../../src/stores/openclaw/types.ts';
import { talk, writeAgentDatabase, type WindowRecord } from '../../helpers/agent-database.ts';
import { temporaryFolder } from '../../helpers/paths.ts';
import { untouched } from '../../helpers/untouched.ts';
import { rawZstd } from '../../helpers/zstd.ts';

const sessionId = '11111111-2222-4333-8444-555555555555';
const other = '22222222-2222-4333-8444-555555555555';
const sessionKey = 'agent:main:telegram:direct:1';
const start = Date.parse('2026-09-10T08:00:00Z');
const databaseAt = (state: string): string => join(state, 'agents/main/agent/openclaw-agent.sqlite');

async function read(state: string): Promise<{ transcripts: TranscriptSummary[]; snapshot: OpenclawSnapshot }> {
  return untouched(state, async () => {
    const [ref] = discover([state]).stores;
    if (!ref) throw new Error('no store was found');
    const opened = await openStore(ref, { snapshotDir: null, inPlace: false, deep: false, now: start });
    if (opened.product !== 'openclaw') throw new Error(`found ${opened.product}`);
    const { snapshot } = opened;
    for (const digest of snapshot.digests() as Iterable<TranscriptDigest>) expect(digest.readError).toBeNull();
    const transcripts = [...snapshot.transcripts()];
    snapshot.close();
    return { transcripts, snapshot };
  });
}

const rowsOf = ({ transcripts }: { transcripts: TranscriptSummary[] }): [string, string, number, number][] =>
  transcripts.map((one) => [one.file.kind, one.sessionId, one.rows + (one.header ? 1 : 0), one.rejected]);

describe('an agent database', () => {
  it('is one store, found from any of its folders', () => {
    const state = temporaryFolder();
    writeAgentDatabase(databaseAt(state), [{ sessionId, sessionKey, createdAt: start, events: talk(sessionId, start, 2) }]);
    mkdirSync(join(state, 'agents/main/sessions'));
    for (const path of ['', 'agents', 'agents/main', 'agents/main/agent', 'agents/main/sessions', 'agents/main/agent/openclaw-agent.sqlite']) {
      expect(discover([join(state, path)])).toMatchObject({ stores: [{ layout: 'sqlite', path: databaseAt(state), label: 'agents/main', home: state }], errors: [] });
    }
  });

  it('lies beside a JSONL store of the same agent as a store of its own', () => {
    const state = temporaryFolder();
    writeAgentDatabase(databaseAt(state), [{ sessionId, sessionKey, createdAt: start, events: talk(sessionId, start, 2) }]);
    mkdirSync(join(state, 'agents/main/sessions'));
    writeFileSync(join(state, 'agents/main/sessions/sessions.json'), '{}');
    expect(discover([state]).stores.map((ref) => ref.layout).sort()).toEqual(['jsonl', 'sqlite']);
  });

  it('reads events in seq order, compressed ones included, and counts what it cannot read', async () => {
    const state = temporaryFolder();
    const rows = talk(sessionId, start, 4);
    const packed = rawZstd(Buffer.from(JSON.stringify({ ...rows[4], id: 'packed' })));
    const bomb = Buffer.from('28b52ffd00f8010000', 'hex');
    writeAgentDatabase(databaseAt(state), [{ sessionId, sessionKey, createdAt: start, events: [...rows, packed, bomb, packed.subarray(0, 30)] }], (db) => {
      db.prepare('UPDATE transcript_events SET event_utf8_bytes = ? WHERE seq = 5').run(packed.length - 12);
    });
    const found = await read(state);
    expect(rowsOf(found)).toEqual([['window', sessionId, 6, 2]]);
    expect(found.snapshot.sqlite?.compressedEvents).toBe(3);
    expect(found.snapshot.sqlite?.unreadable.map((one) => one.seq)).toEqual([6, 7]);
  });

  it('reads archives from their file, and from the database where no file was published', async () => {
    const state = temporaryFolder();
    const lines = Buffer.from(talk(other, start, 3).map((row) => `${JSON.stringify(row)}\n`).join(''));
    const name = `${other}.jsonl.deleted.2026-09-11T10-00-00.000Z.fb1905a4d32545b09d697c73ced03974.zst`;
    writeAgentDatabase(databaseAt(state), [{ sessionId, sessionKey, createdAt: start, events: talk(sessionId, start, 1) }], (db) => {
      db.prepare("INSERT INTO session_transcript_archives VALUES (?, 'fb1905a4d32545b09d697c73ced03974', 'agent:main:gone', 'deleted', 'zstd', ?, ?, ?, ?, NULL)").run(
        other,
        rawZstd(lines),
        createHash('sha256').update(lines).digest('hex'),
        name,
        start,
      );
    });
    const fromBlob = await read(state);
    expect(rowsOf(fromBlob)).toEqual([['deleted', other, 4, 0], ['window', sessionId, 2, 0]]);
    expect(fromBlob.transcripts[0]).toMatchObject({ sessionKey: 'agent:main:gone', file: { name, archivedAt: Date.parse('2026-09-11T10:00:00Z') } });
    mkdirSync(join(state, 'agents/main/sessions'));
    writeFileSync(join(state, 'agents/main/sessions', name), rawZstd(lines));
    expect(rowsOf(await read(state))).toEqual(rowsOf(fromBlob));
  });

  it('reads a transcript in cold storage, from a file and from the database', async () => {
    const archiveName = `${'ab'.repeat(32)}.jsonl.zst`;
    const records = [
      { kind: 'header', version: 1, sessionId, generation: 'g' },
      ...talk(sessionId, start, 3).map((row, seq) => ({ kind: 'event', row: { seq, event_json: JSON.stringify(row), created_at: start } })),
      { kind: 'identity', row: { event_id: 'x', seq: 1 } },
    ];
    const packed = rawZstd(Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join('')));
    const window: WindowRecord = { sessionId, sessionKey, createdAt: start, events: [] };
    for (const storage of ['file', 'sqlite']) {
      const state = temporaryFolder();
      writeAgentDatabase(databaseAt(state), [window], (db) => {
        db.prepare("INSERT INTO session_transcript_cold_archives VALUES (?, 'g', ?, ?, 4, 1, 1, 3, ?, ?, ?)").run(sessionId, archiveName, 'ab'.repeat(32), start, storage, storage === 'sqlite' ? packed : null);
      });
      if (storage === 'file') {
        mkdirSync(join(state, 'agents/main/sessions/cold'), { recursive: true });
        writeFileSync(join(state, 'agents/main/sessions/cold', archiveName), packed);
      }
      expect(rowsOf(await read(state))).toEqual([['window', sessionId, 4, 0]]);
    }
  });

  it('reads the schemas before 14, where entries and windows had other names', async () => {
    const state = temporaryFolder();
    writeAgentDatabase(databaseAt(state), [{ sessionId, sessionKey, createdAt: start, events: talk(sessionId, start, 3) }], (db) => {
      db.exec(`CREATE TABLE sessions AS SELECT session_id, created_at, updated_at FROM session_windows;
        CREATE TABLE session_entries AS SELECT session_key, current_session_id AS session_id, entry_json, updated_at, status FROM session_nodes;
        CREATE TABLE session_routes AS SELECT session_key, session_id FROM session_windows;
        DROP TABLE session_windows; DROP TABLE session_nodes; ALTER TABLE transcript_events DROP COLUMN event_zstd; ALTER TABLE transcript_events DROP COLUMN event_utf8_bytes;
        UPDATE schema_meta SET schema_version = 11; PRAGMA user_version = 11;`);
    });
    const found = await read(state);
    expect(rowsOf(found)).toEqual([['window', sessionId, 4, 0]]);
    expect(found.transcripts[0]?.sessionKey).toBe(sessionKey);
    expect(found.snapshot.schema).toMatchObject({ version: '11', newer: false });
  });

  it('knows a schema that is newer than known', async () => {
    const state = temporaryFolder();
    writeAgentDatabase(databaseAt(state), [{ sessionId, sessionKey, createdAt: start, events: talk(sessionId, start, 1) }], (db) => {
      db.exec('UPDATE schema_meta SET schema_version = 31; PRAGMA user_version = 31');
    });
    expect((await read(state)).snapshot.schema).toMatchObject({ version: '31', newer: true });
  });
});
