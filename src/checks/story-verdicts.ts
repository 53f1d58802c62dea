import type { SessionStory } from '../model/story.ts';
import type { JudgedEvent } from '../readers/reset-event.ts';

/** Tells each stretch of a story that ended why it ended: `verdict`, `cause` and `why` among its details. */
export function addVerdicts(stories: readonly SessionStory[], events: readonly JudgedEvent[]): void {
  const byArchive = new Map<string, JudgedEvent>();
  const bySession = new Map<string, JudgedEvent>();
  for (const event of events) {
    if (event.archive !== null) byArchive.set(event.archive, event);
    else if (event.kind === 'session' || event.kind === 'orphan') bySession.set(event.sessionId, event);
  }
  for (const { segments } of stories) {
    for (const segment of segments) {
      const event = (segment.file === null ? undefined : byArchive.get(segment.file)) ?? bySession.get(segment.session);
      if (event === undefined || segment.end === 'live') continue;
      Object.assign(segment.details, { verdict: event.verdict, cause: event.cause, why: event.deciding, matchingZone: event.matchingZone, policy: event.policy });
    }
  }
}
