import { describe, expect } from 'vitest';
import type { Json } from '../../../src/model/finding.ts';
import { ambientTranscript, night, uuid } from '../../helpers/openclaw-state.ts';
import { stateCases, type StateCase } from '../../helpers/state-cases.ts';

const key = 'agent:main:telegram:direct:1';
const id = uuid(1);
const rows = ambientTranscript(id, night, ['hello']);
const index = (fields: { [key: string]: Json } = {}, name = key): { [key: string]: Json } => ({ [name]: { sessionId: id, updatedAt: night, sessionStartedAt: night, ...fields } });

const cases: StateCase[] = [
  ['no file, no archive', { index: index({ sessionFile: `${id}.jsonl` }) }, [{ sessionId: id, foundAt: null }]],
  ['a path of another machine, no file', { index: index({ sessionFile: `/srv/claw/.openclaw/agents/main/sessions/${id}.jsonl` }) }, [{ sessionId: id }]],
  ['another name, whose header has the id', { index: index(), files: { 'renamed.jsonl': rows } }, [{ sessionId: id, foundAt: 'renamed.jsonl' }]],
  ['in another agent’s folder', { index: index(), others: { [`agents/work/sessions/${id}.jsonl`]: `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`, 'agents/work/sessions/sessions.json': '{}' } }, [{ sessionId: id, foundAt: expect.stringMatching(/agents\/work\/sessions\//) as unknown as string }]],
  ['only a backup copy', { index: index(), files: { [`${id}.jsonl.bak-41-1783036800000`]: rows } }, [{ sessionId: id }]],
  ['an id that climbs out of the folder', { index: index({ sessionId: '../../../../etc/hosts' }) }, [{ sessionId: '../../../../etc/hosts' }]],

  ['the file is there', { index: index({ sessionFile: `${id}.jsonl` }), files: { [`${id}.jsonl`]: rows } }, []],
  ['no sessionFile, the file is there', { index: index(), files: { [`${id}.jsonl`]: rows } }, []],
  ['an absolute path of another machine, the file is here', { index: index({ sessionFile: `C:\\Users\\m\\.openclaw\\agents\\main\\sessions\\${id}.jsonl` }), files: { [`${id}.jsonl`]: rows } }, []],
  ['a topic variant', { index: index({ sessionFile: `${id}-topic-17.jsonl` }), files: { [`${id}-topic-17.jsonl`]: rows } }, []],
  ['a topic variant that only the id leads to', { index: index(), files: { [`${id}-topic-a%2Fb.jsonl`]: rows } }, []],
  ['a fresh file with nothing but a header', { index: index(), files: { [`${id}.jsonl`]: rows.slice(0, 1) } }, []],
  ['initializationPending', { index: index({ initializationPending: true }) }, []],
  ['updatedAt 0: a reset is pending', { index: index({ updatedAt: 0 }) }, []],
  ['no session id', { index: { [key]: { updatedAt: night, chatType: 'direct' } } }, []],
  ['a value that is no object', { index: { [key]: null } }, []],
  ['begun a minute ago', { index: index({ updatedAt: night + 60_000 }) }, [], { now: night + 120_000 }],
  ['archived under its entry: archive/live-archived', { index: index(), files: { [`${id}.jsonl.deleted.2026-07-03T03-00-00.000Z`]: rows } }, []],
  ['the entry of a scheduled job', { index: index({}, 'agent:main:cron:7') }, []],
  ['a run of a scheduled job', { index: index({}, `agent:main:cron:7:run:${id}`) }, []],
];

describe('index/dangling-entry', () => {
  stateCases('index/dangling-entry', cases, { sessionKey: key, severity: 'error' });
});
