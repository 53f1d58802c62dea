import { describe } from 'vitest';
import type { Json } from '../../../src/model/finding.ts';
import { ambientTranscript, night, uuid } from '../../helpers/openclaw-state.ts';
import { stateCases, type StateCase } from '../../helpers/state-cases.ts';
import { rawZstd } from '../../helpers/zstd.ts';

const id = uuid(1);
const rows = ambientTranscript(id, night, ['hello', 'again']);
const index = (fields: { [key: string]: Json } = {}, key = 'agent:main:main'): { [key: string]: Json } => ({ [key]: { sessionId: id, updatedAt: night, ...fields } });
const deleted = `${id}.jsonl.deleted.2026-07-03T03-00-00.000Z`;
const reset = `${id}.jsonl.reset.2026-07-03T05-00-00.000Z`;
const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const cases: StateCase[] = [
  ['deleted under its entry', { index: index(), files: { [deleted]: rows } }, [{ archive: deleted, sessionId: id, archivedAt: '2026-07-03T03:00:00.000Z' }]],
  ['reset under its entry', { index: index({ sessionFile: `${id}.jsonl` }), files: { [reset]: rows } }, [{ archive: reset }]],
  ['several: the newest', { index: index(), files: { [deleted]: rows, [reset]: rows } }, [{ archive: reset, archives: [deleted, reset] }]],
  ['compressed, with a generation', { index: index(), files: { [`${deleted}.${'0a'.repeat(16)}.zst`]: rawZstd(Buffer.from(text)) } }, [{ archive: `${deleted}.${'0a'.repeat(16)}.zst` }]],
  ['a run of a scheduled job', { index: index({}, `agent:main:cron:7:run:${id}`), files: { [deleted]: rows } }, [{ archive: deleted }]],

  ['a live file beside it', { index: index(), files: { [deleted]: rows, [`${id}.jsonl`]: rows } }, []],
  ['a live topic variant beside it', { index: index(), files: { [deleted]: rows, [`${id}-topic-4.jsonl`]: rows } }, []],
  ['an archive of an earlier session', { index: index({ usageFamilySessionIds: [uuid(2)] }), files: { [`${id}.jsonl`]: rows, [deleted.replace(id, uuid(2))]: ambientTranscript(uuid(2), night, ['x']) } }, []],
  ['a backup, a checkpoint', { index: index(), files: { [`${id}.jsonl.bak.2026-07-03T03-00-00.000Z`]: rows, [`${id}.checkpoint.${uuid(9)}.jsonl`]: rows } }, []],
  ['the entry of a scheduled job', { index: index({}, 'agent:main:cron:7'), files: { [deleted]: rows } }, []],
  ['a pending reset', { index: index({ updatedAt: 0 }), files: { [deleted]: rows } }, []],
  ['initializationPending', { index: index({ initializationPending: true }), files: { [deleted]: rows } }, []],
];

describe('archive/live-archived', () => {
  stateCases('archive/live-archived', cases, { severity: 'error', session: id });
});
