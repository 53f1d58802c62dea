import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { message, retireWal, walHome, writeAndDie } from '../helpers/hermes-captures.ts';
import { recovered, type Recovered } from '../helpers/recovered.ts';
import { startSeconds } from '../helpers/hermes.ts';
import { temporaryFolder } from '../helpers/paths.ts';

const key = 'agent:main:telegram:dm:7';
const capture = 'state.db.retired-wal-20260901-072448-4242';

/** A home with one chat of four rows (ids 1 to 4) at rest, two of them with uids. */
const home = (): string =>
  walHome((store) => {
    store.session({ id: 's1', key });
    store.talk('s1', 'early', 1, startSeconds);
    store.message('s1', { content: 'third', ts: startSeconds + 100, uid: 'u3' });
    store.message('s1', { content: 'fourth', ts: startSeconds + 200, uid: 'u4', role: 'assistant' });
  });

/** What only the log of the retired generation has: rows 5 to 7. */
const retired = [message('s1', 'only in the log', startSeconds + 300, 'u5'), message('s1', 'and its answer', startSeconds + 301.5, 'u6', 'assistant'), message('s2', 'of a session without a row', startSeconds + 302)];

/** The live database goes on: its rows take the ids that the retired ones had. */
function goOn(store: string, sql: readonly string[], pragma = 'wal_checkpoint(TRUNCATE)'): void {
  const db = new Database(join(store, 'state.db'));
  db.pragma('foreign_keys = OFF');
  for (const one of sql) db.exec(one);
  db.pragma(pragma);
  db.close();
}

const counts = ({ rows }: Recovered, source = capture): unknown => rows.filter((row) => row.source === source).map(({ rows: read, present, repeated, written, expected, notFound, problem }) => ({ read, present, repeated, written, expected, notFound, problem }));
const written = ({ lines }: Recovered): [string | null, number | undefined, string][] => lines.map((line) => [line.session, line.from.row, line.text]);
const lost: [string, number, string][] = [['s1', 5, 'only in the log'], ['s1', 6, 'and its answer'], ['s2', 7, 'of a session without a row']];

describe('recover reads retired write-ahead logs of Hermes', () => {
  it('writes the rows that only the log has, with capture, row and chat; ids that live rows took meanwhile do not hide them', async () => {
    const store = home();
    writeAndDie(store, retired);
    retireWal(store);
    goOn(store, [message('s1', 'live went on', startSeconds + 400, 'u7'), message('s1', 'and on', startSeconds + 401, 'u8')]);
    const result = await recovered(store);
    expect(counts(result)).toEqual([{ read: 7, present: 4, repeated: 0, written: 3, expected: 3, notFound: 0, problem: null }]);
    expect(written(result)).toEqual(lost);
    expect(result.lines[0]).toMatchObject({ source: capture, session: 's1', sessionKey: key, id: '5', role: 'user', time: '2026-08-05T09:05:00.000Z', from: { path: join(store, capture), table: 'messages', row: 5 } });
    expect(result.lines[2]).toMatchObject({ session: 's2', sessionKey: null });
    expect(result.markdown.match(/^## /gm)).toHaveLength(2);
    expect(result.rows[0]?.notes).toEqual([]);
  });

  it('knows a row by its uid although it was written again under another id and text, by its text where uids are new, and what was folded into another', async () => {
    const store = home();
    writeAndDie(store, [...retired, message('s1', 'folded', startSeconds + 310, 'u9')]);
    retireWal(store);
    goOn(store, [
      message('s1', 'shown differently', startSeconds + 999, 'u5'),
      message('s1', 'and its answer', startSeconds + 301.5, 'minted-later', 'assistant'),
      "UPDATE messages SET absorbed_message_uids = '[\"u9\"]' WHERE message_uid = 'u5'",
    ]);
    expect(written(await recovered(store))).toEqual([['s2', 7, 'of a session without a row']]);
  });

  it('finds nothing to write where the live database has all of it, and says so', async () => {
    const store = home();
    writeAndDie(store, retired);
    cpSync(join(store, 'state.db-wal'), join(store, 'kept'));
    retireWal(store);
    cpSync(join(store, 'kept'), join(store, 'state.db-wal'));
    rmSync(join(store, 'kept'));
    const result = await recovered(store);
    expect(counts(result)).toEqual([{ read: 7, present: 7, repeated: 0, written: 0, expected: 0, notFound: 0, problem: null }]);
    expect(result.rows.find((row) => row.source === capture)).toMatchObject({ jsonl: null, markdown: null });
    expect(result.rows.filter((row) => row.source === null)).toMatchObject([{ checkId: 'db/orphan-rows', session: 's2', written: 1 }]);
  });

  it('two captures of one generation: each row once, with the first that has it', async () => {
    const store = home();
    writeAndDie(store, retired);
    const first = retireWal(store);
    cpSync(first, `${first}-1`, { recursive: true });
    const result = await recovered(store);
    expect(counts(result)).toMatchObject([{ written: 3, repeated: 0 }]);
    expect(counts(result, `${capture}-1`)).toEqual([{ read: 7, present: 4, repeated: 3, written: 0, expected: 0, notFound: 0, problem: null }]);
    expect(written(result)).toEqual(lost);
  });

  it('older schema, without uids and tool columns: by role, text and time', async () => {
    const store = walHome((one) => { one.session({ id: 's1' }); one.talk('s1', 'early', 2, startSeconds); }, { without: ['message_uid', 'absorbed_message_uids', 'tool_call_id', '_compressed_summary'], version: 9 });
    writeAndDie(store, ["INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s1', 'user', 'late', 1785921000.25)"]);
    retireWal(store);
    expect(written(await recovered(store))).toEqual([['s1', 5, 'late']]);
  });

  describe('without a database file in it', () => {
    it.each(['header', 'none'] as const)('%s: the log over the live file as long as nothing was written to it since', async (image) => {
      const store = home();
      writeAndDie(store, retired);
      retireWal(store, { image });
      const result = await recovered(store);
      expect(counts(result)).toMatchObject([{ read: 7, present: 4, written: 3, problem: null }]);
      expect(written(result)).toEqual(lost);
      expect(result.rows[0]?.notes.join(' ')).toContain('laid over a private copy of state.db');
    });

    /** A table of many pages: the log changes few of them. */
    const large = (): string => walHome((store) => { store.session({ id: 's1', key }); for (let i = 0; i < 300; i++) store.message('s1', { content: `${i} ${'x'.repeat(300)}`, ts: startSeconds + i }); });

    it('the live file was written elsewhere since: not readable, and nothing of a mixture is written', async () => {
      const store = large();
      writeAndDie(store, retired);
      retireWal(store, { image: 'header' });
      goOn(store, ['DELETE FROM messages WHERE id BETWEEN 40 AND 200', 'VACUUM']);
      const result = await recovered(store);
      expect(result.lines).toEqual([]);
      expect(result.rows).toMatchObject([{ source: capture, written: 0, problem: expect.stringMatching(/makes no sound database.*was written since/) }]);
    });

    it('the live file went on behind the same rows: never a row that neither generation had', async () => {
      for (const more of [1, 5, 40]) {
        const store = large();
        writeAndDie(store, retired);
        retireWal(store, { image: 'none' });
        goOn(store, Array.from({ length: more }, (_, i) => message('s1', `new ${i} ${'y'.repeat(300)}`, startSeconds + 5000 + i)));
        const result = await recovered(store);
        for (const [session, , text] of written(result)) expect(lost.map(([one, , words]) => [one, words])).toContainEqual([session, text]);
        expect(result.rows[0]?.problem === null ? result.lines.length : 3).toBe(3);
      }
    });

    it('the live file was made anew (another application_id), or has other pages: not readable', async () => {
      const store = home();
      writeAndDie(store, retired);
      const folder = retireWal(store, { image: 'header' });
      const head = readFileSync(join(folder, 'state.db.header'));
      head.writeUInt32BE(99, 68);
      writeFileSync(join(folder, 'state.db.header'), head);
      expect((await recovered(store)).rows[0]?.problem).toContain('made anew since');
      rmSync(join(folder, 'state.db.header'));
      goOn(store, ['PRAGMA journal_mode = DELETE', 'PRAGMA page_size = 8192', 'VACUUM']);
      expect((await recovered(store)).rows[0]?.problem).toContain('pages have 4096 bytes where those of state.db have 8192');
    });
  });

  describe('hostile and half', () => {
    const wal = (store: string): string => join(store, capture, 'state.db-wal');
    const cases: [string, (store: string) => void, { rows: [number, string][]; problem: RegExp | null; note?: RegExp }][] = [
      ['a garbage log beside an image: the image alone', (store) => writeFileSync(wal(store), Buffer.alloc(9000, 'garbage')), { rows: [], problem: null, note: /state\.db-wal was not read: its first bytes/ }],
      ['a log of zero bytes beside an image', (store) => truncateSync(wal(store), 0), { rows: [], problem: null, note: /state\.db-wal was not read: it has 0 bytes/ }],
      ['a log that is cut: whole commits before the cut', (store) => truncateSync(wal(store), readFileSync(wal(store)).length - 10), { rows: [[5, 'only in the log'], [6, 'and its answer']], problem: null, note: /up to frame \d+ of \d+: it ends inside.*/ }],
      ['no manifest', (store) => rmSync(join(store, capture, 'manifest.json')), { rows: lost.map(([, row, text]) => [row, text]), problem: null, note: /no manifest/ }],
      ['a manifest that is no JSON', (store) => writeFileSync(join(store, capture, 'manifest.json'), 'private words'), { rows: lost.map(([, row, text]) => [row, text]), problem: null, note: /manifest cannot be read(?!.*words)/ }],
      ['an image alone', (store) => rmSync(wal(store)), { rows: [], problem: null }],
      ['a garbage log without an image', (store) => { rmSync(join(store, capture, 'state.db')); writeFileSync(wal(store), 'x'); }, { rows: [], problem: /1 bytes, less than its header/ }],
      ['an empty folder', (store) => { rmSync(join(store, capture), { recursive: true }); mkdirSync(join(store, capture)); }, { rows: [], problem: /neither a database nor/ }],
      ['a file in place of the folder', (store) => { rmSync(join(store, capture), { recursive: true }); writeFileSync(join(store, capture), 'x'); }, { rows: [], problem: /less than a database header|not those of a SQLite database/ }],
      ['an image that is no database', (store) => writeFileSync(join(store, capture, 'state.db'), Buffer.alloc(8192, 'no')), { rows: [], problem: /not those of a SQLite database/ }],
      ['an image that is cut', (store) => { rmSync(wal(store)); truncateSync(join(store, capture, 'state.db'), 4096 * 2); }, { rows: [], problem: /header counts \d+ pages/ }],
      ['an image whose message tree is overwritten', (store) => {
        rmSync(wal(store));
        const db = new Database(join(store, 'state.db'), { readonly: true });
        const root = Number(db.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'messages'").pluck().get());
        db.close();
        const bytes = readFileSync(join(store, capture, 'state.db'));
        bytes.fill(0x5a, (root - 1) * 4096, root * 4096);
        writeFileSync(join(store, capture, 'state.db'), bytes);
      }, { rows: [], problem: /integrity_check finds|malformed/ }],
    ];
    it.each(cases)('%s', async (_name, harm, wanted) => {
      const store = home();
      writeAndDie(store, retired);
      retireWal(store);
      harm(store);
      const result = await recovered(store);
      expect(result.errors).toEqual([]);
      expect(result.lines.map((line) => [line.from.row, line.text])).toEqual(wanted.rows);
      const [row] = result.rows;
      expect(row?.problem ?? 'readable').toMatch(wanted.problem ?? /^readable$/);
      expect(row?.notes.join(' ')).toMatch(wanted.note ?? /^/);
      expect((row?.rows ?? 0) - (row?.present ?? 0) - (row?.repeated ?? 0)).toBe((row?.written ?? 0) + (row?.notFound ?? 0));
    });

    it.each(['state.db', 'state.db-wal'])('%s is a link that leads out of the store: not followed', async (name) => {
      const store = home();
      writeAndDie(store, retired);
      const folder = retireWal(store);
      const outside = join(temporaryFolder(), name);
      cpSync(join(folder, name), outside);
      rmSync(join(folder, name));
      symlinkSync(outside, join(folder, name));
      const result = await recovered(store);
      expect(result.lines).toEqual([]);
      expect([result.rows[0]?.problem, ...(result.rows[0]?.notes ?? [])].join(' ')).toContain(`${name} is a link, and links are not followed`);
    });

    it('a capture that is itself a link is not looked at', async () => {
      const store = home();
      writeAndDie(store, retired);
      const folder = retireWal(store);
      const outside = join(temporaryFolder(), 'elsewhere');
      cpSync(folder, outside, { recursive: true });
      rmSync(folder, { recursive: true });
      symlinkSync(outside, folder);
      expect((await recovered(store)).rows).toEqual([]);
    });

    it.each(['DELETE', 'WAL'])('a damaged index costs no row: the table is read without it (%s)', async (mode) => {
      const store = home();
      const copy = join(store, 'state.db.malformed-backup-20260901_072448');
      cpSync(join(store, 'state.db'), copy);
      const db = new Database(copy);
      db.pragma(`journal_mode = ${mode}`);
      db.prepare("INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s1', 'user', 'behind a damaged index', 1785921000)").run();
      const root = Number(db.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'idx_messages_session'").pluck().get());
      db.close();
      const bytes = readFileSync(copy);
      bytes.writeUInt16BE(0, (root - 1) * 4096 + 3);
      writeFileSync(copy, bytes);
      const result = await recovered(store);
      expect(result.rows.map((row) => row.problem)).toEqual([null]);
      expect(written(result)).toEqual([['s1', 5, 'behind a damaged index']]);
    });
  });
});

describe('recover reads other copies and files beside the store', () => {
  it('a whole history that was put aside before a new database was begun, its log included', async () => {
    const store = home();
    writeAndDie(store, retired);
    const aside = join(store, 'state.db.notadb-20260901-072448-4242.bak');
    cpSync(join(store, 'state.db'), aside);
    cpSync(join(store, 'state.db-wal'), `${aside}-wal`);
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(store, `state.db${suffix}`), { force: true });
    const fresh = new Database(aside, { readonly: true });
    const schema = fresh.prepare("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'").pluck().all() as string[];
    fresh.close();
    rmSync(`${aside}-shm`, { force: true });
    const db = new Database(join(store, 'state.db'));
    for (const sql of schema) db.exec(sql);
    db.close();
    const result = await recovered(store);
    expect(counts(result, 'state.db.notadb-20260901-072448-4242.bak')).toEqual([{ read: 7, present: 0, repeated: 0, written: 7, expected: 7, notFound: 0, problem: null }]);
    expect(result.lines.map((line) => line.from.row)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('while the store itself is damaged: its copies are read all the same, and it is named as not searched', async () => {
    const store = home();
    cpSync(join(store, 'state.db'), join(store, 'state.db.corrupt-1'));
    writeFileSync(join(store, 'state.db'), Buffer.alloc(4096));
    const result = await recovered(store);
    expect(result.unsearched).toEqual([join(store, 'state.db')]);
    expect(counts(result, 'state.db.corrupt-1')).toMatchObject([{ read: 4, present: 0, written: 4 }]);
  });

  it('a zeroed original: named, with the reason', async () => {
    const store = home();
    writeFileSync(join(store, 'state.db.zeroed-20260901-072448-4242.bak'), Buffer.alloc(4096));
    expect((await recovered(store)).rows).toMatchObject([{ written: 0, problem: expect.stringContaining('only zero bytes') }]);
  });

  it('spooled payloads of every shape and a diverted transcript: what the store has by now is not written', async () => {
    const store = home();
    const spool = join(store, 'pending_messages');
    mkdirSync(spool);
    const lay = (name: string, payload: unknown): void => writeFileSync(join(spool, name), typeof payload === 'string' ? payload : JSON.stringify(payload));
    lay('pending-1.json', { session_key: 's1', reason: 'transcript_cap_drop', ts: startSeconds + 9, data: { session_id: 's1', message: { role: 'assistant', content: 'spooled', timestamp: startSeconds + 500 } } });
    lay('pending-2.json', { session_key: key, reason: 'shutdown', ts: startSeconds + 10, data: { text: 'a prompt that waits' } });
    lay('pending-3.json', { reason: 'shutdown-with-unpersisted-agent-history', session_id: 's1', messages: [{ role: 'user', content: 'third' }, { role: 'user', content: [{ type: 'text', text: 'in parts' }] }] });
    lay('pending-4.json.bad', '{"cut');
    lay('pending-5.json', { version: 9 });
    symlinkSync(join(store, 'state.db'), join(spool, 'pending-6.json'));
    mkdirSync(join(store, 'sessions'));
    writeFileSync(join(store, 'sessions', 's1.jsonl'), `${JSON.stringify({ role: 'assistant', content: 'fourth' })}\n${JSON.stringify({ role: 'user', content: 'diverted', timestamp: startSeconds + 600 })}\n{"role": "us\n`);
    const result = await recovered(store);
    expect(result.lines.map(({ source, session, sessionKey, role, text, from }) => [source, session, sessionKey, role, text, from.line])).toEqual([
      ['pending_messages', 's1', 's1', 'assistant', 'spooled', undefined],
      ['pending_messages', null, key, 'user', 'a prompt that waits', undefined],
      ['pending_messages', 's1', null, 'user', 'in parts', undefined],
      ['sessions/s1.jsonl', 's1', null, 'user', 'diverted', 2],
    ]);
    const [spooled, diverted] = result.rows;
    expect(spooled).toMatchObject({ rows: 4, present: 1, written: 3 });
    expect(spooled?.notes.join(' ')).toMatch(/pending-4\.json\.bad.*pending-5\.json holds no message that is known.*pending-6\.json: a link/);
    expect(diverted).toMatchObject({ rows: 2, present: 1, written: 1 });
    expect(spooled?.notes[0]).toContain('at its next start');
    expect(diverted?.notes).toEqual(['Not read: line 3 is no JSON.']);
  });
});

describe('recover writes rows whose session is gone', () => {
  it('all of them, beyond what a finding lists', async () => {
    const store = walHome((one) => { one.session({ id: 's1' }); for (let i = 0; i < 1100; i++) one.message('gone', { content: `row ${i}`, ts: startSeconds + i }); });
    const result = await recovered(store);
    expect(result.rows).toMatchObject([{ checkId: 'db/orphan-rows', session: 'gone', expected: 1100, written: 1100, notFound: 0 }]);
    expect(result.lines[1099]).toMatchObject({ session: 'gone', text: 'row 1099', from: { table: 'messages', row: 1100 } });
  });
});
