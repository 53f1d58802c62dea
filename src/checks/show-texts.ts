import { excerptOf, type Excerpt } from '../model/excerpt.ts';
import type { RecoveredText } from '../model/recovery.ts';
import type { SessionStory, StoryMessages, StorySegment } from '../model/story.ts';
import type { OpenStore } from '../stores/discover.ts';
import { eachRowText } from '../stores/openclaw/row-texts.ts';
import type { OpenclawSnapshot } from '../stores/openclaw/types.ts';

/** Keeps the last `limit` of what it is given, and counts the others: memory does not grow with the session. */
function newest(limit: number): { add(excerpt: Excerpt): void; done(): StoryMessages } {
  let rows: Excerpt[] = [];
  let further = 0;
  const cut = (): void => {
    if (rows.length <= limit) return;
    further += rows.length - limit;
    rows = rows.slice(-limit);
  };
  return {
    add(excerpt) {
      rows.push(excerpt);
      if (rows.length >= limit * 2 + 100) cut();
    },
    done() {
      cut();
      return { rows, further };
    },
  };
}

function addAll(kept: ReturnType<typeof newest>, texts: Iterable<RecoveredText>): void {
  for (const text of texts) kept.add(excerptOf(text));
}

/** The messages of one transcript, archive or window, in the order of its rows. */
function addSegment(kept: ReturnType<typeof newest>, snapshot: OpenclawSnapshot, segment: StorySegment): void {
  const file = snapshot.files.find((one) => (segment.file === null ? one.kind === 'window' && one.sessionId === segment.session : one.name === segment.file));
  if (!file) return;
  eachRowText(snapshot.rowsOf(file), file.path, () => true, (text, isMessage) => {
    if (isMessage) kept.add(excerptOf(text));
  });
}

/** Rows of one session for which only the last ones matter: earlier ones are counted, not read. */
function lastOf<T>(rows: readonly T[], limit: number): { wanted: readonly T[]; earlier: number } {
  const wanted = rows.length > limit ? rows.slice(-limit) : rows;
  return { wanted, earlier: rows.length - wanted.length };
}

/** The newest `limit` messages of a story with the beginning of their texts. Only for a person who asked for private texts. */
export function storyMessages(opened: OpenStore, story: SessionStory, limit: number): StoryMessages {
  const kept = newest(limit);
  switch (opened.product) {
    case 'openclaw':
      for (const segment of story.segments) addSegment(kept, opened.snapshot, segment);
      return kept.done();
    case 'hermes': {
      const messages = opened.snapshot.digestOf(story.session ?? '')?.messages;
      const { wanted, earlier } = lastOf(messages ? Array.from(messages.ids.subarray(0, messages.count)) : [], limit);
      addAll(kept, opened.snapshot.texts(wanted));
      return { ...kept.done(), further: earlier };
    }
    case 'opencode':
    case 'mimocode': {
      const { wanted, earlier } = lastOf(opened.snapshot.messageIds(story.session ?? ''), limit);
      addAll(kept, opened.snapshot.messageTexts(wanted));
      return { ...kept.done(), further: earlier };
    }
  }
}
