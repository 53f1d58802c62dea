import { isoTime } from '../model/time.ts';
import type { SessionStory, StoryGeneration, StorySegment } from '../model/story.ts';
import { classifyEdge } from '../readers/hermes/lineage.ts';
import { contextRows, isInContext } from '../readers/hermes/view.ts';
import { roleNames } from '../stores/hermes/digest-types.ts';
import type { HermesSnapshot, SessionDigest, SessionRow } from '../stores/hermes/types.ts';
import { digestBlocks } from './shared/hermes.ts';
import { strandedBy } from './shared/hermes-stranded.ts';
import type { SessionQuery } from './show-query.ts';

/** How many children of a session are named. */
const childLimit = 20;

function generationsOf(digest: SessionDigest, snapshot: HermesSnapshot): StoryGeneration[] {
  const { ids, timestamps, flags } = digest.messages;
  return digestBlocks(digest).map((block) => {
    const { coverage, stranded } = strandedBy(digest, snapshot, block);
    return {
      carrier: ids[block.carrier] ?? 0,
      at: isoTime((timestamps[block.carrier] ?? Number.NaN) * 1000),
      live: isInContext(flags[block.carrier] ?? 0),
      archived: coverage.archived,
      headCopies: coverage.headCopies,
      carried: coverage.carried.length,
      cloned: coverage.cloned.length,
      stranded: stranded.map((index) => ids[index] ?? 0),
      newestCarried: coverage.newestCarried === -1 ? null : (ids[coverage.newestCarried] ?? null),
    };
  });
}

function segmentOf(session: SessionRow, digest: SessionDigest, snapshot: HermesSnapshot): StorySegment {
  const { messages, firstMessageAt, lastMessageAt } = snapshot.activity(session.id);
  return {
    session: session.id,
    file: null,
    from: isoTime(session.startedAt ?? firstMessageAt),
    to: isoTime(session.endedAt ?? lastMessageAt),
    rows: digest.messages.count,
    messages,
    end: session.endedAt === null ? 'live' : `ended (${session.endReason ?? 'no reason'})`,
    details: { lastRow: isoTime(lastMessageAt), source: session.source, parent: session.parentId },
  };
}

function factsOf(session: SessionRow, snapshot: HermesSnapshot): SessionStory['facts'] {
  const facts: SessionStory['facts'] = [];
  const parent = session.parentId === null ? undefined : snapshot.session(session.parentId);
  if (session.parentId !== null) facts.push({ name: 'parent', value: parent ? `${session.parentId} (this is its ${classifyEdge(session, parent)})` : `${session.parentId}, which does not exist` });
  const children = snapshot.childrenOf(session.id);
  for (const child of children.slice(0, childLimit)) facts.push({ name: classifyEdge(child, session), value: `${child.id}, begun ${isoTime(child.startedAt) ?? 'at an unknown time'}` });
  if (children.length > childLimit) facts.push({ name: 'further children', value: children.length - childLimit });
  for (const route of snapshot.routing()) if (route.sessionId === session.id) facts.push({ name: 'routed from', value: route.sessionKey });
  for (const lock of snapshot.locks()) if (lock.sessionId === session.id) facts.push({ name: lock.table, value: `${lock.holder}, until ${isoTime(lock.expiresAt) ?? 'an unknown time'}` });
  if ((session.rewindCount ?? 0) > 0) facts.push({ name: 'rewound', value: session.rewindCount });
  return facts;
}

/** The lives of the Hermes sessions that a query names, by id or chat key: one story a session, with its compactions and what the model gets. */
export function hermesStories(snapshot: HermesSnapshot, query: SessionQuery): SessionStory[] {
  const stories: SessionStory[] = [];
  for (const session of snapshot.sessions()) {
    if (!query.matches(session.id) && !query.matches(session.sessionKey)) continue;
    const digest = snapshot.digestOf(session.id);
    if (!digest) continue;
    stories.push({
      store: snapshot.ref.id,
      product: 'hermes',
      session: session.id,
      sessionKey: session.sessionKey,
      segments: [segmentOf(session, digest, snapshot)],
      events: [],
      facts: factsOf(session, snapshot),
      generations: generationsOf(digest, snapshot),
      context: contextRows(digest.messages).map((index) => ({ row: digest.messages.ids[index] ?? 0, role: roleNames[digest.messages.roles[index] ?? 0] ?? 'other' })),
    });
  }
  return stories;
}
