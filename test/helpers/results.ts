import { createHash } from 'node:crypto';
import type { Finding, ScanResult, StoreReport } from '../../src/model/finding.ts';
import type { Timeline } from '../../src/model/timeline.ts';

/** A store as a report describes it. */
export function store(overrides: Partial<StoreReport> & Pick<StoreReport, 'product' | 'path'>): StoreReport {
  return {
    id: `${overrides.product}:${overrides.path}`,
    layout: 'sqlite',
    reader: `${overrides.product}@unknown`,
    readAs: 'snapshot',
    sessions: 7,
    recordsRead: 198,
    recordsRejected: 0,
    bytes: 123_456,
    unchanged: true,
    changedFiles: [],
    counts: {},
    ...overrides,
  };
}

/** A finding of a store; whatever is not said is plausible. */
export function finding(of: StoreReport, overrides: Partial<Finding> & Pick<Finding, 'checkId'>): Finding {
  const session = overrides.session ?? null;
  return {
    severity: 'error',
    confidence: 'certain',
    store: of.id,
    session,
    sessionKey: null,
    message: `What ${overrides.checkId} says.`,
    details: [],
    location: { path: of.path },
    evidence: {},
    affects: 'every reader',
    fix: { id: null, class: 'none' },
    hint: `sessionfsck explain ${overrides.checkId}`,
    fingerprint: createHash('sha256').update(`${overrides.checkId} ${of.id} ${session} ${JSON.stringify(overrides.evidence ?? {})}`).digest('hex').slice(0, 16),
    ...overrides,
  };
}

export function result(stores: StoreReport[], findings: Finding[], overrides: Partial<ScanResult> = {}): ScanResult {
  const count = (severity: Finding['severity']): number => findings.filter((one) => one.severity === severity).length;
  return {
    schemaVersion: 1,
    tool: { name: 'sessionfsck', version: '0.1.0' },
    ok: findings.every((one) => one.severity === 'info'),
    summary: { error: count('error'), warning: count('warning'), info: count('info') },
    stores,
    checksRun: [...new Set(findings.map((one) => one.checkId))].sort(),
    checksSkipped: [],
    findings,
    errors: [],
    ...overrides,
  };
}

/** Texts that try to break out of every format: terminal, HTML, attributes, Markdown, label values, JSON and SARIF links. */
export const hostile = `\u001b[31m"><script>alert(1)</script><img src=x onerror=alert(2)>' | [a](javascript:b) \`x\` \\ "q"\n# h \u202e end`;

export const opencodeStore = store({ product: 'opencode', path: '/home/anna/.local/share/opencode/opencode.db', reader: 'opencode@1.18.14' });
export const mimoStore = store({ product: 'mimocode', path: '/home/anna/.local/share/mimocode/mimocode.db', reader: 'mimocode@0.1.12' });
export const openclawStore = store({ product: 'openclaw', layout: 'jsonl', path: '/home/anna/.openclaw/agents/main/sessions', reader: 'openclaw@2026.6.11', readAs: 'files', sessions: 3, counts: { archives: 2 } });
export const hermesStore = store({ product: 'hermes', path: '/home/anna/.hermes/state.db', reader: 'hermes@0.21.3' });
export const healthyStore = store({ product: 'opencode', path: '/srv/healthy/opencode.db', sessions: 4, recordsRead: 37 });

const groupKey = 'agent:main:telegram:group:-1001764402291';

/** One finding of most kinds, in four stores, and one healthy store. */
export function everyKind(): ScanResult {
  return result(
    [mimoStore, openclawStore, opencodeStore, healthyStore, hermesStore],
    [
      finding(mimoStore, { checkId: 'history/dropped-messages', session: 'ses_056c29e7fffeBRC0jIzOQCvggG', evidence: { droppedMessages: 18, ftsRows: 21, firstTime: '2026-07-28T15:00:00.001Z', lastTime: '2026-07-28T21:40:04.004Z', messagesLeft: 4 } }),
      finding(mimoStore, { checkId: 'order/id-wrap-inversion', severity: 'warning', session: 'ses_00a2805ffffeWCFciHjOAyPTPR', evidence: { misplacedRows: 1, v2Rows: 4 } }),
      finding(openclawStore, {
        checkId: 'watermark/orphaned',
        session: '8be68156-0000-4000-8000-000000000001',
        sessionKey: groupKey,
        message: '112 group messages are hidden from the agent.',
        evidence: {
          reason: 'unbound', watermark: '412', watermarkKey: '["telegram","default","-1001764402291",""]', hiddenRows: 112, firstVisible: '413', sessionId: '8be68156-0000-4000-8000-000000000001',
          hiddenByArchive: { '5a898d6a-a0f4-4e29-8865-e01ca3b1129a.jsonl.deleted.2026-07-03T03-00-18.412Z': 88, '4a5b6d8b-3b73-44d3-9b69-8527b3250a02.jsonl.reset.2026-07-03T04-23-04.118Z': 24 },
        },
        fix: { id: 'drop-orphaned-watermark', class: 'safe' },
        hint: 'sessionfsck plan /home/anna/.openclaw --check watermark/orphaned -o plan.json',
      }),
      finding(openclawStore, { checkId: 'reset/unexplained', severity: 'warning', session: '4a5b6d8b-3b73-44d3-9b69-8527b3250a02', sessionKey: groupKey, location: { path: `${openclawStore.path}/4a5b6d8b-3b73-44d3-9b69-8527b3250a02.jsonl.reset.2026-07-03T04-23-04.118Z` }, evidence: { at: '2026-07-03T04:23:04.118Z', archive: '4a5b6d8b-3b73-44d3-9b69-8527b3250a02.jsonl.reset.2026-07-03T04-23-04.118Z', sessionStartedAt: '2026-07-03T03:46:02.310Z', lastActivity: '2026-07-03T03:58:00.000Z' } }),
      finding(openclawStore, { checkId: 'reset/unexplained', severity: 'warning', session: '5a898d6a-a0f4-4e29-8865-e01ca3b1129a', sessionKey: groupKey, evidence: { at: '2026-07-03T03:00:18.412Z', archive: '5a898d6a-a0f4-4e29-8865-e01ca3b1129a.jsonl.deleted.2026-07-03T03-00-18.412Z', sessionStartedAt: '2026-07-02T04:31:00.000Z', lastActivity: '2026-07-03T02:35:00.000Z' } }),
      finding(openclawStore, { checkId: 'reset/intraday-repeat', severity: 'warning', session: null, sessionKey: groupKey, evidence: { policyDay: '2026-07-02', changes: 2 } }),
      finding(openclawStore, { checkId: 'transcript/malformed-line', session: 'bad', location: { path: `${openclawStore.path}/bad.jsonl`, line: 12 }, evidence: { lineNumbers: [12, 40] }, fix: { id: 'quarantine-line', class: 'judgement' } }),
      finding(opencodeStore, { checkId: 'order/armed-revert', session: 'ses_01a08f729ffeWTJzTV0JExjSPA', evidence: { revertMessage: 'msg_000402940001Ube1mJ939vppso', rowsDeletedByIdOrder: 10, rowsAfterRevertByTime: 4 }, fix: { id: 'disarm-revert', class: 'judgement' } }),
      finding(opencodeStore, { checkId: 'order/wedged-session', session: 'ses_014749500ffemmpxRP7D4KFTMJ', evidence: { unansweredPrompts: 2, idTail: 'msg_ffd191fba0018dBLqQ503dNUNs', timeTail: 'msg_00453dd560017877Qh3GmTBRX0' }, location: { path: opencodeStore.path, table: 'session', row: 'ses_014749500ffemmpxRP7D4KFTMJ' }, affects: 'opencode before 1.18.15', fix: { id: 'rekey-prewrap-ids', class: 'judgement' } }),
      finding(opencodeStore, { checkId: 'order/id-wrap-inversion', severity: 'warning', session: 'ses_014749500ffemmpxRP7D4KFTMJ', evidence: { preWrap: 11, postWrap: 2, messages: 13 } }),
      finding(opencodeStore, { checkId: 'order/next-prompt-silent', severity: 'warning', evidence: { sessions: ['ses_0056f85d8ffeBClu4b1CdhvrSF', 'ses_03952da6effe1tmlqhX4Y8xnQu'] } }),
      finding(opencodeStore, { checkId: 'order/clock-skew-inversion', severity: 'info', session: 'ses_f9f4c1103ffeAqonPescvDxIn5', evidence: { rowsOutOfPlace: 3 } }),
      finding(hermesStore, { checkId: 'compaction/stranded-rows', session: '20260805_100000_ee69af', evidence: { rows: [17, 18, 19, 20], carrier: 21, newestCarriedOriginal: 16 }, fix: { id: 'reinstate-stranded-rows', class: 'judgement' } }),
      finding(hermesStore, { checkId: 'compaction/live-duplicates', session: '20260805_165446_48995f', evidence: { firstCopies: [124, 125], rows: [128, 129] } }),
      finding(hermesStore, { checkId: 'compaction/double-summary', session: '20260805_163519_9b5769', evidence: { carriers: [114, 117] } }),
      finding(hermesStore, { checkId: 'session/counter-drift', severity: 'warning', session: '20260805_165446_48995f', evidence: { storedMessages: 9, activeMessages: 7, storedToolCalls: 0, activeToolCalls: 0 } }),
      finding(hermesStore, { checkId: 'db/corrupt', evidence: { kind: 'short', fileBytes: 159_744, pageSize: 4096, pageCount: 100 } }),
    ],
  );
}

/** A result in which everything that could come from a store is hostile. */
export function hostileResult(): ScanResult {
  const path = `/tmp/${hostile.replaceAll('/', '')}/opencode.db`;
  const of = store({ product: 'opencode', path, reader: `opencode@${hostile.replaceAll('\n', ' ')}`, counts: { [hostile]: 3 } });
  const evidence = { [hostile]: hostile, list: [hostile, hostile], map: { [hostile]: 3 } };
  const ids = ['order/wedged-session', 'order/id-wrap-inversion', 'watermark/orphaned', 'reset/unexplained', 'compaction/stranded-rows', 'db/corrupt'];
  return result(
    [of],
    ids.map((checkId) => finding(of, { checkId, session: hostile, sessionKey: `agent:main:${hostile}`, message: hostile, details: [hostile], affects: hostile, hint: hostile, evidence, location: { path, table: hostile, row: hostile } })),
    { errors: [{ store: of.id, message: hostile, path }] },
  );
}

const night = Date.parse('2026-07-02T04:31:00Z');
const hour = 3_600_000;

/** A map with every kind of stretch and sign, for the OpenClaw store of `everyKind`; hostile names in its last lane. */
export function everyTimeline(): ReadonlyMap<string, Timeline> {
  const stretch = (session: string, from: number, to: number, end: Timeline['lanes'][number]['segments'][number]['end']) => ({ session, from: night + from * hour, to: night + to * hour, rows: 9, end, boundary: null });
  const mark = (at: number, kind: Timeline['lanes'][number]['marks'][number]['kind']) => ({ at: night + at * hour, kind, label: kind });
  const lanes: Timeline['lanes'] = [
    { sessionKey: groupKey, session: null, segments: [stretch('5a898d6a', 0, 22.5, 'deleted'), stretch('4a5b6d8b', 23.2, 23.8, 'reset'), stretch('8be68156', 23.8, 25, 'live')], marks: [mark(23.8, 'horizon'), mark(24, 'finding'), mark(24.5, 'compaction')] },
    { sessionKey: null, session: 'old', segments: [stretch('a', 1, 3, 'compaction'), stretch('b', 3, 8, 'ended'), stretch('c', 9, 12, 'loose')], marks: [mark(3, 'compaction'), mark(4, 'old-horizon'), mark(5, 'reset'), mark(6, 'deleted')] },
    { sessionKey: `agent:main:${hostile}`, session: null, segments: [stretch(hostile, 2, 20, 'live')], marks: [{ ...mark(7, 'finding'), label: hostile }] },
  ];
  return new Map([[openclawStore.id, { store: openclawStore.id, lanes, lines: [{ at: night + 12 * hour, label: 'ids wrap 2026-07-02 16:31 UTC' }], more: 3, untimed: 2 }]]);
}

/** A chat that was reset every minute, for the OpenClaw store of `manyRows`. */
export function busyNight(): ReadonlyMap<string, Timeline> {
  const segments = Array.from({ length: 500 }, (_, i) => ({ session: `s${i + 1}`, from: night + i * 60_000, to: night + (i + 1) * 60_000, rows: 2, end: 'reset' as const, boundary: night - hour / 2 }));
  return new Map([[openclawStore.id, { store: openclawStore.id, lanes: [{ sessionKey: groupKey, session: null, segments, marks: [] }], lines: [], more: 0, untimed: 0 }]]);
}

/** Findings whose evidence counts in hundreds. */
export function manyRows(): ScanResult {
  const many = Array.from({ length: 500 }, (_, i) => i + 1);
  const at = (minutes: number): string => new Date(night + minutes * 60_000).toISOString();
  const archive = (i: number): string => `5a898d6a-a0f4-4e29-8865-e01ca3b11${String(i).padStart(3, '0')}.jsonl.reset.${at(i).replaceAll(':', '-')}`;
  const ends = many.map((i) => ({ at: at(i), session: `s${i}`, archive: archive(i), verdict: 'unexplained', cause: null }));
  return result(
    [hermesStore, openclawStore],
    [
      finding(hermesStore, { checkId: 'compaction/live-duplicates', session: 'a', evidence: { firstCopies: many, rows: many.map((row) => row + 1_000_000) } }),
      finding(hermesStore, { checkId: 'compaction/stranded-rows', session: 'b', evidence: { rows: many.map((row) => row * 3), carrier: 2_000_000, newestCarriedOriginal: 2 } }),
      finding(hermesStore, { checkId: 'compaction/double-summary', session: 'c', evidence: { carriers: many, sameText: false } }),
      finding(openclawStore, { checkId: 'reset/intraday-repeat', severity: 'warning', session: null, sessionKey: groupKey, evidence: { policyDay: '2026-07-02', changes: 500, ends } }),
      finding(openclawStore, { checkId: 'watermark/orphaned', session: 'd', sessionKey: 'agent:main:x', evidence: { reason: 'unbound', watermark: '9'.repeat(300), hiddenRows: 125_250, firstVisible: '8'.repeat(300), hiddenByArchive: Object.fromEntries(many.map((i) => [archive(i), i])) } }),
    ],
  );
}
