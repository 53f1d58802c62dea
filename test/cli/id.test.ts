import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../helpers/cli.ts';
import { buildStore, day, hour, v1, wrap } from '../helpers/opencode-store.ts';
import { temporaryFolder } from '../helpers/paths.ts';
import { untouched } from '../helpers/untouched.ts';

const clock = ['--now', '2026-11-30T12:00:00Z', '--zone', 'UTC'];

describe('sessionfsck id', () => {
  it('decodes an id from before the wrap', () => {
    const run = runCli(['id', 'msg_ffd191fba0018dBLqQ503dNUNs', ...clock]);
    expect(run.code).toBe(0);
    for (const fact of ['v1, ascending', 'ffd191fba001', '68 670 791 610', 'counter 1', '2024-06-09 13:03:53.274', '2026-08-13 21:48:30.010', '2028-10-17 06:33:06.746', 'after every id minted since 2026-08-14 11:19:55.136 UTC', 'next 2028-10-17 20:04:31.872 UTC']) {
      expect(run.stdout).toContain(fact);
    }
  });

  it('shows times of a zone beside UTC', () => {
    const run = runCli(['id', 'msg_ffd191fba0018dBLqQ503dNUNs', '--now', '2026-11-30T12:00:00Z', '--zone', 'Asia/Kolkata']);
    expect(run.stdout).toContain('2026-08-13 21:48:30.010 UTC = 2026-08-14 03:18:30 +05:30');
  });

  it('gives one document with a list', () => {
    const run = runCli(['id', 'ses_-ffe5f308baf58ffe5shdXCeZA', 'msg_x', '--json', ...clock]);
    const document: unknown = JSON.parse(run.stdout);
    expect(document).toMatchObject({
      schemaVersion: 1,
      ids: [
        { format: 'v2', direction: 'descending', counter: 1, place: 'before', candidates: [{ time: '2026-09-23T18:08:21.671Z', future: false }] },
        { id: 'msg_x', format: 'opaque', candidates: [], lastWrap: '2026-08-14T11:19:55.136Z', nextWrap: '2028-10-17T20:04:31.872Z' },
      ],
    });
  });

  it('never lets an id steer the terminal', () => {
    const run = runCli(['id', 'msg_\u001b[31m\u202e', 'msg_x', ...clock]);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('msg_\\x1b[31m\\u202e');
    expect(run.stdout.includes('\u001b')).toBe(false);
  });

  it('stays inside 80 columns', () => {
    const run = runCli(['id', 'msg_1a0cf745102001P11hofJYMxyz', 'ses_01a08f729ffeWTJzTV0JExjSPA', 'msg_g001a0cf745102001P11hofJYM', '--now', '2026-11-30T12:00:00Z', '--zone', 'Europe/Berlin']);
    expect(run.stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('asks a store for the row and takes the epoch nearest to it', async () => {
    const folder = temporaryFolder();
    const store = buildStore(join(folder, 'opencode.db'));
    const session = store.session(wrap - day);
    const prompt = store.user(session, wrap - day);
    const forked = store.user(session, wrap - hour, { id: v1(wrap + 3 * day) });
    store.close();
    const run = await untouched(folder, () => runCli(['id', prompt, forked, 'msg_gone', '--store', folder, '--json', ...clock]));
    expect(run.code).toBe(0);
    const nearest = (time: number): object => ({ candidates: expect.arrayContaining([expect.objectContaining({ time: new Date(time).toISOString(), nearest: true })]) });
    expect(JSON.parse(run.stdout)).toMatchObject({
      ids: [
        { ...nearest(wrap - day), row: { table: 'message', sessionId: session, time: '2026-08-13T11:19:55.136Z' } },
        { ...nearest(wrap + 3 * day), row: { time: '2026-08-14T10:19:55.136Z' } },
        { format: 'opaque', row: null },
      ],
    });
    const text = runCli(['id', forked, 'msg_gone', '--store', folder, ...clock]).stdout;
    expect(text).toContain('minted 3 days later');
    expect(text).toContain('none in that store');
    expect(runCli(['id', prompt, '--store', join(folder, 'nowhere'), ...clock]).code).toBe(2);
  });

  it('needs an id', () => {
    expect(runCli(['id']).code).toBe(2);
  });
});
