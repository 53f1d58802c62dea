import type { Finding } from '../../model/finding.ts';
import type { StepDraft } from '../../model/step.ts';
import type { OpencodeSnapshot } from '../../stores/opencode/types.ts';
import { formatReader } from '../../model/version.ts';
import { opencodeRules } from '../../readers/opencode/rules.ts';
import type { FixContext, FixOutcome, Left } from '../fix.ts';
import { otherWays, remintSession, type RemintWay } from './remint-session.ts';

/** The sessions that a finding is about: its own, or those it lists. */
function sessionsOf(finding: Finding): string[] {
  if (finding.session !== null) return [finding.session];
  const { sessions, repeating } = finding.evidence;
  return [sessions, repeating].flatMap((list) => (Array.isArray(list) ? list.filter((id) => typeof id === 'string') : []));
}

/** One step a session; sessions that must be left alone are named with the reason, and the others are planned all the same. */
export function planRemint(way: RemintWay, finding: Finding, snapshot: OpencodeSnapshot, context: FixContext): FixOutcome {
  const steps: StepDraft[] = [];
  const refused: string[] = [];
  for (const sessionId of sessionsOf(finding)) {
    const outcome = remintSession(sessionId, way, snapshot, context);
    if ('step' in outcome) steps.push(outcome.step);
    else refused.push(finding.session === null ? `${sessionId}: ${outcome.left}` : outcome.left);
  }
  const [first] = refused;
  if (first === undefined) return { steps };
  const left = refused.length === 1 ? first : `${refused.length} sessions must be left alone; ${first}`;
  return steps.length === 0 ? { left, alternatives: otherWays(context) } : { steps, left, alternatives: otherWays(context) };
}

/** Why nothing is repaired for a reader that orders by time, or null for others. */
export function declinedByTime(context: FixContext, consequence: string): Left | null {
  if (context.store.product !== 'opencode' || opencodeRules(context.reader).order === 'id') return null;
  return {
    left: `${formatReader(context.reader)} orders by time: ${consequence}`,
    alternatives: ['Only if an older build has to read this store as well: plan again with --reader opencode@ and its version.'],
  };
}
