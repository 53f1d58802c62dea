import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { HermesSnapshot, SessionDigest } from '../../stores/hermes/types.ts';
import type { OpenclawSnapshot, TranscriptDigest } from '../../stores/openclaw/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { idsOf, messageAt, rowsText } from '../shared/hermes.ts';
import { hermesPairing } from '../shared/hermes-tools.ts';
import { readersBranch } from '../shared/openclaw-branch.ts';
import { idsBeside, pairingSteps } from '../shared/openclaw-tools.ts';
import { nameOfRow, namedRows, placeOf, roleOfRow, standingOf } from '../shared/openclaw-transcript.ts';
import { pairToolCalls, type OrphanResult } from '../shared/tool-pairing.ts';

function* orphanResults(digest: TranscriptDigest, snapshot: OpenclawSnapshot, context: CheckContext): Iterable<FindingDraft> {
  if (digest.toolResults.length === 0 || standingOf(digest, snapshot) !== 'read') return;
  const branch = readersBranch(digest, snapshot, context.reader);
  if (branch.cyclic) return;
  const { orphans } = pairToolCalls(pairingSteps(digest, branch.rows));
  if (orphans.length === 0) return;
  const made = idsBeside(digest.toolCalls, branch.rows);
  const beginning = cutBeginning(digest, snapshot, branch.rows);
  // A call that stands beside the branch belongs to another branch, or lies before a gap that has its own finding.
  const stray = orphans.filter(({ row, callId, why }) => (why !== 'no-call' || !made.has(callId)) && !beginning.has(row));
  const first = stray[0];
  if (!first) return;
  yield {
    ...placeOf(digest, digest.rows.line[first.row]),
    message: `${stray.length === 1 ? 'A tool result answers' : `${stray.length} tool results answer`} no call of the assistant turn before ${stray.length === 1 ? 'it' : 'them'} (${namedRows(digest, stray.map(({ row }) => digest.rows.line[row]!))}).`,
    details: details(digest, stray),
    evidence: { rows: stray.slice(0, 1000).map(({ row }) => nameOfRow(digest, row)), callIds: stray.slice(0, 1000).map(({ callId }) => callId) },
    record: digest.file.name,
  };
}

const reasons: Record<OrphanResult<number>['why'], string> = { 'no-call': 'no row made that call', 'earlier-turn': 'made by an earlier turn', answered: 'it has its result, and the talk went on' };

function details(digest: TranscriptDigest, stray: readonly OrphanResult<number>[]): string[] {
  return stray.slice(0, 3).map(({ row, callId, why }) => `${namedRows(digest, [digest.rows.line[row]!])} answers ${callId}: ${reasons[why]}`);
}

/** Results that stand before any other message, in a transcript whose beginning was cut off on purpose (`sessions.compact`). */
function cutBeginning(digest: TranscriptDigest, snapshot: OpenclawSnapshot, branch: readonly number[]): Set<number> {
  const leading = new Set<number>();
  for (const row of branch) {
    const role = roleOfRow(digest, row);
    if (role === 'toolResult' || role === 'tool') leading.add(row);
    else if (role !== 'none') break;
  }
  const isCut = leading.size > 0 && snapshot.files.some((file) => file.kind === 'bak' && file.sessionId === digest.sessionId);
  return isCut ? leading : new Set();
}

function* hermesOrphans(digest: SessionDigest, snapshot: HermesSnapshot): Iterable<FindingDraft> {
  const { orphans } = hermesPairing(digest);
  if (orphans.length === 0) return;
  const rows = idsOf(digest, orphans.map(({ index }) => index));
  const earlier = orphans.filter(({ why }) => why === 'earlier-turn').length;
  yield {
    session: digest.session.id,
    sessionKey: digest.session.sessionKey,
    message: `${rows.length === 1 ? 'A tool result answers' : `${rows.length} tool results answer`} no call of the assistant turn before ${rows.length === 1 ? 'it' : 'them'} (${rowsText(rows)}).`,
    details: [`${rows.length - earlier} without any call, ${earlier} of a call that an earlier turn made. Hermes drops them in memory before each request.`],
    location: messageAt(snapshot, rows[0]),
    evidence: { rows: rows.slice(0, 1000) },
    affects: 'builds that send the rows as they are: model providers refuse such a request',
    fix: { id: 'retire-orphan-result', class: 'judgement' },
  };
}

export default defineCheck({
  meta: {
    id: 'tool/orphan-result',
    severity: 'warning',
    title: 'a tool result without its call',
    products: ['openclaw', 'hermes'],
    fix: noFix,
    affects: 'model providers that refuse such a request; OpenClaw drops or moves the result in memory before each request',
  },
  openclaw: { session: orphanResults },
  hermes: { session: hermesOrphans },
});
