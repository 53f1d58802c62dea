import { createHash } from 'node:crypto';
import type { FindingDraft } from '../../model/check.ts';
import type { Json } from '../../model/finding.ts';
import { isoTime } from '../../model/time.ts';
import { noFix } from '../../model/finding.ts';
import { visiblePart } from '../../readers/openclaw/visible.ts';
import type { HermesSnapshot, SessionDigest } from '../../stores/hermes/types.ts';
import type { OpenclawSnapshot, TranscriptDigest } from '../../stores/openclaw/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { idsOf, messageAt, rowsText } from '../shared/hermes.ts';
import { hermesPairing } from '../shared/hermes-tools.ts';
import { readersBranch } from '../shared/openclaw-branch.ts';
import { idsBeside, pairingSteps } from '../shared/openclaw-tools.ts';
import { lastRowTime, nameOfRow, namedRows, placeOf, standingOf } from '../shared/openclaw-transcript.ts';
import { pairToolCalls } from '../shared/tool-pairing.ts';

/** A run may work this long on its tools while others go on talking. */
const runMs = 3_600_000;

function* unansweredCalls(digest: TranscriptDigest, snapshot: OpenclawSnapshot, context: CheckContext): Iterable<FindingDraft> {
  if (digest.toolCalls.length === 0 || standingOf(digest, snapshot) !== 'read') return;
  const branch = readersBranch(digest, snapshot, context.reader);
  if (branch.cyclic) return;
  // What lies before an in-log reset is no longer sent to a model.
  const inContext = branch.rows.slice(visiblePart(digest, branch).from);
  const { unanswered } = pairToolCalls(pairingSteps(digest, inContext));
  if (unanswered.length === 0) return;
  const answered = idsBeside(digest.toolResults, branch.rows);
  const working = mayBeWorking(digest, snapshot, context.now);
  const open = unanswered
    .filter(({ next }) => next === 'assistant' || !working)
    // A result beside the branch belongs to another branch of the same call.
    .map(({ row, callIds }) => ({ row, callIds: callIds.filter((id) => !answered.has(id)) }))
    .filter(({ callIds }) => callIds.length > 0);
  const first = open[0];
  if (!first) return;
  const callIds = open.flatMap((turn) => turn.callIds);
  yield {
    ...placeOf(digest, digest.rows.line[first.row]),
    message: `${callIds.length === 1 ? '1 tool call never got its result' : `${callIds.length} tool calls never got their results`}, although the talk went on.`,
    details: open.slice(0, 3).map((turn) => `${namedRows(digest, [digest.rows.line[turn.row]!])}: ${turn.callIds.join(', ')}`),
    evidence: { rows: open.map(({ row }) => nameOfRow(digest, row)), callIds, turns: open.slice(0, 100).map((turn) => describeTurn(digest, inContext, turn)) },
    record: digest.file.name,
  };
}

/** What a repair of this turn rests on: where it stands, the row that follows it in the talk, and ids that are free for results. */
function describeTurn(digest: TranscriptDigest, branch: readonly number[], { row, callIds }: { row: number; callIds: string[] }): Json {
  const { rows, toolCalls } = digest;
  const next = branch[branch.indexOf(row) + 1];
  return {
    line: rows.line[row]!,
    row: rows.id[row] ?? null,
    at: isoTime(rows.time[row]),
    nextLine: next === undefined ? null : rows.line[next]!,
    nextRow: next === undefined ? null : (rows.id[next] ?? null),
    nextParent: next === undefined ? null : (rows.parentId[next] ?? null),
    calls: callIds.map((id) => ({ id, name: toolCalls.find((call) => call.row === row && call.id === id)?.name ?? null, resultRow: freeId(digest, row, id) })),
  };
}

/** Eight hexadecimal digits, as the product's own ids, that no row of the transcript has; the same in every run. */
function freeId(digest: TranscriptDigest, row: number, callId: string): string {
  for (let attempt = 0; ; attempt++) {
    const id = createHash('sha256').update(`${digest.sessionId} ${row} ${callId} ${attempt}`).digest('hex').slice(0, 8);
    if (digest.rowOf(id) === -1) return id;
  }
}

/** A live run may be busy with its tools while only users write. */
function mayBeWorking(digest: TranscriptDigest, snapshot: OpenclawSnapshot, now: number): boolean {
  if (snapshot.writerAlive(digest.sessionId)) return true;
  const last = lastRowTime(digest);
  return last !== null && now >= last && now - last < runMs;
}

function* hermesUnanswered(digest: SessionDigest, snapshot: HermesSnapshot, context: CheckContext): Iterable<FindingDraft> {
  const { session } = digest;
  const { unanswered } = hermesPairing(digest);
  if (unanswered.length === 0) return;
  const last = snapshot.activity(session.id).lastMessageAt;
  const leased = snapshot.locks().some((lock) => lock.sessionId === session.id && lock.expiresAt !== null && lock.expiresAt > context.now);
  const working = leased || (session.endedAt === null && last !== null && context.now - last < runMs);
  const open = unanswered.filter(({ next }) => next === 'assistant' || !working);
  if (open.length === 0) return;
  const rows = idsOf(digest, open.map(({ index }) => index));
  const callIds = open.flatMap(({ index, missing }) => {
    const declared = snapshot.toolCallIds(digest.messages.ids[index] ?? 0);
    return missing.flatMap((position) => declared[position] ?? []);
  });
  yield {
    session: session.id,
    sessionKey: session.sessionKey,
    message: `${callIds.length === 1 ? '1 tool call never got its result' : `${callIds.length} tool calls never got their results`}, although the talk went on (${rowsText(rows)}).`,
    details: ['Hermes makes up a result in memory before each request, or drops the call. Nothing is run again.'],
    location: messageAt(snapshot, rows[0]),
    evidence: { rows, callIds },
    affects: 'builds that send the rows as they are: model providers refuse such a request',
    fix: noFix,
  };
}

export default defineCheck({
  meta: {
    id: 'tool/unanswered-call',
    severity: 'warning',
    title: 'a tool call without a result in the middle of a talk',
    products: ['openclaw', 'hermes'],
    fix: { id: 'abort-unanswered-call', class: 'judgement' },
    affects: 'model providers that refuse such a request for good; OpenClaw makes up an error result in memory before each request',
  },
  openclaw: { session: unansweredCalls },
  hermes: { session: hermesUnanswered },
});
