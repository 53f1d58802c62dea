import { epochOf, epochStart, readId, timeNear } from '../ids/index.ts';
import type { Finding, ScanResult, StoreReport } from '../model/finding.ts';
import { isoTime, parseTime } from '../model/time.ts';
import type { Timeline, TimelineLane } from '../model/timeline.ts';

/** Lanes that are kept of a report with very many findings. */
const keptLanes = 200;

/**
 * The map of a store as far as its findings tell: used where the store itself was not asked. Ids are decoded against `now`
 * (ms). null when no finding names a time.
 */
export function timelineFromFindings(store: StoreReport, result: Pick<ScanResult, 'findings'>, now: number): Timeline | null {
  const findings = result.findings.filter((finding) => finding.store === store.id);
  const lanes = new Map<string, TimelineLane>();
  for (const finding of findings) {
    const key = finding.sessionKey ?? finding.session;
    if (key === null) continue;
    const lane = lanes.get(key) ?? { sessionKey: finding.sessionKey, session: finding.sessionKey === null ? finding.session : null, segments: [], marks: [] };
    lanes.set(key, lane);
    addFinding(lane, finding, now);
  }
  const timed = [...lanes.values()].filter((lane) => lane.segments.length > 0 || lane.marks.length > 0);
  if (timed.length === 0) return null;
  const lines = findings.some((finding) => finding.checkId.startsWith('order/')) ? [boundaryLine(now)] : [];
  return { store: store.id, lanes: timed.slice(0, keptLanes), lines, more: Math.max(0, timed.length - keptLanes), untimed: lanes.size - timed.length };
}

/** The map that a store gave, with the moments that findings name marked on it. */
export function withFindings(timeline: Timeline, findings: readonly Finding[], now: number): Timeline {
  const lanes = timeline.lanes.map((lane) => ({ ...lane, segments: [...lane.segments], marks: [...lane.marks] }));
  for (const finding of findings) {
    if (finding.store !== timeline.store) continue;
    const lane = lanes.find((candidate) => (finding.sessionKey !== null && candidate.sessionKey === finding.sessionKey) || (finding.session !== null && candidate.segments.some((segment) => segment.session === finding.session)));
    if (!lane) continue;
    const found: TimelineLane = { ...lane, segments: [], marks: [] };
    addFinding(found, finding, now, lane);
    if (found.marks.length === 0 && finding.severity !== 'info') {
      const segment = lane.segments.find((one) => one.session === finding.session) ?? lane.segments.at(-1);
      if (segment) found.marks.push({ at: segment.to, kind: 'finding', label: finding.checkId });
    }
    if (finding.checkId === 'history/dropped-messages') lane.segments.unshift(...found.segments);
    lane.marks.push(...found.marks.filter((mark) => mark.kind !== 'reset' && mark.kind !== 'deleted'));
  }
  return { ...timeline, lanes };
}

/** The last id boundary of the 48-bit ids before a time (ms). */
export function boundaryLine(now: number): { at: number; label: string } {
  const at = epochStart(epochOf(now));
  return { at, label: `ids wrap ${isoTime(at)?.slice(0, 16).replace('T', ' ')} UTC` };
}

/** `known`: the same lane with the segments that the store told of. */
function addFinding(lane: TimelineLane, finding: Finding, now: number, known: TimelineLane = lane): void {
  const { evidence, checkId } = finding;
  const at = parseTime(evidence.at);
  const started = parseTime(evidence.sessionStartedAt);
  if (at !== null) {
    const deleted = typeof evidence.archive === 'string' && evidence.archive.includes('.deleted.');
    if (started !== null && started <= at) lane.segments.push({ session: finding.session ?? '', from: started, to: at, rows: null, end: deleted ? 'deleted' : 'reset', boundary: parseTime(evidence.boundary) });
    lane.marks.push({ at, kind: 'finding', label: checkId });
  }
  const first = parseTime(evidence.firstTime);
  const last = parseTime(evidence.lastTime);
  if (first !== null && last !== null && first <= last) {
    lane.segments.push({ session: finding.session ?? '', from: first, to: last, rows: null, end: 'deleted', boundary: null });
    lane.marks.push({ at: last, kind: 'finding', label: checkId });
  }
  if (checkId === 'order/wedged-session') addSessionOfIds(lane, finding, now);
  if (checkId === 'watermark/orphaned' && typeof evidence.hiddenByArchive === 'object' && evidence.hiddenByArchive !== null) {
    const times = Object.keys(evidence.hiddenByArchive).map(archiveTime).filter((time): time is number => time !== null).sort((a, b) => a - b);
    for (const [name, time] of Object.keys(evidence.hiddenByArchive).map((archive) => [archive, archiveTime(archive)] as const)) {
      if (time !== null) lane.marks.push({ at: time, kind: name.includes('.deleted.') ? 'deleted' : 'reset', label: name.includes('.deleted.') ? 'deleted' : 'reset' });
    }
    const horizon = times.at(-1) ?? (typeof evidence.resetEvent === 'string' ? known.segments.at(-1)?.from : undefined);
    if (horizon !== undefined) lane.marks.push({ at: horizon, kind: finding.severity === 'error' ? 'horizon' : 'old-horizon', label: 'hidden before this' });
  }
}

function addSessionOfIds(lane: TimelineLane, finding: Finding, now: number): void {
  const timeOf = (id: unknown): number | null => {
    const reading = typeof id === 'string' ? readId(id, null, now) : null;
    if (!reading) return null;
    const near = timeNear(reading, now);
    return near > now ? timeNear(reading, now - 2 ** 35) : near;
  };
  const begins = timeOf(finding.session);
  const ends = timeOf(finding.evidence.timeTail);
  if (begins !== null && ends !== null && begins <= ends) lane.segments.push({ session: finding.session ?? '', from: begins, to: ends, rows: null, end: 'live', boundary: null });
  if (ends !== null) lane.marks.push({ at: ends, kind: 'finding', label: finding.checkId });
}

/** ms of the time in an archive's name, `….jsonl.reset.2026-07-03T04-23-04.118Z`. */
function archiveTime(name: string): number | null {
  const match = /\.(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3}Z)/.exec(name);
  return match ? parseTime(`${match[1]}T${match[2]}:${match[3]}:${match[4]}`) : null;
}
