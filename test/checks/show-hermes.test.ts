import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectSessions } from '../../src/checks/collect-sessions.ts';
import { rowRanges } from '../../src/report/generations.ts';
import { renderStories } from '../../src/report/story.ts';
import { hermesStore, startSeconds as ts } from '../helpers/hermes.ts';
import { temporaryFolder } from '../helpers/paths.ts';
import { untouched } from '../helpers/untouched.ts';

const id = '20260805_100000_aaaaaa';
const key = 'agent:main:telegram:dm:70001';

function home(): string {
  const folder = join(temporaryFolder(), 'home');
  const store = hermesStore(folder);
  store.session({ id, key, source: 'telegram' });
  const held = store.talk(id, 'boat', 5, ts);
  store.message(id, { content: 'secret words', ts: ts + 300.5 });
  store.message(id, { role: 'assistant', content: 'secret answer', ts: ts + 303.5 });
  store.compact(id, { rule: 'A', held, tail: 4, ts: ts + 400 });
  store.session({ id: 'other', parent: id, source: 'subagent', started: ts + 500 });
  store.recount();
  store.close();
  return folder;
}

describe('show of a Hermes session', () => {
  it.each([id, id.slice(0, 18), key, 'telegram dm 70001'])('finds it by %s, with its compactions and the live context', async (name) => {
    const folder = home();
    const { sessions, errors } = await untouched(folder, () => collectSessions(name, [folder], {}));
    expect(errors).toEqual([]);
    expect(sessions).toHaveLength(1);
    expect(sessions[0]).toMatchObject({
      session: id,
      sessionKey: key,
      generations: [{ carrier: 13, archived: 12, headCopies: 0, carried: 4, cloned: 0, stranded: [11, 12], newestCarried: 10, live: true }],
      context: [13, 14, 15, 16, 17].map((row, position) => ({ row, role: position % 2 === 0 && position > 0 ? 'assistant' : 'user' })),
    });
    const text = renderStories(sessions, errors, { color: false, verbose: false, quiet: false, width: 80, paths: [folder] });
    expect(text).toContain('11–12');
    expect(text).not.toContain('secret');
    expect(text.split('\n').every((line) => line.length <= 80)).toBe(true);
  });

  it('draws runs of rows together', () => {
    expect([rowRanges([]), rowRanges([3]), rowRanges([1, 2, 3, 7, 9, 10])]).toEqual(['', '3', '1–3, 7, 9–10']);
  });
});
