import { spanText } from '../../model/zone.ts';
import type { CauseTried } from '../reset-event.ts';
import type { PolicyTrial } from './policy-trial.ts';
import type { OpenclawEnd } from './reset-end.ts';

/** A command's row and the reset that it made lie within this, ms. */
const commandWithin = 120_000;
/** A reset call writes the successor's header about 1 ms before it names the archive; ms. */
const callWithin = 500;
/** A failed run's trace ends within this of the restart, ms. */
const runFailedWithin = 60_000;

/** Commands and reset calls: what their traces are, and whether they are there. */
export function tryManual(end: OpenclawEnd & { at: number }): CauseTried[] {
  const { at, successor } = end;
  const first = successor?.firstUser ?? null;
  if (end.note !== null) return [{ cause: 'manual', holds: true, why: `a command: the product wrote the session note ${end.note} for it` }];
  if (first?.command && first.saidAt !== null && Math.abs(first.saidAt - at) <= commandWithin) {
    return [{ cause: 'manual', holds: true, why: `a command: the successor's first message is a reset command, ${spanText(first.saidAt - at)} ${first.saidAt <= at ? 'before' : 'after'} the end` }];
  }
  if (end.lastCommandAt !== null && at >= end.lastCommandAt && at - end.lastCommandAt <= commandWithin) {
    return [{ cause: 'manual', holds: true, why: `a command: the session's last message is a reset command, ${spanText(at - end.lastCommandAt)} before the end` }];
  }
  const command: CauseTried = { cause: 'manual', holds: false, why: successor === null ? 'no successor is left whose first message could be a reset command' : 'no command: neither the last message nor the first of the successor is one' };
  const headerAt = successor?.startedAt ?? null;
  if (successor !== null && headerAt !== null && end.kind === 'reset-archive') {
    const lead = at - headerAt;
    const later = first === null || first.saidAt === null || first.saidAt > at;
    if (lead >= 0 && lead <= callWithin && later && successor.familyNamesPredecessor !== true) {
      return [{ cause: 'manual', holds: true, why: `a reset call: the successor's header lies ${Math.round(lead)} ms before the archive's time, its first message comes later, and no family field names the old session` }];
    }
    const reason = lead < 0 ? `the successor's header lies ${spanText(lead)} after the archive's time, not before it` : lead > callWithin ? `the successor's header lies ${spanText(lead)} before the archive's time` : !later ? 'its first message was said before the end' : 'the family fields name the old session';
    return [command, { cause: 'manual', holds: false, why: `no reset call: ${reason}` }];
  }
  return [command];
}

/** A restart after a failed run, and an end in the middle of one. */
export function tryFailure(end: OpenclawEnd & { at: number }): CauseTried[] {
  const { at, run, successor } = end;
  if (successor !== null && successor.copied >= 2) {
    return [{ cause: 'failure', holds: true, why: `a restart by the runner: the successor begins with ${successor.copied} messages copied from the end of this session` }];
  }
  if (run?.status != null && /error|fail|overflow|corrupt/i.test(run.status) && run.lastAt !== null && Math.abs(at - run.lastAt) <= runFailedWithin) {
    return [{ cause: 'failure', holds: true, why: `a failed run: its trace ends as ${run.status.slice(0, 40)} ${spanText(at - run.lastAt)} before the end` }];
  }
  if (end.kind === 'orphan') {
    return [{ cause: 'failure', holds: true, why: 'left without an archive name: that is what a restart of the runner leaves, and any rollover before March 2026 (upstream #35481)' }];
  }
  return [{ cause: 'failure', holds: false, why: run === null ? 'no trace of a run is left' : 'no failed run and no copied messages' }];
}

/** Known faults of the product that leave this shape; named, never taken for a cause. */
export function suspects(end: OpenclawEnd & { at: number }, policy: PolicyTrial): CauseTried[] {
  const { at, run } = end;
  const list: CauseTried[] = [];
  const suspect = (why: string): number => list.push({ cause: 'other', holds: false, suspect: true, why });
  if (policy.boundary !== null && end.startedAt !== null && end.startedAt < policy.boundary && end.lastUser !== null && end.lastUser >= policy.boundary) {
    suspect('a boundary was crossed some messages earlier: resets that come late are upstream #140053, or a run was still active at the boundary');
  }
  if (run !== null && !run.ended && run.lastAt !== null && at - run.lastAt < 600_000 && at >= run.lastAt) {
    suspect(`its run had not ended ${spanText(at - run.lastAt)} before: another writer may have taken over (upstream #95123, #98156, #119355)`);
  }
  if (end.sessionKey !== null && end.sessionKey.endsWith(':main') && end.kind === 'reset-archive') suspect('the main session rolls over after successful runs in 2026.6.11 (upstream #99964)');
  return list;
}

/** Why a `.deleted.` archive exists. A deletion is never the reset policy's work. */
export function explainDeletion(end: OpenclawEnd & { at: number }): { cause: 'cron-prune' | 'prune' | 'cap' | 'doctor' | 'delete'; why: string; sure: boolean } {
  const { at, burst } = end;
  const idleFor = end.lastRow === null ? null : at - end.lastRow;
  const others = burst > 1 ? `; ${burst} sessions went within a second` : '';
  if (end.stillCurrent) return { cause: 'doctor', why: 'an entry still names it as its current session: orphan handling took it for one that nobody owns (upstream #45255)', sure: false };
  if (end.cronRun && end.cronRetention !== null && idleFor !== null && idleFor >= end.cronRetention) {
    return { cause: 'cron-prune', why: `a cron run, last written ${spanText(idleFor)} before: over the retention of ${spanText(end.cronRetention)}${others}`, sure: true };
  }
  if (end.keyGone && idleFor !== null && idleFor >= end.pruneAfter) return { cause: 'prune', why: `unused for ${spanText(idleFor)}, over pruneAfter of ${spanText(end.pruneAfter)}, and its chat is gone${others}`, sure: false };
  if (end.historic && end.burstHistoric >= 3) return { cause: 'doctor', why: `one of ${end.burstHistoric} sessions that entries remember as history, all within a second: orphan handling (upstream #73471)`, sure: false };
  if (end.keyGone && burst >= 2 && end.entries >= end.maxEntries) return { cause: 'cap', why: `its chat is gone and ${end.entries} are left, the cap being ${end.maxEntries}${others}`, sure: false };
  return { cause: 'delete', why: `not the policy: resets never write .deleted. Somebody or some job deleted the session; who is not recorded${others}`, sure: true };
}
