import { describe } from 'vitest';
import type { Json } from '../../../src/model/finding.ts';
import { ambientTranscript, night, uuid } from '../../helpers/openclaw-state.ts';
import { stateCases, type StateCase } from '../../helpers/state-cases.ts';

const own = uuid(1);
const other = uuid(2);
const file = (id: string, name = `${id}.jsonl`): { [name: string]: ReturnType<typeof ambientTranscript> } => ({ [name]: ambientTranscript(id, night, ['hello']) });
const index = (sessionFile: string, fields: { [key: string]: Json } = {}): { [key: string]: Json } => ({ 'agent:main:telegram:direct:1': { sessionId: own, updatedAt: night, sessionFile, ...fields } });

const cases: StateCase[] = [
  ['points at another session’s file', { index: index(`${other}.jsonl`), files: { ...file(own), ...file(other) } }, [{ sessionId: own, pointsAt: `${other}.jsonl`, ownFile: `${own}.jsonl`, pointedFileExists: true }]],
  ['the same with a path of another machine', { index: index(`/srv/x/${other}.jsonl`), files: { ...file(own), ...file(other) } }, [{ pointsAt: `${other}.jsonl` }]],
  ['the other file is gone', { index: index(`${other}.jsonl`), files: file(own) }, [{ pointsAt: `${other}.jsonl`, pointedFileExists: false }]],

  ['points at its own', { index: index(`${own}.jsonl`), files: { ...file(own), ...file(other) } }, []],
  ['its own, with a path of another machine', { index: index(`/srv/x/${own}.jsonl`), files: file(own) }, []],
  ['a topic variant of its own', { index: index(`${own}-topic-4.jsonl`), files: { ...file(own), ...file(own, `${own}-topic-4.jsonl`) } }, []],
  ['another name whose header has its id', { index: index('kept.jsonl'), files: { ...file(own), ...file(own, 'kept.jsonl') } }, []],
  ['its own does not exist: transcript/header-mismatch', { index: index(`${other}.jsonl`), files: file(other) }, []],
  ['a pending reset', { index: index(`${other}.jsonl`, { updatedAt: 0 }), files: { ...file(own), ...file(other) } }, []],
];

describe('index/stale-session-file', () => {
  stateCases('index/stale-session-file', cases, { severity: 'error' });
});
