import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePlan } from '../../src/commands/planning.ts';
import type { Step } from '../../src/model/step.ts';
import { sessionId } from '../helpers/check-cases.ts';
import { header, talk, writeOpenclawStore, type RawRow, type Row, type TranscriptSpec } from '../helpers/openclaw-transcripts.ts';
import { sampleData, temporaryFolder } from '../helpers/paths.ts';
import { expectRepairCycle } from '../helpers/repair.ts';

const sample = join(sampleData, 'openclaw-transcripts/store');
const fileIn = (root: string, id = sessionId): string => join(root, 'agents/main/sessions', `${id}.jsonl`);
const linesIn = (root: string, id = sessionId): string[] => readFileSync(fileIn(root, id), 'latin1').split('\n');
const store = (spec: Omit<TranscriptSpec, 'id'>): string => writeOpenclawStore(temporaryFolder(), [{ id: sessionId, ...spec }]);

const fixesOf = (steps: readonly Step[]): string[] => steps.map((step) => step.fix);

function rowsOf(write: (t: ReturnType<typeof talk>) => void): Row[] {
  const t = talk();
  t.chat(2);
  write(t);
  return t.rows;
}

describe('quarantine-line', () => {
  it('moves malformed lines beside the transcript and keeps every other byte', async () => {
    const rows: RawRow[] = rowsOf((t) => t.chat(1));
    rows.splice(3, 0, 'undefined');
    rows.push(Buffer.alloc(9));
    const root = store({ rows, newline: '\r\n', ending: '\r\n' });
    const before = linesIn(root);
    const [step] = await expectRepairCycle(root, {
      check: 'transcript/malformed-line',
      allow: 'judgement',
      repaired(copy) {
        expect(linesIn(copy)).toEqual(before.filter((_, i) => i !== 4 && i !== 9));
        expect(readFileSync(`${fileIn(copy)}.quarantined`, 'latin1')).toBe(`undefined\r\n${'\0'.repeat(9)}\r\n`);
      },
    });
    expect(step).toMatchObject({ fix: 'quarantine-line', class: 'judgement' });
  });

  it('moves an unfinished last line', async () => {
    expect(fixesOf(await expectRepairCycle(sample, {
      check: 'transcript/truncated-tail',
      allow: 'judgement',
      repaired: (copy) => expect(readFileSync(`${fileIn(copy, '7c1e0f01-52a1-4d0e-9b1c-3f5a6d7e8f90')}.quarantined`, 'utf8')).toHaveLength(64),
    }))).toEqual(['quarantine-line']);
  });

  it('does not write over lines that were put aside before', async () => {
    const root = store({ rows: [...rowsOf(() => {}), 'undefined'] });
    writeFileSync(`${fileIn(root)}.quarantined`, 'older\n');
    expect(fixesOf(await expectRepairCycle(root, {
      check: 'transcript/malformed-line',
      allow: 'judgement',
      repaired(copy) {
        expect(readFileSync(`${fileIn(copy)}.quarantined`, 'utf8')).toBe('older\n');
        expect(readFileSync(`${fileIn(copy)}.quarantined-2`, 'utf8')).toBe('undefined\n');
      },
    }))).toEqual(['quarantine-line']);
  });

  it('leaves archives as they are', async () => {
    const root = store({ key: null, file: `${sessionId}.jsonl.reset.2026-06-10T04-00-01.000Z`, rows: [...rowsOf(() => {}), 'undefined'] });
    expect((await makePlan([root], { zone: 'UTC', now: Date.parse('2026-12-01T12:00:00Z') }, [])).plan.steps.filter((step) => step.fix === 'quarantine-line')).toEqual([]);
  });
});

describe('restore-header', () => {
  it('puts a header of the right session and time in front', async () => {
    const id = '7c1e0f02-52a1-4d0e-9b1c-3f5a6d7e8f90';
    const before = linesIn(sample, id);
    expect(fixesOf(await expectRepairCycle(sample, {
      check: 'transcript/missing-header',
      allow: 'judgement',
      repaired(copy) {
        const [first, ...rest] = linesIn(copy, id);
        expect(rest).toEqual(before);
        expect(JSON.parse(first!)).toEqual({ type: 'session', version: 3, id, timestamp: JSON.parse(before[0]!).timestamp, cwd: '/srv/claw-ws' });
      },
    }))).toEqual(['restore-header']);
  });

  it('gives a list without ids a header of version 1', async () => {
    const root = store({ header: null, rows: rowsOf(() => {}).map(({ id: _id, parentId: _parent, ...row }) => row) });
    expect(fixesOf(await expectRepairCycle(root, { check: 'transcript/missing-header', allow: 'judgement', repaired: (copy) => expect(JSON.parse(linesIn(copy)[0]!)).not.toHaveProperty('version') }))).toEqual(['restore-header']);
  });

  it('works together with the damaged header it replaces', async () => {
    const root = store({ header: '{"type":"session","ver', rows: rowsOf(() => {}) });
    expect(fixesOf(await expectRepairCycle(root, { check: 'transcript/missing-header', allow: 'judgement' }))).toEqual(['restore-header']);
    expect(fixesOf(await expectRepairCycle(root, { check: 'transcript/malformed-line', allow: 'judgement', repaired: (copy) => expect(existsSync(`${fileIn(copy)}.quarantined`)).toBe(true) }))).toEqual(['quarantine-line']);
  });

  it('leaves a header further down to a person', async () => {
    const rows = rowsOf(() => {});
    const root = store({ header: null, rows: [rows[0]!, header(sessionId), ...rows.slice(1)] });
    const { plan } = await makePlan([root], { zone: 'UTC' }, []);
    expect(plan.steps).toEqual([]);
    expect(plan.left.find((left) => left.checkId === 'transcript/missing-header')?.reason).toContain('line 2');
  });
});

describe('reparent-entry', () => {
  it('links the row to the newest one before it and changes nothing else', async () => {
    const id = '7c1e0f04-52a1-4d0e-9b1c-3f5a6d7e8f90';
    const before = linesIn(sample, id);
    expect(fixesOf(await expectRepairCycle(sample, {
      check: 'transcript/broken-parent',
      allow: 'judgement',
      repaired: (copy) => expect(linesIn(copy, id)).toEqual(before.map((line) => line.replace('"parentId":"e00000ff"', '"parentId":"e0000004"'))),
    }))).toEqual(['reparent-entry']);
  });

  it('links several rows of one missing parent, and goes around an abandoned branch', async () => {
    const rows = rowsOf((t) => {
      t.user('one way');
      t.user('other way', {}, { parentId: t.rows[4]!.id! });
      t.reply('so be it');
      t.chat(1);
      t.rows[7]!.parentId = 'ffffffff';
      t.rows[9]!.parentId = 'ffffffff';
    });
    const root = store({ rows });
    expect(fixesOf(await expectRepairCycle(root, {
      check: 'transcript/broken-parent',
      allow: 'judgement',
      repaired(copy) {
        const parents = linesIn(copy).slice(1, -1).map((line) => JSON.parse(line).parentId);
        expect(parents[7]).toBe(rows[6]!.id);
        expect(parents[9]).toBe(rows[8]!.id);
      },
    }))).toEqual(['reparent-entry']);
  });

  it('links a first row whose parent is gone to the beginning', async () => {
    const root = store({ rows: rowsOf((t) => { t.rows[0]!.parentId = 'ffffffff'; }) });
    expect(fixesOf(await expectRepairCycle(root, { check: 'transcript/broken-parent', allow: 'judgement', repaired: (copy) => expect(JSON.parse(linesIn(copy)[1]!).parentId).toBeNull() }))).toEqual(['reparent-entry']);
  });
});

describe('abort-unanswered-call', () => {
  it('writes a result behind the call and links the next row to it', async () => {
    const root = store({ rows: rowsOf((t) => { t.user('go'); t.calls(['c1', 'c2', 'c3']); t.result('c2'); t.chat(1); }) });
    const before = linesIn(root);
    const steps = await expectRepairCycle(root, {
      check: 'tool/unanswered-call',
      allow: 'judgement',
      repaired(copy) {
        const after = linesIn(copy);
        const rows = after.slice(7, 11).map((line) => JSON.parse(line));
        expect(rows.slice(1, 3).map((row) => [row.message.toolCallId, row.message.isError, row.parentId])).toEqual([['c1', true, rows[0].id], ['c3', true, rows[1].id]]);
        expect(rows[3].parentId).toBe(rows[2].id);
        expect([...after.slice(0, 8), ...after.slice(11)]).toEqual([...before.slice(0, 8), ...before.slice(9)]);
      },
    });
    expect(fixesOf(steps)).toEqual(['abort-unanswered-call']);
  });

  it('keeps a list without ids a list', async () => {
    const root = store({ header: header(sessionId, { version: 1 }), rows: rowsOf((t) => { t.user('go'); t.calls(['c1']); t.chat(1); }).map(({ id: _id, parentId: _parent, ...row }) => row) });
    const steps = await expectRepairCycle(root, {
      check: 'tool/unanswered-call',
      allow: 'judgement',
      repaired: (copy) => expect(Object.keys(JSON.parse(linesIn(copy)[8]!))).toEqual(['type', 'timestamp', 'message']),
    });
    expect(fixesOf(steps)).toEqual(['abort-unanswered-call']);
  });

  it('answers two turns at once', async () => {
    const root = store({ rows: rowsOf((t) => { t.user('go'); t.calls(['c1']); t.user('go'); t.calls(['c2']); t.chat(1); }) });
    expect(fixesOf(await expectRepairCycle(root, { check: 'tool/unanswered-call', allow: 'judgement' }))).toEqual(['abort-unanswered-call']);
  });
});
