import { describe } from 'vitest';
import type { Json } from '../../../src/model/finding.ts';
import { ambientTranscript, iso, minute, night, uuid } from '../../helpers/openclaw-state.ts';
import { stateCases, type StateCase } from '../../helpers/state-cases.ts';

const id = uuid(1);
const files = { [`${id}.jsonl`]: ambientTranscript(id, night, ['hello']) };
const index = (fields: { [key: string]: Json }): { [key: string]: Json } => ({ 'agent:main:main': { sessionId: id, updatedAt: night, ...fields } });
const later = (minutes: number): { now: number } => ({ now: night + minutes * minute });
const lock = (pid: number): string => JSON.stringify({ pid, createdAt: new Date().toISOString() });

const cases: StateCase[] = [
  ['running for days', { index: index({ status: 'running', startedAt: night }), files }, [{ status: 'running', startedAt: iso(night), lastSign: iso(night + minute) }]],
  ['running without any transcript', { index: index({ status: 'running' }) }, [{ lastSign: iso(night) }]],
  ['an hour after its last row', { index: index({ status: 'running' }), files }, [{ lastSign: iso(night + minute) }], later(61)],
  ['a lock whose process is gone', { index: index({ status: 'running' }), files: { ...files, [`${id}.jsonl.lock`]: lock(2 ** 31 - 2) } }, [{}]],
  ['a start time in the future says nothing', { index: index({ status: 'running', startedAt: night + 400 * 24 * 60 * minute }), files }, [{ lastSign: iso(night + minute) }]],

  ['less than an hour', { index: index({ status: 'running' }), files }, [], later(60)],
  ['the entry was touched since', { index: index({ status: 'running', updatedAt: night + 300 * minute }), files }, [], later(320)],
  ['the trace goes on', { index: index({ status: 'running' }), files: { ...files, [`${id}.trajectory.jsonl`]: `${JSON.stringify({ type: 'model.completed', ts: iso(night + 300 * minute) })}\n` } }, [], later(320)],
  ['its lock is held', { index: index({ status: 'running' }), files: { ...files, [`${id}.jsonl.lock`]: lock(process.pid) } }, []],
  ['done', { index: index({ status: 'done' }), files }, []],
  ['no status', { index: index({}), files }, []],
];

describe('index/stuck-running', () => {
  stateCases('index/stuck-running', cases, { severity: 'warning' });
});
