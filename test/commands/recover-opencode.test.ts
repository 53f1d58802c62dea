import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recovered, type Recovered } from '../helpers/recovered.ts';
import { buildStore, minute, v1, wrap } from '../helpers/opencode-store.ts';
import { temporaryFolder } from '../helpers/paths.ts';

type Legacy = { project?: string | null; session?: boolean; texts: string[]; start?: number };

const lay = (path: string, value: unknown): void => {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
};

/** Writes one session in the layout of before 1.2.0; returns its message ids. File names are in no order of time. */
function layLegacy(data: string, sessionId: string, { project = 'p1', session = true, texts, start = wrap }: Legacy): string[] {
  const storage = join(data, 'storage');
  if (project !== null) lay(join(storage, 'project', `${project}.json`), { id: project });
  if (session) lay(join(storage, 'session', project ?? 'gone', `${sessionId}.json`), { id: sessionId, version: '1.1.4', time: { created: start } });
  return texts.map((text, index) => {
    const time = start + index * minute;
    const id = `msg_${String(999 - index)}${sessionId.slice(4)}${v1(time).slice(-14)}`;
    lay(join(storage, 'message', sessionId, `${id}.json`), { id, sessionID: sessionId, role: index % 2 === 0 ? 'user' : 'assistant', time: { created: time } });
    lay(join(storage, 'part', id, `prt_1${id.slice(4)}.json`), { type: 'step-start' });
    lay(join(storage, 'part', id, `prt_2${id.slice(4)}.json`), { type: 'text', text });
    return id;
  });
}

const data = (): string => join(temporaryFolder(), 'opencode');
const texts = ({ lines }: Recovered): unknown[] => lines.map(({ session, role, text }) => [session, role, text]);
const counts = ({ rows }: Recovered): unknown[] => rows.filter((row) => row.session !== null).map(({ checkId, session, expected, written, notFound }) => ({ checkId, session, expected, written, notFound }));

describe('recover reads the JSON files of before 1.2.0', () => {
  it('alone: sessions without a session file, or which an import would leave out; the others are named with their place', async () => {
    const folder = data();
    layLegacy(folder, 'ses_whole', { texts: ['shown', 'answer'] });
    const [first] = layLegacy(folder, 'ses_nofile', { session: false, texts: ['lost one', 'lost two', 'lost three'] });
    layLegacy(folder, 'ses_noproject', { project: null, texts: ['not imported'] });
    const result = await recovered(folder);
    expect(texts(result)).toEqual([['ses_nofile', 'user', 'lost one'], ['ses_nofile', 'assistant', 'lost two'], ['ses_nofile', 'user', 'lost three'], ['ses_noproject', 'user', 'not imported']]);
    expect(counts(result)).toEqual([
      { checkId: 'history/dropped-messages', session: 'ses_nofile', expected: 3, written: 3, notFound: 0 },
      { checkId: 'history/dropped-messages', session: 'ses_noproject', expected: 1, written: 1, notFound: 0 },
    ]);
    expect(result.lines[0]).toMatchObject({ id: first, time: new Date(wrap).toISOString(), from: { path: join(folder, 'storage', 'part', first ?? '', `prt_2${first?.slice(4)}.json`) } });
    const summary = result.rows.find((row) => row.session === null);
    expect(summary).toMatchObject({ source: join(folder, 'storage'), expected: 0, jsonl: null });
    expect(summary?.notes[0]).toContain('6 messages in 3 sessions; builds of that time show 2 of them');
  });

  it('alone and whole: nothing is written, and their place is named', async () => {
    const folder = data();
    layLegacy(folder, 'ses_whole', { texts: ['shown', 'answer'] });
    const result = await recovered(join(folder, 'storage'));
    expect(result.lines).toEqual([]);
    expect(result.rows.map((row) => row.source)).toEqual([join(folder, 'storage')]);
  });

  it('hostile: a message that is no JSON, one without parts, links, a name that is no id', async () => {
    const folder = data();
    const [first, second] = layLegacy(folder, 'ses_a', { session: false, texts: ['kept', 'gone'] });
    writeFileSync(join(folder, 'storage', 'message', 'ses_a', `${first}.json`), '{"role": "us');
    rmSync(join(folder, 'storage', 'part', second ?? ''), { recursive: true });
    lay(join(folder, 'storage', 'message', 'ses_a', 'msg_..%2f.json'), {});
    symlinkSync('/etc/hostname', join(folder, 'storage', 'part', first ?? '', 'prt_3.json'));
    mkdirSync(join(folder, 'storage', 'session', 'p1'), { recursive: true });
    const result = await recovered(folder);
    expect(texts(result)).toEqual([['ses_a', 'unknown', 'kept']]);
    expect(counts(result)).toEqual([{ checkId: 'history/dropped-messages', session: 'ses_a', expected: 3, written: 1, notFound: 2 }]);
  });

  it('beside a database: what it lacks of sessions that it has, and sessions whose project file is missing; not what a user deleted', async () => {
    const folder = data();
    mkdirSync(folder, { recursive: true });
    const store = buildStore(join(folder, 'opencode.db'));
    const here = store.session(wrap - 60 * minute);
    store.talk(here, wrap - 50 * minute, 1);
    store.close();
    layLegacy(folder, here, { texts: ['never imported'], start: wrap - 55 * minute });
    layLegacy(folder, 'ses_skipped', { project: null, texts: ['skipped', 'too'] });
    layLegacy(folder, 'ses_deleted', { texts: ['deleted on purpose'] });
    const result = await recovered(folder);
    expect(texts(result).map((line) => (line as string[])[2]).sort()).toEqual(['never imported', 'skipped', 'too']);
    expect(counts(result).map((row) => (row as { session: string }).session).sort()).toEqual([here, 'ses_skipped'].sort());
  });

  it('beside a database that cannot be read: all of them, and the database is named', async () => {
    const folder = data();
    layLegacy(folder, 'ses_a', { texts: ['one', 'two'] });
    writeFileSync(join(folder, 'opencode.db'), Buffer.alloc(4096));
    const result = await recovered(folder);
    expect(texts(result)).toEqual([['ses_a', 'user', 'one'], ['ses_a', 'assistant', 'two']]);
    expect(result.unsearched).toEqual([join(folder, 'opencode.db')]);
  });
});

describe('recover reads MiMo-Code', () => {
  it('names what the agent noted of a session whose messages are gone: the memory folder holds no messages', async () => {
    const folder = join(temporaryFolder(), 'mimocode');
    mkdirSync(folder);
    const store = buildStore(join(folder, 'mimocode.db'), 'mimocode');
    const session = store.session(wrap - 60 * minute);
    const ids = store.talk(session, wrap - 50 * minute, 2);
    store.talk(session, wrap + minute, 1);
    store.db.exec(`DELETE FROM part WHERE message_id IN ('${ids.join("','")}'); DELETE FROM message WHERE id IN ('${ids.join("','")}')`);
    store.close();
    lay(join(folder, 'memory', 'sessions', session, 'checkpoint.md'), '# what was done');
    const result = await recovered(folder);
    expect(counts(result)).toEqual([{ checkId: 'history/dropped-messages', session, expected: 4, written: 4, notFound: 0 }]);
    expect(result.rows[0]?.notes).toEqual([expect.stringContaining(join('memory', 'sessions', session, 'checkpoint.md'))]);
  });
});

describe('recover writes rows whose parent is gone', () => {
  it('messages of a missing session, all their parts, and parts of a missing message', async () => {
    const folder = data();
    mkdirSync(folder, { recursive: true });
    const store = buildStore(join(folder, 'opencode.db'));
    const session = store.session(wrap + minute);
    store.talk(session, wrap + 2 * minute, 1);
    const ids = store.talk('ses_missing', wrap + 10 * minute, 600, { text: 'orphaned' });
    store.part(ids[0] ?? '', 'ses_missing', wrap, { type: 'tool', tool: 'bash', state: { status: 'completed', input: { command: 'ls' }, output: 'files' } });
    store.db.prepare("INSERT INTO part VALUES ('prt_a', 'msg_missing', ?, 0, 0, ?)").run(session, JSON.stringify({ type: 'text', text: 'without its message' }));
    store.db.prepare("INSERT INTO part VALUES ('prt_b', 'msg_missing', ?, 0, 0, ?)").run(session, JSON.stringify({ type: 'step-start' }));
    store.close();
    const result = await recovered(folder);
    expect(counts(result).filter((row) => (row as { checkId: string }).checkId === 'db/orphan-rows')).toEqual(
      expect.arrayContaining([{ checkId: 'db/orphan-rows', session: 'ses_missing', expected: 1200, written: 1200, notFound: 0 }, { checkId: 'db/orphan-rows', session, expected: 2, written: 2, notFound: 0 }]),
    );
    expect(result.lines.filter((line) => line.session === session).map((line) => line.text)).toEqual(['without its message', '[step-start]']);
    expect(result.lines.filter((line) => line.id === ids[0]).map((line) => line.text).sort()).toEqual(['[tool bash] {"command":"ls"}\nfiles', 'orphaned']);
  });
});
