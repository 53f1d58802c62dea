import { spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { setFaultHook } from '../../src/io/faults.ts';
import { sha256Of } from '../../src/io/splice.ts';
import { journalStatuses } from '../../src/journal/status.ts';
import { FriendlyError } from '../../src/model/errors.ts';
import type { Action } from '../../src/model/step.ts';
import { contentsOf, dumpDatabase, journalBench, planOf } from '../helpers/journal.ts';
import { projectRoot, temporaryFolder } from '../helpers/paths.ts';
import { everyWay } from './store.ts';

afterEach(() => setFaultHook(null));

const transcript = '{"id":"s"}\nbroken\n{"id":"b"}\n';

function transcriptStore(): { folder: string; path: string; actions: Action[] } {
  const folder = temporaryFolder();
  const path = join(folder, 'a.jsonl');
  writeFileSync(path, transcript);
  writeFileSync(join(folder, 'sessions.json'), '{"n":1}');
  return {
    folder, path,
    actions: [
      { kind: 'edit-json-file', path: join(folder, 'sessions.json'), edits: [{ op: 'set', path: ['n'], before: 1, after: 2 }] },
      { kind: 'remove-lines', path, line: 2, count: 1, sha256: sha256Of('broken\n'), sidecar: `${path}.quarantine` },
    ],
  };
}

async function started(script: string, ...args: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', script, ...args], { cwd: projectRoot, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child;
}

async function stopped(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

describe('a row that another process appends at the n-th operation of an apply', () => {
  it('is never lost: the apply is refused and the file is as that process wrote it, or the row came after the apply', async () => {
    const row = '{"id":"late"}\n';
    const seen = new Set<string>();
    for (let n = 1, reached = true; reached; n++) {
      const { folder, path, actions } = transcriptStore();
      const bench = journalBench();
      const plan = planOf(folder, actions);
      let count = 0;
      setFaultHook(() => {
        count++;
        if (count === n) appendFileSync(path, row);
      });
      const outcome = await bench.apply(plan).then(() => 'done', (error: unknown) => (error instanceof FriendlyError ? `refused ${error.exitCode}` : String(error)));
      setFaultHook(null);
      reached = count >= n;
      seen.add(outcome);
      const text = readFileSync(path, 'utf8');
      const appended = reached ? row : '';
      expect({ n, outcome, text }).toEqual({ n, outcome: expect.stringMatching(/^(done|refused [23])$/), text: outcome === 'done' ? `{"id":"s"}\n{"id":"b"}\n${appended}` : `${transcript}${appended}` });
      expect(readFileSync(join(folder, 'sessions.json'), 'utf8')).toBe(outcome === 'done' ? '{"n":2}' : '{"n":1}');
      expect((await journalStatuses(bench.journals)).map((status) => status.state)).not.toContain('unfinished');
    }
    expect([...seen].sort()).toEqual(['done', 'refused 2', 'refused 3']);
  });
});

describe.runIf(process.platform === 'linux')('a process that writes all the time', () => {
  it('a JSON Lines appender that opens and closes: every row is there afterwards, each once', { timeout: 120_000 }, async () => {
    const { folder, path, actions } = transcriptStore();
    const bench = journalBench();
    const plan = planOf(folder, actions);
    const child = await started("const fs = require('fs'); let n = 0; setInterval(() => { for (let i = 0; i < 20; i++) fs.appendFileSync(process.argv[1], JSON.stringify({ n: n++ }) + '\\n'); if (n === 20) console.log('writing'); }, 1);", path);
    for (let attempt = 0; attempt < 5; attempt++) {
      plan.stores = planOf(folder, []).stores;
      await expect(bench.apply(plan)).rejects.toBeInstanceOf(FriendlyError);
    }
    await stopped(child);
    const rows = readFileSync(path, 'utf8');
    expect(rows.startsWith(transcript)).toBe(true);
    const numbers = rows.slice(transcript.length).trimEnd().split('\n').map((line) => (JSON.parse(line) as { n: number }).n);
    expect(numbers).toEqual(numbers.map((_, index) => index));
    // Once it stopped, the same repair goes through.
    plan.stores = planOf(folder, []).stores;
    expect((await bench.apply(plan)).rolledBack).toBeNull();
  });

  it('a database writer: refused with its process named, and no row of it is lost', { timeout: 120_000 }, async () => {
    const { folder, actions } = everyWay();
    const bench = journalBench();
    const database = join(folder, 'inner', 'd.db');
    const child = await started("const D = require('better-sqlite3'); const db = new D(process.argv[1]); let n = 0; setInterval(() => { db.prepare('INSERT INTO t (v) VALUES (?)').run('w' + n++); if (n === 1) console.log('writing'); }, 1);", database);
    for (let attempt = 0; attempt < 5; attempt++) {
      await expect(bench.apply(planOf(folder, actions))).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining(`process ${child.pid}`) });
    }
    await stopped(child);
    const rows = dumpDatabase(database).filter((line) => line.startsWith('t ')).length;
    expect(rows).toBeGreaterThan(2);
    const { journal } = await bench.apply(planOf(folder, actions));
    await bench.undo(journal ?? '');
    expect(dumpDatabase(database).filter((line) => line.startsWith('t '))).toHaveLength(rows);
  });

  it('a database writer that comes and goes: old or new, never half', { timeout: 120_000 }, async () => {
    const { folder, actions } = everyWay();
    const bench = journalBench();
    const database = join(folder, 'inner', 'd.db');
    const child = await started("const D = require('better-sqlite3'); let n = 0; setInterval(() => { try { const db = new D(process.argv[1]); db.prepare('INSERT INTO t (v) VALUES (?)').run('w' + n); db.close(); if (++n === 1) console.log('writing'); } catch {} }, 1);", database);
    const outcomes: string[] = [];
    while (outcomes.length < 5 && !outcomes.includes('done')) {
      outcomes.push(await bench.apply(planOf(folder, actions)).then(() => 'done', (error: unknown) => (error instanceof FriendlyError ? 'refused' : String(error))));
    }
    await stopped(child);
    const applied = dumpDatabase(database).filter((line) => line.startsWith('t 1 ') && line.includes('null:')).length;
    expect(outcomes.filter((outcome) => outcome !== 'refused')).toEqual(applied === 1 ? ['done'] : []);
    expect(contentsOf(folder).some((line) => line.startsWith('a.jsonl.quarantine'))).toBe(applied === 1);
  });
});
