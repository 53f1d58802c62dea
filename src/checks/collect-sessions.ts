import type { ReadError } from '../model/finding.ts';
import type { Product } from '../model/product.ts';
import type { SessionStory } from '../model/story.ts';
import type { Reader } from '../model/version.ts';
import type { OpenStore, SnapshotOf } from '../stores/discover.ts';
import { eachStore, refuseDamage } from './each-store.ts';
import { chooseReader, hostZone, type ScanOptions } from './scan.ts';
import { hermesStories } from './show-hermes.ts';
import { openclawStories } from './show-openclaw.ts';
import { opencodeStories } from './show-opencode.ts';
import { hermesResets } from './shared/hermes-resets.ts';
import { openclawResets } from './shared/openclaw-resets.ts';
import type { JudgeOptions } from './shared/reset-facts.ts';
import { storyMessages } from './show-texts.ts';
import { addVerdicts } from './story-verdicts.ts';
import { exactQuery, looseQuery, type SessionQuery } from './show-query.ts';

/** How a product tells the life of the sessions that a query names; a product that is missing here cannot be shown yet. */
const tellers: { [P in Product]?: (snapshot: SnapshotOf[P], query: SessionQuery, reader: Reader, now: number) => SessionStory[] } = {
  openclaw: openclawStories,
  opencode: opencodeStories,
  mimocode: opencodeStories,
  hermes: hermesStories,
};

function tell(opened: OpenStore, query: SessionQuery, reader: Reader, now: number): SessionStory[] {
  switch (opened.product) {
    case 'openclaw':
      return tellers.openclaw?.(opened.snapshot, query, reader, now) ?? [];
    case 'opencode':
      return tellers.opencode?.(opened.snapshot, query, reader, now) ?? [];
    case 'mimocode':
      return tellers.mimocode?.(opened.snapshot, query, reader, now) ?? [];
    case 'hermes':
      return tellers.hermes?.(opened.snapshot, query, reader, now) ?? [];
  }
}

/** Adds to the stories why their sessions ended, where the product resets sessions. */
function judge(opened: OpenStore, stories: SessionStory[], options: JudgeOptions): void {
  if (stories.length === 0) return;
  if (opened.product === 'openclaw') addVerdicts(stories, openclawResets(opened.snapshot, options).events);
  else if (opened.product === 'hermes') addVerdicts(stories, hermesResets(opened.snapshot, options).events);
}

/** Messages that `show --show-text` prints unless everything is asked for. */
const shownMessages = 60;

/** Adds the titles of the sessions, where the product keeps any, and their newest messages: only for who asked for private texts. */
function addTexts(opened: OpenStore, stories: readonly SessionStory[], limit: number): void {
  for (const story of stories) {
    story.messages = storyMessages(opened, story, limit);
    const title = story.session === null || opened.product === 'openclaw' ? null : opened.snapshot.titleOf(story.session);
    if (title !== null) story.facts.unshift({ name: 'title', value: title });
  }
}

/** The stories of the sessions that `text` names, with titles and messages if `showText` (all of them if `allMessages`): exactly, else by the beginning of an id or the end of a key. */
export async function collectSessions(text: string, paths: readonly string[], options: ScanOptions & { showText?: boolean; allMessages?: boolean }): Promise<{ sessions: SessionStory[]; errors: ReadError[] }> {
  const exact: SessionStory[] = [];
  const loose: SessionStory[] = [];
  const now = options.now ?? Date.now();
  const errors = await eachStore(paths, options, (opened) => {
    refuseDamage(opened);
    const reader = chooseReader(opened.snapshot, options.readers);
    const found = tell(opened, exactQuery(text), reader, now);
    exact.push(...found);
    const near = found.length === 0 ? tell(opened, looseQuery(text), reader, now) : [];
    loose.push(...near);
    if (options.showText) addTexts(opened, [...found, ...near], options.allMessages ? Infinity : shownMessages);
    judge(opened, [...found, ...near], { zone: options.zone ?? hostZone(), zoneGiven: options.zone !== undefined, now, version: reader.version });
  });
  return { sessions: exact.length > 0 ? exact : loose, errors };
}
