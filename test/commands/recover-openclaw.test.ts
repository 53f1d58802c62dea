import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { writeAgentDatabase } from '../helpers/agent-database.ts';
import { ambientTranscript, iso, minute, night, stateFolder, uuid } from '../helpers/openclaw-state.ts';
import { temporaryFolder } from '../helpers/paths.ts';
import { recovered, type Recovered } from '../helpers/recovered.ts';

const id = uuid(1);
const key = 'agent:main:main';
const copyName = `${id}.jsonl.corrupt-2026-07-03T03-00-00.000Z-0a1b2c3d.jsonl`;
const index = { [key]: { sessionId: id, updatedAt: night } };
const counts = ({ rows }: Recovered): unknown[] => rows.filter((row) => row.source !== null).map(({ source, rows: read, present, repeated, written, expected, notFound, problem }) => ({ source, read, present, repeated, written, expected, notFound, problem }));

describe('recover reads transcripts that OpenClaw put aside', () => {
  it('writes the rows that no other file of the session has, by content and id, with their lines', async () => {
    const all = ambientTranscript(id, night, ['one', 'two', 'three', 'four']);
    const lines = [...all.slice(1).map((row) => JSON.stringify(row)), '{"type": "mess', ''].join('\n');
    const result = await recovered(stateFolder({ index, files: { [`${id}.jsonl`]: all.slice(0, 3), [`${id}.jsonl.reset.2026-07-03T03-00-00.000Z`]: [...all.slice(0, 1), ...all.slice(3, 4)], [copyName]: lines } }));
    expect(counts(result)).toEqual([{ source: copyName, read: 5, present: 3, repeated: 0, written: 1, expected: 2, notFound: 1, problem: null }]);
    expect(result.lines.map(({ session, sessionKey, from }) => [session, sessionKey, from.line])).toEqual([[id, key, 4]]);
    expect(result.lines[0]?.text).toContain('four');
    expect(result.rows[0]?.notes).toEqual(['1 row is no JSON object and could not be read.']);
  });

  it('two copies of one transcript: each row once', async () => {
    const all = ambientTranscript(id, night, ['one', 'two']);
    const second = copyName.replace('03-00-00', '04-00-00');
    const result = await recovered(stateFolder({ index, files: { [`${id}.jsonl`]: all.slice(0, 1), [copyName]: all.slice(1), [second]: all.slice(1) } }));
    expect(counts(result)).toMatchObject([{ written: 2, repeated: 0 }, { source: second, written: 0, repeated: 2 }]);
  });

  it('a copy of which the store has everything: nothing is written', async () => {
    const all = ambientTranscript(id, night, ['one', 'two']);
    const result = await recovered(stateFolder({ index, files: { [`${id}.jsonl`]: all, [copyName]: all.slice(1) } }));
    expect(counts(result)).toEqual([{ source: copyName, read: 2, present: 2, repeated: 0, written: 0, expected: 0, notFound: 0, problem: null }]);
    expect(result.lines).toEqual([]);
  });
});

describe('recover reads databases that OpenClaw put aside', () => {
  const event = (n: number): Record<string, unknown> => ({ type: 'message', id: `e${n}`, parentId: n === 1 ? null : `e${n - 1}`, timestamp: iso(night + n * minute), message: { role: 'user', content: `word ${n}`, timestamp: night + n * minute } });
  const header = { type: 'session', version: 4, id, timestamp: iso(night) };
  const window = (last: number, sessionId = id, sessionKey = key): Parameters<typeof writeAgentDatabase>[1][number] => ({ sessionId, sessionKey, createdAt: night, events: [header, ...Array.from({ length: last }, (_, n) => event(n + 1))] });

  /** A store with two events, and beside it a put-aside database with four of that session and two of another. */
  function store(harm: (copy: string) => void = () => {}): { root: string; copy: string } {
    const root = join(temporaryFolder(), 'state');
    const path = writeAgentDatabase(join(root, 'agents/main/agent/openclaw-agent.sqlite'), [window(2)]);
    const copy = `${path}.corrupt-2026-07-03T03-00-00.000Z`;
    writeAgentDatabase(copy, [window(4), window(2, uuid(2), 'agent:main:other')]);
    harm(copy);
    return { root, copy };
  }
  const name = 'openclaw-agent.sqlite.corrupt-2026-07-03T03-00-00.000Z';

  it('writes the events that the store lacks, with session, chat and sequence', async () => {
    const { root, copy } = store();
    const result = await recovered(root);
    expect(counts(result)).toEqual([{ source: name, read: 8, present: 4, repeated: 0, written: 4, expected: 4, notFound: 0, problem: null }]);
    expect(result.lines.map(({ session, sessionKey, text, from }) => [session, sessionKey, text, from.row])).toEqual([
      [id, key, 'word 3', `${id}/3`],
      [id, key, 'word 4', `${id}/4`],
      [uuid(2), 'agent:main:other', 'word 1', `${uuid(2)}/1`],
      [uuid(2), 'agent:main:other', 'word 2', `${uuid(2)}/2`],
    ]);
    expect(result.lines[0]?.from.path).toBe(copy);
  });

  it('with the log that was put aside with it; a log that is a link is not followed', async () => {
    const late = (copy: string): Buffer => {
      const db = new Database(copy);
      db.pragma('journal_mode = WAL');
      db.pragma('wal_autocheckpoint = 0');
      db.prepare('INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES (?, 5, ?, 0)').run(id, JSON.stringify(event(5)));
      const bytes = readFileSync(`${copy}-wal`);
      const main = readFileSync(copy);
      db.close();
      writeFileSync(copy, main);
      rmSync(`${copy}-shm`, { force: true });
      return bytes;
    };
    const whole = await recovered(store((copy) => writeFileSync(`${copy}-wal`, late(copy))).root);
    expect(whole.lines.map((line) => line.text)).toContain('word 5');
    const linked = store((copy) => {
      const outside = join(temporaryFolder(), 'wal');
      writeFileSync(outside, late(copy));
      symlinkSync(outside, `${copy}-wal`);
    });
    const result = await recovered(linked.root);
    expect(result.lines.map((line) => line.text)).not.toContain('word 5');
    expect(result.rows.find((row) => row.source === name)?.notes).toEqual([`${name}-wal is a link, and links are not followed.`]);
  });

  it.each<[string, (copy: string) => void, RegExp]>([
    ['zero bytes', (copy) => writeFileSync(copy, ''), /0 bytes/],
    ['no database', (copy) => writeFileSync(copy, 'x'.repeat(2000)), /not those of a SQLite database/],
    ['cut short', (copy) => writeFileSync(copy, readFileSync(copy).subarray(0, 4096)), /header counts \d+ pages/],
    ['pages of events overwritten', (copy) => {
      const db = new Database(copy, { readonly: true });
      const root = Number(db.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'transcript_events'").pluck().get());
      db.close();
      const bytes = readFileSync(copy);
      writeFileSync(copy, bytes.fill(0x5a, (root - 1) * 1024, root * 1024));
    }, /integrity_check finds|malformed/],
    ['another database', (copy) => { rmSync(copy); const db = new Database(copy); db.exec('CREATE TABLE t (a)'); db.close(); }, /no table transcript_events/],
  ])('%s: not readable, and why', async (_name, harm, wanted) => {
    const result = await recovered(store(harm).root);
    expect(result.lines).toEqual([]);
    expect(result.errors).toEqual([]);
    expect(result.rows.find((row) => row.source === name)?.problem).toMatch(wanted);
  });

  it('events of a session without a window', async () => {
    const root = join(temporaryFolder(), 'state');
    writeAgentDatabase(join(root, 'agents/main/agent/openclaw-agent.sqlite'), [window(2), window(3, uuid(3), 'agent:main:gone')], (db) => db.exec(`DELETE FROM session_windows WHERE session_id = '${uuid(3)}'; DELETE FROM session_nodes WHERE current_session_id = '${uuid(3)}'`));
    const result = await recovered(root);
    expect(result.rows).toMatchObject([{ checkId: 'db/orphan-rows', session: uuid(3), expected: 4, written: 4 }]);
  });
});

describe('a store that was copied whole', () => {
  it('is read where it lies', async () => {
    const all = ambientTranscript(id, night, ['one', 'two']);
    const root = stateFolder({ index, files: { [`${id}.jsonl`]: all.slice(0, 2), [copyName]: all.slice(1) } });
    const elsewhere = join(temporaryFolder(), 'copy');
    mkdirSync(elsewhere);
    cpSync(root, elsewhere, { recursive: true });
    expect((await recovered(elsewhere)).lines).toHaveLength(1);
  });
});
