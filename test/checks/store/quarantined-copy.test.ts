import { describe } from 'vitest';
import { ambientTranscript, night, uuid } from '../../helpers/openclaw-state.ts';
import { stateCases, type StateCase } from '../../helpers/state-cases.ts';

const id = uuid(1);
const rows = ambientTranscript(id, night, ['a', 'b']);
const index = { 'agent:main:main': { sessionId: id, updatedAt: night } };
const copy = `${id}.jsonl.corrupt-2026-07-03T03-00-00.000Z-0a1b2c3d.jsonl`;

const cases: StateCase[] = [
  ['a transcript put aside', { index, files: { [`${id}.jsonl`]: rows, [copy]: rows.slice(1) } }, [{ file: copy, messages: 2 }]],
  ['a database put aside', { index, files: { [`${id}.jsonl`]: rows, 'openclaw-agent.sqlite.corrupt-2026-07-03T03-00-00.000Z': 'x' } }, [{ file: 'openclaw-agent.sqlite.corrupt-2026-07-03T03-00-00.000Z', bytes: 1 }]],

  ['archives, backups, checkpoints, temporary files', { index, files: { [`${id}.jsonl`]: rows, [`${id}.jsonl.reset.2026-07-03T03-00-00.000Z`]: rows, [`${id}.jsonl.bak-1-2`]: rows, [`${id}.checkpoint.${uuid(9)}.jsonl`]: rows, [`${id}.jsonl.repair-1-2.tmp`]: 'x' } }, []],
  ['a session that is called corrupt', { index, files: { [`${id}.jsonl`]: rows, 'corrupt-disk-talk.jsonl': rows } }, []],
];

describe('store/quarantined-copy (OpenClaw)', () => {
  stateCases('store/quarantined-copy', cases, { severity: 'info' });
});
