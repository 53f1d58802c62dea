import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectSessions } from '../../src/checks/collect-sessions.ts';
import { renderStories } from '../../src/report/story.ts';
import { runCli } from '../helpers/cli.ts';
import { ambientTranscript, iso, minute, night, stateFolder, uuid } from '../helpers/openclaw-state.ts';
import { sampleData } from '../helpers/paths.ts';
import { untouched } from '../helpers/untouched.ts';

const store = join(sampleData, 'openclaw-night/store');
const key = 'agent:main:telegram:group:-1001764402291';
const plain = { color: false, verbose: false, quiet: false, width: 80, paths: [] };

describe('show', () => {
  it('tells the life of a chat over its archives', async () => {
    const { sessions, errors } = await untouched(store, () => collectSessions(key, [store], {}));
    expect(errors).toEqual([]);
    expect(sessions).toMatchObject([
      {
        sessionKey: key,
        session: '8be68156-539a-4d80-bb2d-f81aebfef131',
        segments: [
          { session: '5a898d6a-a0f4-4e29-8865-e01ca3b1129a', end: 'deleted', rows: 109, from: '2026-07-02T04:31:10.200Z', to: '2026-07-03T03:00:18.412Z' },
          { session: '4a5b6d8b-3b73-44d3-9b69-8527b3250a02', end: 'reset', rows: 31, to: '2026-07-03T04:23:04.118Z' },
          { session: '8be68156-539a-4d80-bb2d-f81aebfef131', end: 'live', rows: 26 },
        ],
      },
    ]);
    expect(sessions[0]?.facts).toMatchObject([{ name: 'watermark', value: { reason: 'unbound', hiddenRows: 112 } }]);
    expect(renderStories(sessions, [], plain).split('\n').filter((line) => line.length > 110)).toEqual([]);
  });

  it.each([
    ['an id', '8be68156-539a-4d80-bb2d-f81aebfef131'],
    ['the beginning of an id', '8be68'],
    ['an earlier session’s id', '5a898d6a-a0f4-4e29-8865-e01ca3b1129a'],
    ['the end of a key', '-1001764402291'],
    ['a key as it is printed', 'telegram group -1001764402291'],
  ])('finds a chat by %s', async (_name, text) => {
    const { sessions } = await collectSessions(text, [store], {});
    expect(sessions.map((one) => one.sessionKey)).toEqual([key]);
  });

  it('tells compactions and in-log resets in time order, and nothing of any text', async () => {
    const id = uuid(1);
    const root = stateFolder({
      index: { 'agent:main:main': { sessionId: id, updatedAt: night, status: 'done' } },
      files: { [`${id}.jsonl`]: ambientTranscript(id, night, ['secret', { type: 'compaction', id: 'c1', summary: 'secret', firstKeptEntryId: 'a0000000' }, { type: 'reset', id: 'r1', reason: 'idle' }, 'secret']) },
    });
    const { sessions } = await untouched(root, () => collectSessions(id, [root], {}));
    expect(sessions[0]?.events).toEqual([
      { at: iso(night + 2 * minute), kind: 'compaction', session: id, row: 'c1', details: { keptFrom: 'a0000000' } },
      { at: iso(night + 3 * minute), kind: 'reset', session: id, row: 'r1', details: { keptFrom: null, reason: 'idle' } },
    ]);
    expect(JSON.stringify(sessions) + renderStories(sessions, [], plain)).not.toContain('secret');
  });

  it('shows a transcript that no chat owns', async () => {
    const root = stateFolder({ files: { [`${uuid(2)}.jsonl`]: ambientTranscript(uuid(2), night, [1]) } });
    const { sessions } = await collectSessions(uuid(2), [root], {});
    expect(sessions).toMatchObject([{ sessionKey: null, session: uuid(2), segments: [{ rows: 1 }] }]);
  });

  it('exits with 2 when nothing is called so', () => {
    const run = runCli(['show', 'nobody', store]);
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 2, stdout: '' });
    expect(run.stderr).toContain('nobody');
  });
});
