import { pathToFileURL } from 'node:url';
import type { Standing } from '../model/baseline.ts';
import type { CheckMeta } from '../model/check.ts';
import type { Finding, ReadError, ScanResult, Severity } from '../model/finding.ts';
import { safeJson } from './printable.ts';

const levels: Record<Severity, 'error' | 'warning' | 'note'> = { error: 'error', warning: 'warning', info: 'note' };

/**
 * The result as SARIF 2.1.0: a rule a check that ran, a result a finding, what could not be read as notifications. With an
 * audit's `standings` by fingerprint each result has its baselineState, and what was accepted is suppressed with its reason.
 */
export function renderSarif(result: ScanResult, checks: readonly CheckMeta[], standings?: ReadonlyMap<string, Standing>): string {
  const ids = [...new Set([...result.checksRun, ...result.findings.map((finding) => finding.checkId)])].sort();
  const rules = ids.map((id) => ruleOf(id, checks.find((meta) => meta.id === id)));
  return `${safeJson(
    {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: result.tool.name, version: result.tool.version, rules } },
          columnKind: 'utf16CodeUnits',
          invocations: [{ executionSuccessful: result.errors.length === 0, toolExecutionNotifications: result.errors.map(notificationOf) }],
          results: result.findings.map((finding) => ({ ...resultOf(finding, ids), ...(standings ? standingOf(standings.get(finding.fingerprint)) : {}) })),
        },
      ],
    },
    2,
  )}\n`;
}

function ruleOf(id: string, meta: CheckMeta | undefined): object {
  if (!meta) return { id };
  return {
    id,
    shortDescription: { text: meta.title },
    help: { text: `sessionfsck explain ${id}` },
    defaultConfiguration: { level: levels[meta.severity] },
    properties: { products: [...meta.products], fix: meta.fix.id, fixClass: meta.fix.class },
  };
}

function resultOf(finding: Finding, ids: readonly string[]): object {
  const { line, table, row, path } = finding.location;
  const logical = [
    ...(table === undefined ? [] : [{ name: table, fullyQualifiedName: row === undefined ? table : `${table}/${row}`, kind: 'table' }]),
    ...(finding.session === null ? [] : [{ name: finding.session, kind: 'session' }]),
  ];
  return {
    ruleId: finding.checkId,
    ruleIndex: ids.indexOf(finding.checkId),
    level: levels[finding.severity],
    message: { text: [finding.message, ...finding.details].map(plainMessage).join('\n') },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: fileUri(path) }, ...(line === undefined ? {} : { region: { startLine: Math.max(1, line) } }) },
        ...(logical.length > 0 ? { logicalLocations: logical } : {}),
      },
    ],
    partialFingerprints: { 'sessionfsck/v1': finding.host === undefined ? finding.fingerprint : `${finding.host}/${finding.fingerprint}` },
    properties: {
      confidence: finding.confidence,
      store: finding.store,
      ...(finding.host === undefined ? {} : { host: finding.host }),
      session: finding.session,
      sessionKey: finding.sessionKey,
      evidence: finding.evidence,
      affects: finding.affects,
      fix: finding.fix,
      hint: finding.hint,
    },
  };
}

function standingOf(standing: Standing | undefined): object {
  switch (standing?.kind) {
    case undefined:
    case 'new':
      return { baselineState: 'new' };
    case 'worse':
    case 'expired':
      return { baselineState: 'updated' };
    case 'known':
      return { baselineState: 'unchanged' };
    case 'accepted':
      return { baselineState: 'unchanged', suppressions: [{ kind: 'external', status: 'accepted', justification: `${standing.reason}${standing.until === undefined ? '' : ` (until ${standing.until})`}` }] };
  }
}

function notificationOf(error: ReadError): object {
  return { level: 'error', message: { text: plainMessage(error.message) }, locations: [{ physicalLocation: { artifactLocation: { uri: fileUri(error.path) } } }] };
}

function fileUri(path: string): string {
  return pathToFileURL(path === '' ? '/' : path).href;
}

/** SARIF reads `[text](target)` in a plain message as a link; a backslash before the bracket keeps it text (§3.11.6). */
function plainMessage(text: string): string {
  return text.includes('](') ? text.replaceAll('[', '\\[').replaceAll(']', '\\]') : text;
}
