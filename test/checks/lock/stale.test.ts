import { utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processStartTicks } from '../../../src/io/processes.ts';
import { ambientTranscript, night, stateFolder, uuid } from '../../helpers/openclaw-state.ts';
import { stateCases, type StateCase } from '../../helpers/state-cases.ts';
import { scanUntouched } from '../../helpers/untouched.ts';

const id = uuid(1);
const index = { 'agent:main:main': { sessionId: id, updatedAt: night } };
const name = `${id}.jsonl.lock`;
const none = 2 ** 31 - 2;
const old = '2026-06-10T02:00:00.000Z';
const recent = new Date().toISOString();
const ticks = processStartTicks(process.pid);
const locked = (content: object | string, file = name): { index: typeof index; files: { [name: string]: string } } => ({ index, files: { [`${id}.jsonl`]: `${JSON.stringify(ambientTranscript(id, night, [])[0])}\n`, [file]: typeof content === 'string' ? content : JSON.stringify(content) } });

const cases: StateCase[] = [
  ['its process is gone', locked({ pid: none, createdAt: old, starttime: 5 }), [{ file: name, pid: none, createdAt: old, process: 'gone' }]],
  ['gone, taken a moment ago', locked({ pid: none, createdAt: recent }), [{ process: 'gone' }]],
  ['a number that no process can have', locked({ pid: 4e9, createdAt: recent }), [{ process: 'gone' }]],
  ['the index’s own lock', locked({ pid: none, createdAt: old }, 'sessions.json.lock'), [{ file: 'sessions.json.lock' }]],
  ...(ticks === null
    ? []
    : ([
        ['the number lives, but began at another time', locked({ pid: process.pid, createdAt: recent, starttime: ticks + 1 }), [{ process: 'recycled' }]],
        ['no start time, but the process began after it was taken', locked({ pid: process.pid, createdAt: old }), [{ process: 'recycled' }]],
      ] satisfies StateCase[])),

  ['a living process', locked({ pid: process.pid, createdAt: recent, ...(ticks === null ? {} : { starttime: ticks }) }), []],
  ['a living process, an old lock, the same start', locked({ pid: process.pid, createdAt: old, ...(ticks === null ? {} : { starttime: ticks }) }), ticks === null ? [{}] : []],
  ['a living process, no start time', locked({ pid: process.pid, createdAt: recent }), []],
  ['another host', locked({ pid: none, createdAt: old, host: `not-${hostname()}` }), []],
  ['no lock', { index, files: {} }, []],
];

describe('lock/stale', () => {
  stateCases('lock/stale', cases, { severity: 'warning', fix: { id: 'remove-stale-lock', class: 'safe' } });

  const unreadable: [string, string, number, string[]][] = [
    ['empty and old', '', 31, ['likely']],
    ['no process, old', '{"createdAt":"never"}', 31, ['likely']],
    ['a pid that is none', '{"pid":-4}', 31, ['likely']],
    ['empty and fresh: it is being written', '', 1, []],
  ];
  it.each(unreadable)('%s', async (_name, content, minutes, told) => {
    const now = Date.now();
    const store = stateFolder(locked(content));
    const path = join(store, 'agents/main/sessions', name);
    utimesSync(path, now / 1000 - minutes * 60, now / 1000 - minutes * 60);
    const result = await scanUntouched(store, { check: ['lock/stale'], now });
    expect(result.findings.map((finding) => finding.confidence)).toEqual(told);
  });
});
