import { compareIds, convertAfterWrap, readId, rekeyBeforeWrap, v1Digits, v2Digits, wrapAfter, wrapBefore, type Remint } from '../../ids/index.ts';
import type { Action, StepDraft } from '../../model/step.ts';
import { isoTime } from '../../model/time.ts';
import { formatReader } from '../../model/version.ts';
import { mimocodeRules } from '../../readers/mimocode/rules.ts';
import { firstByTime, opencodeRules, type OrderRules } from '../../readers/opencode/rules.ts';
import { unansweredPrompts } from '../../readers/opencode/unanswered.ts';
import type { OpencodeSnapshot } from '../../stores/opencode/types.ts';
import type { FixContext } from '../fix.ts';
import { mentions, messageColumns, partColumns, unknownUses } from './references.ts';

/** rekey: rows before the wrap get the first ids of the new epoch. convert: v1 rows after it get v2 ids. */
export type RemintWay = 'rekey' | 'convert';

export type Outcome = { step: StepDraft } | { left: string; alternatives: string[] };

const day = 86_400_000;
const partSuffix = { rekey: 14, convert: 9 } as const;

export function rulesFor(snapshot: OpencodeSnapshot, context: FixContext): OrderRules {
  return context.store.product === 'mimocode' ? mimocodeRules(context.reader, snapshot.holdsV2Ids()) : opencodeRules(context.reader);
}

/** The ways out that need no write. */
export function otherWays(context: FixContext): string[] {
  const upgrade =
    context.store.product === 'opencode'
      ? `Upgrade to opencode ${firstByTime} or later: it orders by time, and nothing needs repair.`
      : 'Upgrade to a MiMo-Code later than 0.1.12: new messages then sort last and are answered.';
  return [upgrade, 'Fork the session without a cut point: the copy gets new ids in order and the original stays; todos, children and the share page stay with the original.'];
}

/** Plans new ids for one session, or says why it must not be done (opencode format notes §7.2–§7.4). */
export function remintSession(sessionId: string, way: RemintWay, snapshot: OpencodeSnapshot, context: FixContext): Outcome {
  const alternatives = otherWays(context);
  const left = (reason: string): Outcome => ({ left: reason, alternatives });
  const session = snapshot.sessions().get(sessionId);
  if (session === undefined) return left('the session has no row');
  const refusal = refusedFor(sessionId, way, snapshot, context);
  if (refusal !== null) return left(refusal);

  const boundary = wrapBefore(context.now);
  const rows = snapshot.messages(sessionId);
  const minted: Remint = way === 'rekey' ? rekeyBeforeWrap(rows, boundary, context.now) : convertAfterWrap(rows, boundary);
  if (!minted.ok) return left(`its ids cannot be put in order: ${minted.reason}`);
  const { mapping } = minted;
  if (mapping.size === 0) return left('no id of it needs to change');
  const uses = snapshot.idUses(sessionId, new Set(mapping.keys()));
  const [unknown] = unknownUses(uses);
  if (unknown) return left(`${unknown.table}.${[unknown.column, ...unknown.path].join('.')} holds ids of this session, and what it means is not known`);

  const parts = mapParts(way, rows.filter((row) => Math.abs(row.time - boundary) < day).map((row) => row.id), snapshot, boundary);
  const actions: Action[] = [{ kind: 'map-ids', database: context.store.path, mapping: Object.fromEntries(mapping), columns: messageColumns(snapshot, sessionId) }];
  if (parts.size > 0) actions.push({ kind: 'map-ids', database: context.store.path, mapping: Object.fromEntries(parts), columns: partColumns(snapshot, sessionId) });
  const [first] = mapping;
  const waiting = unansweredPrompts(rows.filter((row) => row.agent === 'main')).length;
  return {
    step: {
      target: sessionId,
      session: sessionId,
      title: `${mapping.size} of ${rows.length} message ids: ${first?.[0]} becomes ${first?.[1]}, and so on in order of time`,
      consequences: [
        `Every row keeps its time, its text and its parts; ids and what refers to them change${parts.size > 0 ? `, ${parts.size} part ids with them` : ''}.`,
        ...(waiting > 0 ? [`It does not answer the ${waiting === 1 ? 'prompt that waits' : `${waiting} prompts that wait`}: the next prompt does, with the whole history.`] : []),
        'Clients that are open show the old order until they are restarted.',
        ...(snapshot.has('event') ? ['The event log keeps the old ids; no reader of this machine orders by it.'] : []),
        ...(mentioned(mentions(uses))),
        ...(snapshot.repairFacts(sessionId).shared ? ['The session is shared: its page keeps the old ids, and a later sync adds the messages again. Unshare it first.'] : []),
        ...(way === 'rekey' ? [`At the next wrap, ${isoTime(wrapAfter(context.now))?.slice(0, 10)}, a build that orders by id falls silent again.`] : []),
      ],
      alternatives,
      actions,
    },
  };
}

function mentioned(count: number): string[] {
  return count === 0 ? [] : [`Old ids that are mentioned inside ${count === 1 ? '1 text' : `${count} texts`} stay as they were written.`];
}

/** Why this session must be left alone, or null. */
function refusedFor(sessionId: string, way: RemintWay, snapshot: OpencodeSnapshot, context: FixContext): string | null {
  const rules = rulesFor(snapshot, context);
  const reader = formatReader(context.reader);
  if (rules.order === 'time') return `${reader} orders by time: no id needs to change`;
  if (way === 'convert' && rules.mints !== 'v2') return `${reader} does not mint v2 ids: what it writes next would sort before them`;
  if (snapshot.schema?.newer) return `the schema (${snapshot.schema.version ?? 'unknown'}) is newer than what is known, so ids may stand where nobody would look`;
  const facts = snapshot.repairFacts(sessionId);
  if (facts.workspaceId !== null) return 'the session belongs to a workspace, whose other copy keeps the old ids';
  if (facts.eventOwner !== null) return 'its event log is owned by another host, whose copy keeps the old ids';
  if (facts.importSources.includes('opencode')) return 'the session was imported from an opencode database, which is compared by id: repair that database instead';
  return null;
}

/** New ids for parts of messages that have parts on both sides of the wrap: readers show parts in order of id. */
function mapParts(way: RemintWay, messageIds: readonly string[], snapshot: OpencodeSnapshot, boundary: number): Map<string, string> {
  const mapping = new Map<string, string>();
  for (const messageId of messageIds) {
    const ids = snapshot.partIds(messageId);
    const late = ids.filter((id) => isEarlyInEpoch(id, boundary));
    const early = ids.filter((id) => readId(id, boundary)?.format === 'v1' && !late.includes(id));
    if (late.length === 0 || early.length === 0) continue;
    const changing = (way === 'rekey' ? early : late).sort(compareIds);
    for (const [index, id] of changing.entries()) {
      const prefix = id.slice(0, id.indexOf('_'));
      const digits = way === 'rekey' ? v1Digits(boundary, mapping.size + 1) : v2Digits(boundary, index + 1);
      mapping.set(id, `${prefix}_${digits}${id.slice(-partSuffix[way])}`);
    }
  }
  return mapping;
}

/** True for a v1 id of the first half of an epoch: near a wrap, one from behind it. */
function isEarlyInEpoch(id: string, boundary: number): boolean {
  const reading = readId(id, boundary);
  return reading?.format === 'v1' && reading.clock < 2 ** 35;
}
