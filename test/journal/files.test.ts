import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256Of } from '../../src/io/splice.ts';
import { FriendlyError } from '../../src/model/errors.ts';
import type { Action } from '../../src/model/step.ts';
import { contentsOf, journalBench, planOf } from '../helpers/journal.ts';
import { temporaryFolder } from '../helpers/paths.ts';

const lines = ['{"type":"session","id":"s1"}', '{"id":"a","parentId":null,"n":1.0}', 'broken \u00ff', '{"id":"b","parentId":"x"}', '{"id":"c"'];
const transcript = Buffer.from(lines.join('\n'), 'latin1');
const index = '{\n  "agent:main": { "sessionId": "s1", "mark": { "m": 1 }, "n": 1.50 }\n}\n';

function makeStore(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'inner'));
  writeFileSync(join(folder, 'sessions.json'), index, { mode: 0o600 });
  writeFileSync(join(folder, 's1.jsonl'), transcript, { mode: 0o640 });
  writeFileSync(join(folder, 's1.jsonl.lock'), deadLock);
  writeFileSync(join(folder, 'inner', 's2.jsonl.deleted.2026'), 'archive');
  utimesSync(join(folder, 's1.jsonl'), 1_700_000_000, 1_700_000_001);
  chmodSync(join(folder, 's1.jsonl'), 0o640);
  return folder;
}

/** Above every pid that a Linux hands out. */
const deadLock = '{"pid":4194999}';
const lineHash = (number: number): string => sha256Of(Buffer.from(lines[number - 1] ?? '', 'latin1'));
const read = (folder: string, name: string): string => readFileSync(join(folder, name), 'latin1');

const cases: [string, (folder: string) => Action[], (folder: string) => void][] = [
  ['a key of the index', (folder) => [{ kind: 'edit-json-file', path: join(folder, 'sessions.json'), edits: [{ op: 'remove', path: ['agent:main', 'mark'], before: { m: 1 } }] }], (folder) => {
    expect(read(folder, 'sessions.json')).toBe('{\n  "agent:main": { "sessionId": "s1", "n": 1.50 }\n}\n');
    expect(statSync(join(folder, 'sessions.json')).mode & 0o777).toBe(0o600);
  }],
  ['lines edited, removed to a sidecar and inserted in one pass', (folder) => [
    { kind: 'edit-json-line', path: join(folder, 's1.jsonl'), line: 4, sha256: lineHash(4), edits: [{ op: 'set', path: ['parentId'], before: 'x', after: 'a' }] },
    { kind: 'remove-lines', path: join(folder, 's1.jsonl'), line: 3, count: 1, sha256: sha256Of(Buffer.from(`${lines[2]}\n`, 'latin1')), sidecar: join(folder, 's1.jsonl.quarantine') },
    { kind: 'remove-lines', path: join(folder, 's1.jsonl'), line: 5, count: 1, sha256: lineHash(5), sidecar: join(folder, 's1.jsonl.quarantine') },
    { kind: 'insert-lines', path: join(folder, 's1.jsonl'), line: 2, lines: ['{"id":"new"}'] },
  ], (folder) => {
    expect(read(folder, 's1.jsonl')).toBe(`${lines[0]}\n{"id":"new"}\n${lines[1]}\n{"id":"b","parentId":"a"}\n`);
    expect(read(folder, 's1.jsonl.quarantine')).toBe(`${lines[2]}\n${lines[4]}`);
    expect(statSync(join(folder, 's1.jsonl')).mode & 0o777).toBe(0o640);
    expect(statSync(join(folder, 's1.jsonl.quarantine')).mode & 0o777).toBe(0o600);
  }],
  ['a line behind an unfinished one', (folder) => [{ kind: 'insert-lines', path: join(folder, 's1.jsonl'), line: 6, lines: ['{"id":"z"}'] }], (folder) => expect(read(folder, 's1.jsonl')).toBe(`${transcript.toString('latin1')}\n{"id":"z"}`)],
  ['a name', (folder) => [{ kind: 'rename-file', path: join(folder, 'inner', 's2.jsonl.deleted.2026'), to: join(folder, 'inner', 's2.jsonl'), sha256: sha256Of('archive') }], (folder) => expect(readdirSync(join(folder, 'inner'))).toEqual(['s2.jsonl'])],
  ['a lock', (folder) => [{ kind: 'retire-file', path: join(folder, 's1.jsonl.lock'), sha256: sha256Of(deadLock) }], (folder) => expect(existsSync(join(folder, 's1.jsonl.lock'))).toBe(false)],
  ['a new file and a worthless one', (folder) => [
    { kind: 'create-file', path: join(folder, 'new.json'), content: '{}', mode: 0o600 },
    { kind: 'replace-file', path: join(folder, 'sessions.json'), sha256: sha256Of(index), content: '{ }' },
  ], (folder) => expect([read(folder, 'new.json'), read(folder, 'sessions.json')]).toEqual(['{}', '{ }'])],
];

describe('a repair of files', () => {
  it.each(cases)('%s: applied, undone, and the undo undone', async (_name, actions, check) => {
    const folder = makeStore();
    const bench = journalBench();
    const before = contentsOf(folder);
    const time = statSync(join(folder, 's1.jsonl')).mtimeMs;
    const { journal } = await bench.apply(planOf(folder, actions(folder)));
    check(folder);
    const after = contentsOf(folder);
    expect(after).not.toEqual(before);
    expect(statSync(join(bench.journals, journal ?? '')).mode & 0o777).toBe(0o700);
    const undone = await bench.undo(journal ?? '');
    expect(contentsOf(folder)).toEqual(before);
    expect(statSync(join(folder, 's1.jsonl')).mtimeMs).toBe(time);
    const redone = await bench.undo(undone.journal ?? '');
    expect(contentsOf(folder)).toEqual(after);
    await bench.undo(redone.journal ?? '');
    expect(contentsOf(folder)).toEqual(before);
  });

  it.each(cases)('%s: a dry run writes nothing, anywhere', async (_name, actions) => {
    const folder = makeStore();
    const bench = journalBench();
    const before = contentsOf(folder);
    const result = await bench.apply(planOf(folder, actions(folder)), { dryRun: true });
    expect(result).toMatchObject({ journal: null, dryRun: true });
    expect(contentsOf(folder)).toEqual(before);
    expect(existsSync(bench.journals)).toBe(false);
  });

  it.each<[string, (folder: string, outside: string) => Action]>([
    ['a path outside the store', (_folder, outside) => ({ kind: 'create-file', path: join(outside, 'x'), content: '', mode: 0o600 })],
    ['a path that a link leads outside', (folder, outside) => {
      symlinkSync(outside, join(folder, 'link'));
      return { kind: 'create-file', path: join(folder, 'link', 'x'), content: '', mode: 0o600 };
    }],
    ['a link in the place of a file', (folder, outside) => {
      writeFileSync(join(outside, 'target'), 'text');
      symlinkSync(join(outside, 'target'), join(folder, 'alias'));
      return { kind: 'replace-file', path: join(folder, 'alias'), sha256: sha256Of('text'), content: '' };
    }],
    ['a file with two names', (folder) => {
      linkSync(join(folder, 'sessions.json'), join(folder, 'second.json'));
      return { kind: 'replace-file', path: join(folder, 'sessions.json'), sha256: sha256Of(index), content: '' };
    }],
    ['a line that moved', (folder) => ({ kind: 'edit-json-line', path: join(folder, 's1.jsonl'), line: 2, sha256: lineHash(4), edits: [] })],
    ['a file that another name would overwrite', (folder) => ({ kind: 'rename-file', path: join(folder, 's1.jsonl.lock'), to: join(folder, 'sessions.json'), sha256: sha256Of(deadLock) })],
    ['a file that would be created over another', (folder) => ({ kind: 'create-file', path: join(folder, 'sessions.json'), content: '', mode: 0o600 })],
    ['a sidecar that exists', (folder) => ({ kind: 'remove-lines', path: join(folder, 's1.jsonl'), line: 5, count: 1, sha256: lineHash(5), sidecar: join(folder, 'sessions.json') })],
    ['a folder in the place of a file', (folder) => ({ kind: 'retire-file', path: join(folder, 'inner'), sha256: sha256Of('') })],
  ])('%s is refused and nothing is written', async (_name, action) => {
    const folder = makeStore();
    const bench = journalBench();
    const wanted = action(folder, temporaryFolder());
    const before = contentsOf(folder);
    await expect(bench.apply(planOf(folder, [wanted]))).rejects.toBeInstanceOf(FriendlyError);
    expect(contentsOf(folder)).toEqual(before);
  });

  it('is not undone when the file was changed since', async () => {
    const folder = makeStore();
    const bench = journalBench();
    const { journal } = await bench.apply(planOf(folder, cases[0]?.[1](folder) ?? []));
    writeFileSync(join(folder, 'sessions.json'), '{"agent:main":{}}');
    const changed = contentsOf(folder);
    await expect(bench.undo(journal ?? '')).rejects.toMatchObject({ exitCode: 3 });
    expect(contentsOf(folder)).toEqual(changed);
  });

  it('is rolled back when the finding is still there, and when an error appeared', async () => {
    for (const finding of [{ checkId: 'area/fault', severity: 'error' }, { checkId: 'other/fault', severity: 'error' }] as const) {
      const folder = makeStore();
      const bench = journalBench();
      const before = contentsOf(folder);
      const plan = planOf(folder, cases[1]?.[1](folder) ?? []);
      const result = await bench.apply(plan, {}, [{ ...finding, fingerprint: 'f', store: plan.stores[0]?.id ?? '', session: 's1', sessionKey: null }]);
      expect(result.rolledBack?.reason).toContain(finding.checkId);
      expect(contentsOf(folder)).toEqual(before);
      await expect(bench.undo(result.journal ?? '')).rejects.toMatchObject({ exitCode: 3 });
    }
  });

  it('runs judgement steps only when they are allowed or named', async () => {
    for (const [options, done] of [[{}, 0], [{ allowJudgement: true }, 1], [{ steps: ['1'] }, 1]] as const) {
      const folder = makeStore();
      const result = await journalBench().apply(planOf(folder, cases[0]?.[1](folder) ?? [], 'judgement'), options);
      expect(result.done.length).toBe(done);
      expect(read(folder, 'sessions.json') === index).toBe(done === 0);
    }
  });

  it('is refused when the store changed since the plan', async () => {
    const folder = makeStore();
    const bench = journalBench();
    const plan = planOf(folder, cases[0]?.[1](folder) ?? []);
    writeFileSync(join(folder, 'inner', 'another.jsonl'), '');
    await expect(bench.apply(plan)).rejects.toMatchObject({ exitCode: 3 });
  });
});
