import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/model/finding.ts';
import { makePlan } from '../../src/commands/planning.ts';
import { ambientTranscript, iso, minute, night, stateFolder, uuid } from '../helpers/openclaw-state.ts';
import { sampleData } from '../helpers/paths.ts';
import { expectRepairCycle } from '../helpers/repair.ts';
import { rawZstd } from '../helpers/zstd.ts';

const sample = join(sampleData, 'openclaw-index/store');
const key = (n: number): string => `agent:main:telegram:direct:${52_000 + n}`;
const sessions = (root: string): string => join(root, 'agents/main/sessions');
const indexOf = (root: string): { [key: string]: { [field: string]: Json } } => JSON.parse(readFileSync(join(sessions(root), 'sessions.json'), 'utf8'));

describe('restore-archive', () => {
  it('renames the archive back', async () => {
    const steps = await expectRepairCycle(sample, {
      check: 'archive/live-archived',
      allow: 'judgement',
      repaired: (root) => expect(existsSync(join(sessions(root), `${uuid(6)}.jsonl`))).toBe(true),
    });
    expect(steps.map((step) => step.fix)).toEqual(['restore-archive']);
  });

  it('leaves a compressed one to a person, and says how', async () => {
    const id = uuid(1);
    const root = stateFolder({ index: { 'agent:main:main': { sessionId: id, updatedAt: night } }, files: { [`${id}.jsonl.deleted.2026-07-03T03-00-00.000Z.zst`]: rawZstd(Buffer.from(`${JSON.stringify(ambientTranscript(id, night, [])[0])}\n`)) } });
    const { plan } = await makePlan([root], { zone: 'UTC' }, []);
    expect(plan.steps).toEqual([]);
    expect(plan.left.find((left) => left.checkId === 'archive/live-archived')?.alternatives.join()).toContain('zstd -d');
  });
});

describe('relink-transcript', () => {
  it('points a chat at its own transcript and keeps the folder that was written', async () => {
    await expectRepairCycle(sample, {
      check: 'index/stale-session-file',
      allow: 'judgement',
      repaired: (root) => expect(indexOf(root)[key(2)]?.sessionFile).toBe(`/srv/claw/.openclaw/agents/main/sessions/${uuid(2)}.jsonl`),
    });
  });

  it('points a dangling entry at the file whose header has its id', async () => {
    const id = uuid(1);
    const root = stateFolder({ index: { 'agent:main:main': { sessionId: id, updatedAt: night } }, files: { 'renamed.jsonl': ambientTranscript(id, night, ['hello']) } });
    await expectRepairCycle(root, {
      check: 'index/dangling-entry',
      allow: 'judgement',
      mayAppear: ['transcript/header-mismatch'], // the file keeps its name, which now an entry points to
      repaired: (copy) => expect(indexOf(copy)['agent:main:main']?.sessionFile).toBe('renamed.jsonl'),
    });
  });
});

describe('clear-stuck-status', () => {
  it('ends the run in the index and nothing else', async () => {
    const before = indexOf(sample);
    await expectRepairCycle(sample, {
      check: 'index/stuck-running',
      allow: 'judgement',
      repaired: (root) => expect(indexOf(root)).toEqual({ ...before, [key(4)]: { ...before[key(4)], status: 'killed' } }),
    });
  });
});

describe('remove-stale-lock, drop-orphaned-watermark', () => {
  it('move the lock of a process that is gone away', async () => {
    const [step] = await expectRepairCycle(sample, { check: 'lock/stale', repaired: (root) => expect(existsSync(join(sessions(root), `${uuid(5)}.jsonl.lock`))).toBe(false) });
    expect(step?.class).toBe('safe');
  });

  it('drop watermarks that cannot be read', async () => {
    await expectRepairCycle(sample, { check: 'watermark/malformed', repaired: (root) => expect(indexOf(root)[key(8)]?.ambientTranscriptWatermarks).toEqual({}) });
  });

  it('drop the watermark of the night, and keep the sound one', async () => {
    const [step] = await expectRepairCycle(join(sampleData, 'openclaw-night/store'), {
      check: 'watermark/orphaned',
      repaired(root) {
        const marks = Object.values(indexOf(root)).map((entry) => Object.keys(entry.ambientTranscriptWatermarks ?? {}).length);
        expect(marks).toEqual([0, 0, 1]);
      },
    });
    expect(step).toMatchObject({ fix: 'drop-orphaned-watermark', class: 'safe' });
  });
});

describe('rebuild-index', () => {
  it('takes what is whole out of a cut index', async () => {
    const [step] = await expectRepairCycle(join(sampleData, 'openclaw-cut-index/store'), { check: 'index/corrupt', allow: 'judgement', repaired: (root) => expect(Object.values(indexOf(root)).map((entry) => entry.sessionId).sort()).toHaveLength(3) });
    expect(step?.fix).toBe('rebuild-index');
  });

  it('uses older copies, trajectories, then keys of its own; the newest transcript of a chat is current', async () => {
    const trace = (chat: string): string => `${JSON.stringify({ type: 'session.started', ts: iso(night), sessionKey: chat })}\n`;
    const root = stateFolder({
      index: '',
      files: {
        'sessions.json.41.0a1b.tmp': JSON.stringify({ 'agent:main:a': { sessionId: uuid(1), sessionFile: `/srv/x/${uuid(1)}.jsonl`, updatedAt: night, thinkingLevel: 'high', status: 'running', ambientTranscriptWatermarks: { x: 1 } }, 'agent:main:gone': { sessionId: uuid(9), updatedAt: night } }),
        [`${uuid(1)}.jsonl`]: ambientTranscript(uuid(1), night, ['one'], 'a'),
        [`${uuid(2)}.jsonl`]: ambientTranscript(uuid(2), night, ['older'], 'b'),
        [`${uuid(3)}.jsonl`]: ambientTranscript(uuid(3), night + 10 * minute, ['newer'], 'c'),
        [`${uuid(2)}.trajectory.jsonl`]: trace('agent:main:b'),
        [`${uuid(3)}.trajectory.jsonl`]: trace('agent:main:b'),
        [`${uuid(4)}.jsonl`]: ambientTranscript(uuid(4), night, ['lone'], 'd'),
      },
    });
    const [step] = await expectRepairCycle(root, {
      check: 'index/corrupt',
      allow: 'judgement',
      repaired(copy) {
        const index = indexOf(copy);
        expect(Object.fromEntries(Object.entries(index).map(([name, entry]) => [name, entry.sessionId]))).toEqual({
          'agent:main:a': uuid(1),
          'agent:main:b': uuid(3),
          [`agent:main:recovered:${uuid(2)}`]: uuid(2),
          [`agent:main:recovered:${uuid(4)}`]: uuid(4),
        });
        expect(index['agent:main:a']).toEqual({ sessionId: uuid(1), sessionFile: `/srv/x/${uuid(1)}.jsonl`, updatedAt: night, thinkingLevel: 'high' });
        expect(index['agent:main:b']).toMatchObject({ sessionStartedAt: night + 10 * minute, updatedAt: night + 11 * minute });
      },
    });
    expect(step).toMatchObject({ class: 'judgement', actions: [{ kind: 'replace-file' }] });
  });

  it('has no step where nothing is left', async () => {
    const { plan } = await makePlan([stateFolder({ index: '' })], { zone: 'UTC' }, []);
    expect(plan.steps).toEqual([]);
    expect(plan.left).toMatchObject([{ checkId: 'index/corrupt' }]);
  });
});
