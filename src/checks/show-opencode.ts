import { compareByTime, compareIds, formatOfId, newestV1 } from '../ids/index.ts';
import type { Json } from '../model/finding.ts';
import type { SessionStory, StoryEvent } from '../model/story.ts';
import { isoTime } from '../model/time.ts';
import type { Reader } from '../model/version.ts';
import { nextPrompt } from '../readers/opencode/next-prompt.ts';
import type { OrderRules } from '../readers/opencode/rules.ts';
import { unansweredPrompts } from '../readers/opencode/unanswered.ts';
import type { MessageRow, OpencodeSnapshot, SessionRow } from '../stores/opencode/types.ts';
import { armedRevert } from './shared/armed.ts';
import { greatestById, plural, rulesOf, slicesOf, visibleFor, when } from './shared/order.ts';
import { wedgedBy } from './shared/wedged.ts';
import { boundariesBetween } from './shared/wrap.ts';
import type { SessionQuery } from './show-query.ts';

type Fact = SessionStory['facts'][number];

const place = (row: MessageRow): string => `${row.id} (${when(row.time)})`;

function eventsOf(snapshot: OpencodeSnapshot, sessionId: string, rows: readonly MessageRow[]): StoryEvent[] {
  const [first, last] = [rows[0], rows.at(-1)];
  const times = new Map(rows.map((row) => [row.id, row.time]));
  const events: StoryEvent[] = boundariesBetween(first?.time ?? 0, last?.time ?? -1).map((boundary) => {
    const before = rows.filter((row) => row.time < boundary).length;
    return { at: isoTime(boundary), kind: `id wrap: ids begin again; ${before} before, ${rows.length - before} after`, session: sessionId, row: null, details: { before, after: rows.length - before } };
  });
  for (const { messageId, type, tailStartId } of snapshot.carriers(sessionId)) {
    const time = times.get(messageId);
    if (time !== undefined) events.push({ at: isoTime(time), kind: type, session: sessionId, row: messageId, details: { keptFrom: tailStartId } });
  }
  return events.sort((a, b) => ((a.at ?? '9') < (b.at ?? '9') ? -1 : 1));
}

/** The rule that every build relies on, for the newest prompt: its id is greater than every older one of the session. */
function invariant(main: readonly MessageRow[]): Fact | null {
  const prompt = main.findLast((row) => row.role === 'user');
  if (prompt === undefined) return null;
  const greatest = greatestById(main.filter((row) => compareByTime(row, prompt) < 0));
  const holds = greatest === null || compareIds(prompt.id, greatest.id) > 0;
  return { name: "a new prompt has its session's greatest id", value: holds || greatest === null ? `yes, the newest is ${place(prompt)}` : `NO: the newest, ${place(prompt)}, sorts before the older ${place(greatest)}` };
}

function promptFact(snapshot: OpencodeSnapshot, session: SessionRow, main: readonly MessageRow[], rules: OrderRules, now: number): Fact {
  const outcome = nextPrompt(main, { rules, now, revert: session.revert, visible: visibleFor(snapshot, session.id) });
  const cleanup = session.revert === null ? '' : ', after the cleanup of the pending undo';
  const words = outcome.kind === 'answered' ? 'answered' : `${outcome.kind === 'silent' ? 'stored and never answered' : 'answered again and again'}${outcome.reply === null ? '' : `, because of ${outcome.reply}`}`;
  const minted = rules.mints === 'v1' ? ` (its id would be about ${newestV1('msg', now).slice(0, 13)}…)` : ' (it gets a v2 id)';
  return { name: 'the next prompt would be', value: words + cleanup + minted };
}

function factsOf(snapshot: OpencodeSnapshot, session: SessionRow, rows: readonly MessageRow[], reader: Reader, now: number): Fact[] {
  const rules = rulesOf(snapshot, { store: snapshot.ref, reader });
  const slices = slicesOf(rows);
  const main = slices.get('main') ?? [];
  const facts: Fact[] = [];
  const add = (name: string, value: Json): void => void facts.push({ name, value });
  add('reader', `${reader.product} ${reader.version ?? 'of unknown version'}, orders by ${rules.order}, mints ${rules.mints} ids`);
  const byId = greatestById(main);
  const byTime = main.at(-1);
  if (byId !== null && byTime !== undefined) {
    add('newest by time', place(byTime));
    add('newest by id', byId.id === byTime.id ? 'the same' : place(byId));
  }
  const rule = invariant(main);
  if (rule !== null) facts.push(rule);
  const wedge = rules.order === 'id' ? wedgedBy(snapshot, session.id, main, rules) : null;
  const waiting = wedge?.waiting ?? unansweredPrompts(main);
  if (waiting.length > 0) add(wedge === null ? 'without a reply' : 'WEDGED', `${plural(waiting.length, 'prompt')} since ${when(waiting[0]?.time ?? 0)}`);
  if (main.length > 0) facts.push(promptFact(snapshot, session, main, rules, now));
  if (session.revert !== null) {
    const armed = armedRevert(snapshot, session, rules);
    add('pending undo', `at ${session.revert.messageId}${armed === null ? '' : `: by id it would delete ${armed.deletedById.length} of ${armed.rows.length} messages, by time ${armed.afterByTime.length}`}`);
  }
  const formats = new Map<string, number>();
  for (const row of rows) formats.set(formatOfId(row.id, row.time), (formats.get(formatOfId(row.id, row.time)) ?? 0) + 1);
  add('id formats', [...formats].map(([format, count]) => `${format} ${count}`).join(', '));
  const others = [...slices].filter(([agent, slice]) => agent !== 'main' && slice.length > 0);
  if (others.length > 0) add('other agents', others.map(([agent, slice]) => `${agent} ${slice.length}`).join(', '));
  if (session.parentId !== null) add('parent', snapshot.sessions().has(session.parentId) ? session.parentId : `${session.parentId}, which has no row`);
  const children = [...snapshot.sessions().values()].filter((other) => other.parentId === session.id);
  if (children.length > 0) add('children', children.length);
  if (session.archived !== null) add('archived', when(session.archived));
  if (snapshot.importedSessions().has(session.id)) add('written by', 'an importer');
  return facts;
}

/** The lives of the sessions that a query names, in an opencode or MiMo-Code store. */
export function opencodeStories(snapshot: OpencodeSnapshot, query: SessionQuery, reader: Reader, now: number): SessionStory[] {
  const named = [...snapshot.sessions().values()].filter((session) => query.matches(session.id));
  return named.map((session): SessionStory => {
    const rows = snapshot.messages(session.id);
    const main = slicesOf(rows).get('main') ?? [];
    return {
      store: snapshot.ref.id,
      product: snapshot.ref.product,
      session: session.id,
      sessionKey: null,
      segments: [
        {
          session: session.id,
          file: null,
          from: isoTime(session.created),
          to: isoTime(main.at(-1)?.time ?? session.updated),
          rows: rows.length,
          messages: main.length,
          end: 'live',
          details: { lastRow: isoTime(main.at(-1)?.time), version: session.version },
        },
      ],
      events: eventsOf(snapshot, session.id, main),
      facts: factsOf(snapshot, session, rows, reader, now),
    };
  });
}
