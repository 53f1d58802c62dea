import type { Evidence, Finding, StoreReport } from '../model/finding.ts';
import { productNames, type Product } from '../model/product.ts';
import { count } from './printable.ts';
import { findingName } from './session-name.ts';

/** What the rule may speak of: the findings that made it apply, all of one store; `stopped` when an earlier rule said to stop the product. */
export type AidCase = { findings: readonly Finding[]; store: Pick<StoreReport, 'product' | 'path' | 'layout'>; product: string; file: string; stopped: boolean };

/** When to say which sentence. Rules are tried in order; the most urgent come first. */
export type AidRule = {
  checks: readonly string[];
  products?: readonly Product[];
  /** Narrows it to some findings of these checks. */
  only?: (finding: Finding) => boolean;
  /** It says to stop the product, or not to start it. */
  stops?: boolean;
  /** One or two sentences in the imperative, without any message text. */
  say: (found: AidCase) => string;
};

const harmful = (finding: Finding): boolean => finding.severity !== 'info';
/** The reader of this store is harmed, not only another one. */
const harmsReader = (finding: Finding): boolean => finding.severity === 'error';

function numberOf(evidence: Evidence, key: string): number {
  const value = evidence[key];
  return typeof value === 'number' ? value : Array.isArray(value) ? value.length : 0;
}

function sum(findings: readonly Finding[], key: string): number {
  return findings.reduce((total, finding) => total + numberOf(finding.evidence, key), 0);
}

/** `a and b`, `a, b and 4 more`: names of chats or sessions, each once. */
function names(findings: readonly Finding[]): string {
  const all = [...new Set(findings.map(findingName).filter((name) => name !== ''))];
  if (all.length === 0) return 'this store';
  if (all.length <= 2) return all.join(' and ');
  return `${all.slice(0, 2).join(', ')} and ${all.length - 2} more`;
}

const waiting = (findings: readonly Finding[]): number => sum(findings.filter((finding) => finding.checkId === 'order/wedged-session'), 'unansweredPrompts');

function waitingText(findings: readonly Finding[], advice: string): string {
  const prompts = waiting(findings);
  if (prompts === 0) return '';
  return ` ${count(prompts, 'prompt')} ${prompts === 1 ? 'waits' : 'wait'} unanswered in ${names(findings.filter((finding) => finding.checkId === 'order/wedged-session'))}; ${advice}.`;
}

function silentText(findings: readonly Finding[]): string {
  const silent = findings.find((finding) => finding.checkId === 'order/next-prompt-silent');
  return silent ? ` Until then ${count(numberOf(silent.evidence, 'sessions'), 'session')} more would not answer the next prompt.` : '';
}

/** What the watermarks of these findings keep from the agent. */
function hiddenText(findings: readonly Finding[]): string {
  const hidden = sum(findings, 'hiddenRows');
  return hidden > 0 ? count(hidden, 'group message') : 'the messages its watermark covers';
}

export const aidRules: readonly AidRule[] = [
  // Evidence that the next start destroys comes first.
  {
    checks: ['db/corrupt'],
    stops: true,
    say: ({ product, file }) => `Do not start ${product} on ${file}. Copy it with its -wal and -shm first, and recover from the copy.`,
  },
  {
    checks: ['history/dropped-messages'],
    products: ['mimocode'],
    say: ({ findings, file, product }) =>
      `Copy ${file} with its -wal before the next start: a newer ${product} deletes the index rows that are the last copy of ${count(sum(findings, 'droppedMessages'), 'message')}.`,
  },
  {
    checks: ['order/swallowed-prompt'],
    products: ['mimocode'],
    say: ({ product, file }) => `Copy ${file} with its -wal before ${product} starts again: its start settles the turn queue and with it the traces. Send the swallowed prompts once more.`,
  },
  {
    checks: ['index/corrupt'],
    products: ['openclaw'],
    stops: true,
    say: ({ product }) => `Stop the ${product} gateway now: with an unreadable index every chat begins anew, and its next write replaces the file. The transcripts are still there.`,
  },
  {
    checks: ['index/corrupt'],
    products: ['hermes'],
    // Without a route in the table there is nothing to write it from.
    only: (finding) => finding.evidence['routesInTable'] !== 0,
    say: ({ product }) => `Leave ${product} running: it writes its sessions.json anew from the database.`,
  },
  {
    checks: ['store/quarantined-copy', 'migration/unimported-rows'],
    say: ({ findings }) => {
      const files = findings.map((finding) => finding.location.path.split('/').at(-1) ?? finding.location.path);
      const shown = files.slice(0, 2).join(', ') + (files.length > 2 ? ` and ${files.length - 2} more` : '');
      const cleanup = findings.some((finding) => finding.checkId === 'migration/unimported-rows') ? ', and run no openclaw update cleanup' : '';
      return `Delete nothing beside the store${cleanup}: ${shown} may hold rows that it lacks.`;
    },
  },
  // Then what the next prompt or message would do.
  {
    checks: ['order/armed-revert'],
    only: harmful,
    say: ({ findings, product }) =>
      `Do not prompt in ${names(findings)}: the next prompt makes this ${product} delete ${count(sum(findings, 'rowsDeletedByIdOrder'), 'row')} where ${sum(findings, 'rowsAfterRevertByTime')} were undone. Other sessions may go on.`,
  },
  {
    checks: ['archive/live-archived', 'index/dangling-entry', 'index/stale-session-file'],
    products: ['openclaw'],
    stops: true,
    say: ({ findings, product }) => `Stop the ${product} gateway before the next message in ${names(findings)}: where the index points lies no transcript, and the next message begins an empty one.`,
  },
  {
    checks: ['transcript/malformed-line', 'transcript/truncated-tail', 'transcript/missing-header'],
    products: ['openclaw'],
    stops: true,
    only: harmful,
    say: ({ findings, product }) => `Stop the ${product} gateway, or send nothing to ${names(findings)}: before its next run the gateway's own repair drops the lines it cannot read.`,
  },
  {
    checks: ['transcript/broken-parent', 'transcript/parent-cycle', 'transcript/duplicate-id'],
    products: ['openclaw'],
    only: harmsReader,
    say: ({ findings }) => `Send nothing to ${names(findings)} until it is repaired: the agent sees only a part of the talk, and new messages hang on that part.`,
  },
  {
    checks: ['transcript/sequence-gap', 'transcript/misplaced-append'],
    products: ['openclaw'],
    only: harmsReader,
    say: ({ findings, product }) => `Do not compact, rewind or reset ${names(findings)}; ${product} may stay up for other chats.`,
  },
  {
    checks: ['compaction/orphaned-end'],
    products: ['hermes'],
    say: ({ findings }) => `Send nothing to ${names(findings)}: it refuses writes. Begin a new session until it is repaired; other sessions may go on.`,
  },
  {
    checks: ['compaction/stranded-rows', 'compaction/double-summary', 'compaction/live-duplicates', 'compaction/forked-continuation'],
    products: ['hermes'],
    only: harmful,
    say: ({ findings }) => `Do not /compress, /retry or edit in ${names(findings)}: that rewrites what has to be put right. Nothing more is lost by waiting.`,
  },
  {
    checks: ['reset/unexplained', 'reset/intraday-repeat', 'reset/zone-mismatch'],
    products: ['openclaw'],
    say: ({ findings }) => {
      const harmed = findings.filter(harmful);
      const zones = [...new Set(findings.map((finding) => finding.evidence.matchingZone).filter((zone) => typeof zone === 'string'))];
      const zone = zones.length > 0 ? `Ask which time zone the host runs in: ${zones.slice(0, 2).join(' or ')} would explain an end.` : 'Look for a job at those times.';
      return `Keep every .reset. and .deleted. file, and run no cleanup or doctor --fix: they are what is left of ${names(harmed.length > 0 ? harmed : findings)}. ${zone}`;
    },
  },
  // Then what makes it good.
  {
    checks: ['order/wedged-session', 'order/next-prompt-silent', 'order/id-wrap-inversion', 'order/armed-revert'],
    products: ['opencode'],
    only: harmful,
    say: ({ findings }) => `Upgrade to opencode 1.18.15 or later: it needs no repair.${waitingText(findings, 'they are stored, do not send them again')}${silentText(findings)}`,
  },
  {
    checks: ['order/wedged-session', 'order/next-prompt-silent'],
    products: ['mimocode'],
    only: (finding) => finding.severity === 'error' || (finding.checkId === 'order/next-prompt-silent' && harmful(finding)),
    say: ({ findings }) => `Upgrade to a MiMo-Code later than 0.1.12: it answers new prompts again.${waitingText(findings, 'after that, send them once more')}${silentText(findings)}`,
  },
  {
    checks: ['order/wedged-session'],
    products: ['mimocode'],
    only: (finding) => finding.severity === 'warning',
    say: ({ findings, product }) => `This ${product} answers new prompts, but ${count(waiting(findings), 'older prompt')} in ${names(findings)} got no reply: send ${waiting(findings) === 1 ? 'it once more if it still matters' : 'them once more if they still matter'}.`,
  },
  {
    checks: ['watermark/orphaned'],
    products: ['openclaw'],
    only: (finding) => finding.severity === 'error',
    say: ({ findings, product, stopped }) => {
      const without = `without ${hiddenText(findings)}`;
      // Only an unbound watermark is ignored by later builds; the other kinds they honour as well.
      const upgrade = findings.every((finding) => finding.evidence.reason === 'unbound') ? ', or upgrade to 2026.7.1 or later' : '';
      if (stopped) return `Until the watermark is dropped the agent answers in ${names(findings)} ${without}.`;
      return `Leave the ${product} gateway running: nothing more is lost by the minute, but the agent answers ${without}. Stop it only for the repair${upgrade}.`;
    },
  },
  {
    checks: ['watermark/orphaned'],
    products: ['openclaw'],
    only: (finding) => finding.severity === 'warning',
    say: ({ findings, product, stopped }) => {
      const [watermark, it] = findings.length === 1 ? ['the left-over watermark', 'it'] : [`the ${findings.length} left-over watermarks`, 'them'];
      return `Do not go back to an ${product} before 2026.7.1: it would hide ${hiddenText(findings)}. Later builds ignore ${watermark} and read the recent messages again once${stopped ? '' : `, so leave the gateway running; the repair that drops ${it} can wait`}.`;
    },
  },
  {
    checks: ['history/dropped-messages'],
    products: ['opencode'],
    say: ({ findings }) => `Copy the database, and keep its event tables and the old storage folder: ${count(sum(findings, 'droppedMessages'), 'message')} ${sum(findings, 'droppedMessages') === 1 ? 'is' : 'are'} only there. sessionfsck recover writes them out.`,
  },
  {
    checks: ['db/invalid-json'],
    only: (finding) => finding.severity === 'error',
    say: ({ findings, file, product, stopped }) => `${stopped ? 'Copy' : `Leave ${product} running: nothing more is lost by the minute. Copy`} ${file} with its -wal before anything is edited by hand; ${names(findings)} may fail to load.`,
  },
  {
    checks: ['lock/stale', 'compaction/stale-lock', 'index/stuck-running'],
    only: harmful,
    say: ({ findings, product }) => `If ${product} does not answer in ${names(findings)}: a lock or a claim was left behind, and the plan removes it.`,
  },
];

/** The sentence for a store where no rule speaks. */
export function calmSentence(findings: readonly Finding[], product: Product): string {
  const repair = findings.some((finding) => finding.fix.class !== 'none') ? ' Stop it only for the repair.' : '';
  return `Nothing is urgent: leave ${productNames[product]} running.${repair}`;
}
