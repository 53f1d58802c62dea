import { copyFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setFlushing } from '../../src/io/faults.ts';
import { readEvents, readJournal } from '../../src/journal/journal-file.ts';
import { readRowLog } from '../../src/journal/row-log.ts';
import { journalStatus } from '../../src/journal/status.ts';
import { FriendlyError } from '../../src/model/errors.ts';
import { everyWay } from '../faults/store.ts';
import { contentsOf, journalBench, planOf, type Bench } from '../helpers/journal.ts';

beforeAll(() => setFlushing(false));
afterAll(() => setFlushing(true));

async function applied(): Promise<{ folder: string; bench: Bench; id: string; place: string; old: string[]; fresh: string[] }> {
  const { folder, actions } = everyWay();
  const bench = journalBench();
  const old = contentsOf(folder);
  const { journal } = await bench.apply(planOf(folder, actions));
  const id = journal ?? '';
  return { folder, bench, id, place: join(bench.journals, id), old, fresh: contentsOf(folder) };
}

/** What an undo says: `done`, or the exit code of a refusal. */
async function undo(bench: Bench, id: string): Promise<string> {
  return bench.undo(id).then(() => 'done', (error: unknown) => (error instanceof FriendlyError ? `refused ${error.exitCode}` : String(error)));
}

describe('a journal that is cut at every byte of a record', () => {
  it('journal.json: never read as a journal, never used, named as torn', async () => {
    const { folder, bench, id, place, fresh } = await applied();
    const path = join(place, 'journal.json');
    const whole = readFileSync(path);
    const failures: unknown[] = [];
    // The last byte is the line break behind the record: without it the record is whole.
    for (let length = 0; length < whole.length - 1; length++) {
      writeFileSync(path, whole.subarray(0, length));
      try {
        readJournal(place);
        failures.push(`read at ${length}`);
      } catch (error) {
        if (!(error instanceof FriendlyError) || !error.message.includes('torn')) failures.push(`${length}: ${String(error)}`);
      }
    }
    expect(failures).toEqual([]);
    writeFileSync(path, whole.subarray(0, whole.length >> 1));
    expect([await undo(bench, id), (await journalStatus(bench.journals, id)).state, contentsOf(folder)]).toEqual(['refused 2', 'torn', fresh]);
  });

  it('journal.json: what a damaged one holds is not quoted', async () => {
    const { place } = await applied();
    writeFileSync(join(place, 'journal.json'), '{"sha256":"0","journal":private words}');
    expect(() => readJournal(place)).toThrow(/^(?!.*words).*is torn/);
  });

  it('journal.json: a changed byte is noticed', async () => {
    const { place } = await applied();
    const path = join(place, 'journal.json');
    const whole = readFileSync(path);
    const unnoticed: number[] = [];
    for (let at = 0; at < whole.length - 1; at += 7) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      writeFileSync(path, bytes);
      try {
        readJournal(place);
        // White space, and a last digit that no number of JavaScript holds, carry nothing.
        if (!isDeepStrictEqual(JSON.parse(bytes.toString('utf8')), JSON.parse(whole.toString('utf8')))) unnoticed.push(at);
      } catch {
        // Noticed.
      }
    }
    expect(unnoticed).toEqual([]);
  });

  it('the row log: never read as whole', async () => {
    const { place } = await applied();
    const path = join(place, 'rows', '1.jsonl');
    const whole = readFileSync(path);
    const read: number[] = [];
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(path, whole.subarray(0, length));
      try {
        readRowLog(path);
        read.push(length);
      } catch {
        // Torn.
      }
    }
    expect(read).toEqual([]);
  });

  it('the log of events: what is torn did not happen, what stands before it did', async () => {
    const { place } = await applied();
    const path = join(place, 'log.jsonl');
    const whole = readFileSync(path);
    const all = readEvents(place).map((event) => event.event);
    for (let length = 0; length <= whole.length; length++) {
      writeFileSync(path, whole.subarray(0, length));
      const events = readEvents(place).map((event) => event.event);
      expect(events).toEqual(all.slice(0, events.length));
      expect(events.length).toBeGreaterThanOrEqual(whole.subarray(0, length).toString('latin1').split('\n').length - 1);
    }
  });

  it('the log of events: at every length undo gives the old store back', { timeout: 300_000 }, async () => {
    const { folder, bench, id, place, old } = await applied();
    const path = join(place, 'log.jsonl');
    const kept = join(place, '..', '..', 'kept');
    cpSync(folder, join(kept, 'store'), { recursive: true, preserveTimestamps: true });
    cpSync(bench.journals, join(kept, 'journals'), { recursive: true });
    const size = readFileSync(path).length;
    for (let length = 0; length <= size; length += 11) {
      rmSync(bench.journals, { recursive: true });
      rmSync(folder, { recursive: true });
      cpSync(join(kept, 'store'), folder, { recursive: true, preserveTimestamps: true });
      cpSync(join(kept, 'journals'), bench.journals, { recursive: true });
      writeFileSync(path, readFileSync(path).subarray(0, length));
      expect({ length, said: await undo(bench, id), contents: contentsOf(folder) }).toEqual({ length, said: 'done', contents: old });
    }
  });
});

describe('a journal that lost a part', () => {
  it.each(['files/3.before', 'rows/1.jsonl', 'plan.json'])('%s', async (part) => {
    const { folder, bench, id, place, old, fresh } = await applied();
    const path = join(place, part);
    expect(existsSync(path)).toBe(true);
    copyFileSync(path, `${place}.kept`);
    rmSync(path);
    const said = await undo(bench, id);
    // The plan is only needed to finish an apply.
    const needed = part !== 'plan.json';
    expect(said).toMatch(needed ? /^refused [23]$/ : /^done$/);
    expect(contentsOf(folder)).toEqual(needed ? fresh : old);
  });

  it('old bytes that somebody changed are not given back', async () => {
    const { folder, bench, id, place, fresh } = await applied();
    const path = join(place, 'files/3.before');
    writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from('x')]));
    expect([await undo(bench, id), contentsOf(folder)]).toEqual(['refused 2', fresh]);
  });
});
