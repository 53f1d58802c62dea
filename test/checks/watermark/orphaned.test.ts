import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/model/finding.ts';
import { ambientTranscript, iso, minute, night, range, stateFolder, uuid, type StateSpec } from '../../helpers/openclaw-state.ts';
import type { Row } from '../../helpers/openclaw-transcripts.ts';
import { scanUntouched } from '../../helpers/untouched.ts';

const check = 'watermark/orphaned';
const key = 'agent:main:telegram:group:-1001';
const markKey = '["telegram","default","-1001",""]';
const current = uuid(1);
const old = uuid(2);
const older = uuid(3);
const at = night + 4 * 60 * minute;
const liveName = `${current}.jsonl`;
const resetName = `${old}.jsonl.reset.2026-07-03T04-00-00.000Z`;
const deletedName = `${older}.jsonl.deleted.2026-07-03T03-00-00.000Z`;

type Marks = { [key: string]: Json };
type Items = Parameters<typeof ambientTranscript>[2];

const bound = (fields: Row = {}): Marks => ({ [markKey]: { sessionId: current, messageId: '40', timestampMs: at, updatedAt: at, ...fields } });
const unbound: Marks = { [markKey]: { messageId: '40', updatedAt: at } };
const index = (watermarks: Marks, fields: Row = {}): Marks => ({
  [key]: { sessionId: current, sessionFile: liveName, updatedAt: at + 60 * minute, sessionStartedAt: at, ambientTranscriptWatermarks: watermarks, usageFamilySessionIds: [older, old, current], ...fields },
});
const archives = { [resetName]: ambientTranscript(old, at - 60 * minute, range(21, 40)), [deletedName]: ambientTranscript(older, at - 180 * minute, range(1, 20)) };
const live = (items: Items): Row[] => ambientTranscript(current, at, items);
const reset = (fields: Row): Row => ({ type: 'reset', reason: 'daily', ...fields });
const text = (rows: readonly Row[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

type Told = { severity?: string; confidence?: string; evidence: Marks };
const both = { hiddenRows: 40, hiddenByArchive: { [deletedName]: 20, [resetName]: 20 } };

const faults: [string, StateSpec, Told, string?][] = [
  ['no session id, reader unknown', { index: index(unbound), files: { ...archives, [liveName]: live(range(41, 50)) } }, { severity: 'error', evidence: { reason: 'unbound', watermark: '40', watermarkKey: markKey, firstVisible: '41', sessionId: current, ...both } }],
  ['no session id, a reader that binds', { index: index(unbound), files: { ...archives, [liveName]: live([41]) } }, { severity: 'warning', evidence: { reason: 'unbound' } }, '2026.7.1-2'],
  ['another session, reader unknown', { index: index(bound({ sessionId: old })), files: { ...archives, [liveName]: live([41]) } }, { severity: 'warning', evidence: { reason: 'foreign-session', ...both } }],
  ['another session, a reader that does not bind', { index: index(bound({ sessionId: old })), files: { ...archives, [liveName]: live([41]) } }, { severity: 'error', evidence: { reason: 'foreign-session' } }, '2026.7.1-beta.1'],
  ['this session, but neither its row nor a later one', { index: index(bound()), files: { ...archives, [liveName]: live(range(10, 12)) } }, { severity: 'error', confidence: 'certain', evidence: { reason: 'row-missing', hiddenRows: 37, firstVisible: '10' } }],
  ['the same, and a line of the transcript is damaged', { index: index(bound()), files: { ...archives, [liveName]: `${text(live([10]))}{"type":\n` } }, { confidence: 'likely', evidence: { reason: 'row-missing' } }],
  ['behind a reset in the log that keeps no tail', { index: index(bound()), files: { [liveName]: live([...range(31, 40), reset({ id: 'r1' }), 41]) } }, { severity: 'error', evidence: { reason: 'behind-reset', resetEvent: 'r1', hiddenRows: 10, hiddenByArchive: {}, firstVisible: '41' } }],
  ['behind a reset whose tail begins after it', { index: index(bound({ messageId: '35' })), files: { [liveName]: live([...range(31, 36), 'hello', reset({ id: 'r1', firstKeptEntryId: 'a0000006' })]) } }, { evidence: { reason: 'behind-reset', hiddenRows: 5, firstVisible: null } }],
  ['messages inside coalesced rows count', { index: index(unbound, { usageFamilySessionIds: [old] }), files: { [resetName]: ambientTranscript(old, at - minute, [[31, 32, 33], 34]), [liveName]: live([41]) } }, { evidence: { hiddenRows: 4 } }],
  ['a message above the watermark is not hidden by it', { index: index(unbound), files: { [resetName]: ambientTranscript(old, at - 60 * minute, range(36, 45)), [liveName]: live([46]) } }, { evidence: { hiddenRows: 5 } }],
  ['ids beyond 2^53', { index: index({ [markKey]: { messageId: '9007199254740993' } }), files: { [resetName]: ambientTranscript(old, at, ['#9007199254740992 a: x', '#9007199254740993 a: x', '#9007199254740994 a: x']), [liveName]: live(['#9007199254740995 a: x']) } }, { evidence: { hiddenRows: 2 } }],
  ['nothing names the archive: its time and its ids do', { index: index(unbound, { usageFamilySessionIds: [] }), files: { [resetName]: ambientTranscript(old, at - 60 * minute, range(21, 40)), [liveName]: live([41]) } }, { evidence: { hiddenRows: 20 } }],
  ['an archive of another chat that ended within the same second is not its own', { index: index(unbound, { usageFamilySessionIds: [old] }), files: { [resetName]: ambientTranscript(old, at - 60 * minute, range(21, 40)), [`${uuid(5)}.jsonl.reset.2026-07-03T04-00-00.500Z`]: ambientTranscript(uuid(5), at - 60 * minute, range(1, 15)), [liveName]: live([41]) } }, { evidence: { hiddenRows: 20, hiddenByArchive: { [resetName]: 20 } } }],
  ['the trajectory names the archive', { index: index(unbound, { usageFamilySessionIds: [], sessionStartedAt: at + 30 * minute }), files: { [resetName]: ambientTranscript(old, at - 60 * minute, range(21, 40)), [`${old}.trajectory.jsonl`]: text([{ type: 'session.started', ts: iso(at), sessionKey: key }]), [liveName]: live([41]) } }, { evidence: { hiddenRows: 20 } }],
  ['only a header so far', { index: index(unbound), files: { ...archives, [liveName]: live([]) } }, { evidence: { reason: 'unbound', hiddenRows: 40, firstVisible: null } }],
  ['no transcript yet', { index: index(unbound, { initializationPending: true }), files: archives }, { evidence: { reason: 'unbound', hiddenRows: 40, firstVisible: null } }],
  ['nothing is left in any archive', { index: index(unbound), files: { [liveName]: live([41]) } }, { evidence: { hiddenRows: 0, hiddenByArchive: {}, firstVisible: '41' } }],
  ['the row lies on an abandoned branch', { index: index(bound()), files: { [liveName]: live([10, 40, { type: 'message', id: 'b1', parentId: 'a0000000', message: { role: 'user', content: '#11 mira: again' } }]) } }, { evidence: { reason: 'row-missing', firstVisible: '10' } }],
];

const lookAlikes: [string, StateSpec][] = [
  ['bound, its row is there', { index: index(bound()), files: { ...archives, [liveName]: live(range(36, 42)) } }],
  ['bound, a later row is there', { index: index(bound()), files: { ...archives, [liveName]: live([41]) } }],
  ['its message lies in a coalesced row', { index: index(bound()), files: { [liveName]: live([[38, 39, 40]]) } }],
  ['no session id, but its row is there', { index: index(unbound), files: { ...archives, [liveName]: live([40, 41]) } }],
  ['its row lies before a compaction', { index: index(bound()), files: { [liveName]: live([39, 40, { type: 'compaction', id: 'c1', firstKeptEntryId: 'c1', summary: 'x' }, 'hello']) } }],
  ['its row is in the tail that a reset kept', { index: index(bound()), files: { [liveName]: live([...range(31, 40), reset({ id: 'r1', firstKeptEntryId: 'a0000008' }), 'hello']) } }],
  ['no watermark', { index: index({}), files: { ...archives, [liveName]: live([41]) } }],
  ['a session without transcript and without archives', { index: index(unbound, { initializationPending: true, usageFamilySessionIds: [] }) }],
  ['bound, and the transcript is gone: index/dangling-entry', { index: index(bound(), { usageFamilySessionIds: [] }) }],
  ['a watermark that cannot be read: watermark/malformed', { index: index({ telegram: { messageId: '40' } }), files: { ...archives, [liveName]: live([41]) } }],
];

describe(check, () => {
  it.each(faults)('%s', async (_name, spec, { evidence, ...outer }, version) => {
    const result = await scanUntouched(stateFolder(spec), { check: [check], readers: version ? [{ product: 'openclaw', version, source: 'option' }] : [] });
    expect(result.findings).toHaveLength(1);
    expect(result.findings[0]).toMatchObject({ session: current, sessionKey: key, ...outer, evidence });
  });

  it.each(lookAlikes)('quiet: %s', async (_name, spec) => {
    const result = await scanUntouched(stateFolder(spec), { check: [check] });
    expect(result.findings.map((finding) => finding.evidence)).toEqual([]);
    expect(result.stores).toHaveLength(1);
  });

  it('gives each watermark of a chat its own finding', async () => {
    const two = { [markKey]: { messageId: '40' }, '["telegram","default","-1001","7"]': { messageId: '38' } };
    const result = await scanUntouched(stateFolder({ index: index(two), files: { ...archives, [liveName]: live([41]) } }), { check: [check] });
    expect(result.findings.map((finding) => finding.evidence.hiddenRows).sort()).toEqual([38, 40]);
    expect(new Set(result.findings.map((finding) => finding.fingerprint)).size).toBe(2);
  });
});
