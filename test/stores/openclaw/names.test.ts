import { describe, expect, it } from 'vitest';
import { baseName, classifyName } from '../../../src/stores/openclaw/names.ts';

const id = '5a898d6a-a0f4-4e29-8865-e01ca3b1129a';
const at = Date.parse('2026-04-19T19:03:37.979Z');

describe('names in a sessions folder', () => {
  it.each([
    [`${id}.jsonl`, { kind: 'live', sessionId: id, topic: null }],
    ['boot-2026-05-01T04-00.jsonl', { kind: 'live', sessionId: 'boot-2026-05-01T04-00' }],
    ['corrupt-disk.jsonl', { kind: 'live', sessionId: 'corrupt-disk' }],
    [`${id}-topic-17.jsonl`, { kind: 'live', sessionId: id, topic: '17', baseId: `${id}-topic-17` }],
    [`${id}-topic-a%2Fb.jsonl`, { kind: 'live', sessionId: id, topic: 'a/b' }],
    [`${id}-topic-%zz.jsonl`, { kind: 'live', sessionId: id, topic: '%zz' }],
    [`2026-04-19T19-03-37-979Z_${id}.jsonl`, { kind: 'live', sessionId: id, topic: null, baseId: `2026-04-19T19-03-37-979Z_${id}` }],
    [`2026-04-19T19-03-37-979Z_${id}.jsonl.reset.2026-04-19T19-03-37.979Z`, { kind: 'reset', sessionId: id, archivedAt: at }],
    [`${id}.jsonl.reset.2026-04-19T19-03-37.979Z`, { kind: 'reset', sessionId: id, archivedAt: at, generation: null, compressed: false }],
    [`${id}.jsonl.deleted.2026-04-19T19-03-37Z`, { kind: 'deleted', archivedAt: at - 979 }],
    [`${id}.jsonl.deleted.2026-04-19T19-03-37.979Z.zst`, { kind: 'deleted', archivedAt: at, compressed: true }],
    [`${id}.jsonl.deleted.2026-04-19T19-03-37.979Z.${'0a'.repeat(16)}.zst`, { kind: 'deleted', archivedAt: at, generation: '0a'.repeat(16), compressed: true }],
    [`${id}-topic-17.jsonl.reset.2026-04-19T19-03-37.979Z`, { kind: 'reset', sessionId: id, topic: '17' }],
    [`${id}.jsonl.bak.2026-04-19T19-03-37.979Z`, { kind: 'bak', archivedAt: at }],
    [`${id}.jsonl.bak-4121-${at}`, { kind: 'repair-backup', archivedAt: at }],
    [`${id}.jsonl.corrupt-2026-04-19T19-03-37.979Z-0a1b2c3d.jsonl`, { kind: 'corrupt-copy', sessionId: id }],
    [`${id}.checkpoint.034e1913-7851-4de8-a1dc-b646171754e3.jsonl`, { kind: 'checkpoint', sessionId: id, baseId: id }],
    [`${id}.checkpoint.034e1913-7851-4de8-a1dc-b646171754e3.jsonl.deleted.2026-04-19T19-03-37.979Z`, { kind: 'checkpoint', sessionId: id }],
    ['x.jsonl.reset.2026-01-01T00-00-00Z.jsonl.deleted.2026-04-19T19-03-37.979Z', { kind: 'deleted', archivedAt: at }],
  ] as const)('%s', (name, expected) => {
    expect(classifyName(name)).toMatchObject({ class: 'transcript', ...expected });
  });

  it.each([
    ['sessions.json', { class: 'index' }],
    ['sessions.json.lock', { class: 'lock', guards: 'sessions.json' }],
    [`${id}.jsonl.lock`, { class: 'lock', guards: `${id}.jsonl` }],
    [`${id}.trajectory.jsonl`, { class: 'trajectory', sessionId: id }],
    [`2026-04-19T19-03-37-979Z_${id}.trajectory.jsonl`, { class: 'trajectory', sessionId: id }],
    [`${id}.trajectory-path.json`, { class: 'other', kind: 'trajectory-pointer' }],
    ['sessions.json.41.0a1b.tmp', { class: 'other', kind: 'temp' }],
    [`${id}.jsonl.repair-41-1.tmp`, { class: 'other', kind: 'temp' }],
    ['.fs-safe-replace.abc', { class: 'other', kind: 'temp' }],
    ['sessions.json.bak.1783', { class: 'other', kind: 'index-backup' }],
    [`${id}.jsonl.migrated.${'a'.repeat(64)}.1`, { class: 'other', kind: 'migrated' }],
    ['openclaw-agent.sqlite.corrupt-2026-04-19T19-03-37Z', { class: 'other', kind: 'quarantine' }],
    [`${id}.jsonl.reset.yesterday`, { class: 'other', kind: 'unknown' }],
    [`${id}.trajectory.jsonl.deleted.2026-04-19T19-03-37.979Z`, { class: 'other', kind: 'unknown' }],
    ['.jsonl', { class: 'other', kind: 'unknown' }],
    ['notes.txt', { class: 'other', kind: 'unknown' }],
  ] as const)('%s', (name, expected) => {
    expect(classifyName(name)).toMatchObject(expected);
  });

  it('takes the base name of a path of any system', () => {
    expect([`/srv/a/${id}.jsonl`, `C:\\Users\\m\\${id}.jsonl`, `${id}.jsonl`].map(baseName)).toEqual([`${id}.jsonl`, `${id}.jsonl`, `${id}.jsonl`]);
  });
});
