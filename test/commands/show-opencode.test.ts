import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectSessions } from '../../src/checks/collect-sessions.ts';
import type { SessionStory } from '../../src/model/story.ts';
import { buildStore, day, hour, v1, wrap, type StoreBuilder } from '../helpers/opencode-store.ts';
import { sampleData, temporaryFolder } from '../helpers/paths.ts';
import { untouched } from '../helpers/untouched.ts';

const now = Date.parse('2026-12-01T12:00:00Z');
const invariant = "a new prompt has its session's greatest id";

async function storyOf(fill: (store: StoreBuilder) => string, version = '1.18.14'): Promise<SessionStory> {
  const folder = temporaryFolder();
  const store = buildStore(join(folder, 'opencode.db'), 'opencode', version);
  const session = fill(store);
  store.close();
  const { sessions, errors } = await untouched(folder, () => collectSessions(session.slice(0, 12), [folder], { now }));
  expect(errors).toEqual([]);
  expect(sessions).toHaveLength(1);
  return sessions[0]!;
}

function factOf(story: SessionStory, name: string): string {
  return String(story.facts.find((fact) => fact.name === name)?.value ?? '');
}

function wedged(store: StoreBuilder): string {
  const session = store.session(wrap - day);
  store.talk(session, wrap - day, 2);
  store.user(session, wrap + hour);
  return session;
}

describe('show for opencode sessions', () => {
  it('says that a new prompt must have the greatest id of its session, in a line of its own, and whether it does', async () => {
    const story = await storyOf(wedged);
    expect(factOf(story, invariant)).toMatch(/^NO: /);
    expect(factOf(story, invariant)).toContain(v1(wrap + hour));
    expect(factOf(story, 'WEDGED')).toMatch(/^1 prompt since 2026-08-14 12:19:55 UTC/);
    expect(factOf(story, 'the next prompt would be')).toMatch(/^stored and never answered/);
    expect(story.events).toMatchObject([{ at: '2026-08-14T11:19:55.136Z', details: { before: 4, after: 1 } }]);
  });

  it('does not call it wedged for a reader that orders by time', async () => {
    const story = await storyOf(wedged, '1.18.31');
    expect(factOf(story, 'WEDGED')).toBe('');
    expect(factOf(story, 'without a reply')).toMatch(/^1 prompt/);
    expect(factOf(story, 'the next prompt would be')).toMatch(/^answered/);
  });

  it('keeps quiet lines for a session in order', async () => {
    const story = await storyOf((store) => {
      const session = store.session(wrap + day);
      store.talk(session, wrap + day, 2);
      return session;
    });
    expect(factOf(story, invariant)).toMatch(/^yes/);
    expect(factOf(story, 'newest by id')).toBe('the same');
    expect(story.events).toEqual([]);
  });

  it('says what a pending undo would delete', async () => {
    const story = await storyOf((store) => {
      const session = store.session(wrap - day, { revert: JSON.stringify({ messageID: v1(wrap + hour) }) });
      store.talk(session, wrap - day, 2);
      store.talk(session, wrap + hour, 1);
      return session;
    });
    expect(factOf(story, 'pending undo')).toContain('by id it would delete 6 of 6 messages, by time 2');
    expect(factOf(story, 'the next prompt would be')).toContain('after the cleanup of the pending undo');
  });

  it('reports a damaged database as unreadable', async () => {
    const { sessions, errors } = await collectSessions('ses_', [join(sampleData, 'opencode-truncated/store')], { now });
    expect({ sessions, errors: errors.length }).toEqual({ sessions: [], errors: 1 });
  });
});
