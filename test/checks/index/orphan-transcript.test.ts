import { describe } from 'vitest';
import { ambientTranscript, iso, night, uuid } from '../../helpers/openclaw-state.ts';
import { stateCases, type StateCase } from '../../helpers/state-cases.ts';

const listed = uuid(1);
const lone = uuid(2);
const rows = (id: string): ReturnType<typeof ambientTranscript> => ambientTranscript(id, night, ['a', 'b']);
const entry = { sessionId: listed, updatedAt: night };
const index = { 'agent:main:main': entry };
const pair = { [`${listed}.jsonl`]: rows(listed), [`${lone}.jsonl`]: rows(lone) };

const cases: StateCase[] = [
  ['nothing names it', { index, files: pair }, [{ file: `${lone}.jsonl`, messages: 2, traceKey: null }]],
  ['only a trajectory names a chat for it', { index, files: { ...pair, [`${lone}.trajectory.jsonl`]: `${JSON.stringify({ type: 'session.started', ts: iso(night), sessionKey: 'agent:main:main' })}\n` } }, [{ file: `${lone}.jsonl`, traceKey: 'agent:main:main' }]],
  ['two of them, one each', { index, files: { ...pair, [`${uuid(3)}.jsonl`]: rows(uuid(3)) } }, [{ file: `${lone}.jsonl` }, { file: `${uuid(3)}.jsonl` }]],

  ['listed', { index, files: { [`${listed}.jsonl`]: rows(listed) } }, []],
  ['an earlier session of a listed chat', { index: { 'agent:main:main': { ...entry, usageFamilySessionIds: [lone, listed] } }, files: pair }, []],
  ['named by its path only', { index: { 'agent:main:main': { ...entry, sessionFile: `/srv/x/${lone}.jsonl` } }, files: { [`${lone}.jsonl`]: rows(lone) } }, []],
  ['a session before a compaction', { index: { 'agent:main:main': { ...entry, compactionCheckpoints: [{ checkpointId: 'c', preCompaction: { sessionId: lone } }] } }, files: pair }, []],
  ['a parent that a fork names by path', { index: { 'agent:main:main': entry }, files: { [`${lone}.jsonl`]: rows(lone), [`${listed}.jsonl`]: [{ ...rows(listed)[0], parentSession: `/srv/claw/agents/main/sessions/${lone}.jsonl` }] } }, []],
  ['a topic variant of a listed session', { index, files: { [`${listed}.jsonl`]: rows(listed), [`${listed}-topic-9.jsonl`]: rows(listed) } }, []],
  ['sidecars, archives, copies', { index, files: { [`${listed}.jsonl`]: rows(listed), [`${lone}.jsonl.deleted.2026-07-03T03-00-00.000Z`]: rows(lone), [`${lone}.checkpoint.${uuid(9)}.jsonl`]: rows(lone), [`${lone}.jsonl.bak-1-2`]: rows(lone), [`${lone}.trajectory-path.json`]: '{}', [`${lone}.jsonl.corrupt-2026-07-03T03-00-00.000Z-0a1b2c3d.jsonl`]: rows(lone) } }, []],
  ['the index cannot be read: index/corrupt', { index: '', files: pair }, []],
];

describe('index/orphan-transcript', () => {
  stateCases('index/orphan-transcript', cases, { severity: 'info' });
});
