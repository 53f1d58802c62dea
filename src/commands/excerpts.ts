import { excerptOf, type Excerpts } from '../model/excerpt.ts';
import type { Finding, Json, ScanResult } from '../model/finding.ts';
import type { RecoveredText } from '../model/recovery.ts';
import type { Reader } from '../model/version.ts';
import type { OpenStore } from '../stores/discover.ts';
import { eachRowText } from '../stores/openclaw/row-texts.ts';
import type { OpenclawSnapshot } from '../stores/openclaw/types.ts';
import { recoverableChecks, recoveriesOf } from './recovering.ts';

/** Rows of one finding whose texts are shown. */
const shownRows = 5;

/** Findings of one store whose texts are read; a store with more has a fault of its own, and its texts would not be looked at. */
const readFindings = 200;

/** Evidence keys that name rows by entry id or row number, in the order in which their texts are shown (checks: evidence keys). */
const rowKeys = ['rows', 'firstCopies', 'carriers', 'carrier', 'newestCarriedOriginal', 'compactions', 'resetEvent'] as const;

function* leaves(value: Json | undefined): Iterable<string | number> {
  if (typeof value === 'string' || typeof value === 'number') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* leaves(item);
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) yield* leaves(item);
}

/** Entry ids or row numbers that the evidence names, each once. */
function rowsNamed(finding: Finding): (string | number)[] {
  return [...new Set(rowKeys.flatMap((key) => (Array.isArray(finding.evidence[key]) || key !== 'rows' ? [...leaves(finding.evidence[key])] : [])))];
}

/** opencode's ids say what they are, wherever in the evidence they stand; what is missing has no text. */
function messagesNamed(finding: Finding): string[] {
  const named = Object.entries(finding.evidence).flatMap(([key, value]) => (key === 'missing' ? [] : [...leaves(value)]));
  return [...new Set(named.filter((leaf): leaf is string => typeof leaf === 'string' && /^(msg|prt)_[0-9A-Za-z]/.test(leaf)))];
}

function firstOf(texts: Iterable<RecoveredText>, total: number | null): Excerpts {
  const rows: Excerpts['rows'] = [];
  const seen = new Set<string>();
  for (const text of texts) {
    // The parts of one message come one after the other.
    if (seen.has(text.id)) continue;
    if (rows.length >= shownRows) break;
    seen.add(text.id);
    rows.push(excerptOf(text));
  }
  return { rows, further: Math.max(0, (total ?? rows.length) - rows.length) };
}

/** What a transcript's rows say that findings name by id or line: one pass a file. */
function fromTranscripts(snapshot: OpenclawSnapshot, findings: readonly Finding[], texts: Map<string, Excerpts>): void {
  const byFile = new Map<string, { finding: Finding; ids: Set<string>; lines: Set<number>; rows: RecoveredText[]; total: number }[]>();
  for (const finding of findings) {
    const ids = new Set(rowsNamed(finding).slice(0, shownRows).map(String));
    const all = [finding.evidence.lineNumbers, finding.evidence.lineNumber].flatMap((value) => [...leaves(value)]).filter((line): line is number => typeof line === 'number');
    const lines = new Set(ids.size > 0 ? [] : all.slice(0, shownRows));
    if (ids.size + lines.size === 0) continue;
    const file = snapshot.files.find((one) => one.path === finding.location.path && (one.kind !== 'window' || one.sessionId === finding.session));
    if (!file) continue;
    const list = byFile.get(file.name) ?? [];
    list.push({ finding, ids, lines, rows: [], total: ids.size > 0 ? rowsNamed(finding).length : all.length });
    byFile.set(file.name, list);
  }
  for (const file of snapshot.files) {
    const asked = byFile.get(file.name);
    if (!asked) continue;
    const wants = (id: string | null, line: number) => (one: (typeof asked)[number]): boolean => (id !== null && one.ids.has(id)) || one.lines.has(line);
    eachRowText(snapshot.rowsOf(file), file.path, (id, line) => asked.some(wants(id, line)), (text) => {
      for (const one of asked) if (one.rows.length < shownRows && wants(text.id, text.from.line ?? 0)(one)) one.rows.push(text);
    });
    for (const one of asked) texts.set(one.finding.fingerprint, { rows: one.rows.map(excerptOf), further: Math.max(0, one.total - one.rows.length) });
  }
}

function fromRows(opened: OpenStore, finding: Finding): Excerpts | null {
  switch (opened.product) {
    case 'hermes': {
      if (finding.location.table !== 'messages') return null;
      const rows = rowsNamed(finding).filter((row): row is number => typeof row === 'number');
      return firstOf(opened.snapshot.texts(rows.slice(0, shownRows)), rows.length);
    }
    case 'opencode':
    case 'mimocode': {
      const ids = messagesNamed(finding);
      return firstOf(opened.snapshot.messageTexts(ids.slice(0, shownRows)), ids.length);
    }
    case 'openclaw':
      return null;
  }
}

function titleOf(opened: OpenStore, session: string | null): string | null {
  return opened.product === 'openclaw' || session === null ? null : opened.snapshot.titleOf(session);
}

/**
 * The beginnings of the texts of the rows that findings of an opened store name, by fingerprint: at most five a finding, each cut.
 * Only for a person who asked with --show-text.
 */
export function excerptsOf(opened: OpenStore, findings: readonly Finding[], reader: Reader): Map<string, Excerpts> {
  const texts = new Map<string, Excerpts>();
  const asked = findings.slice(0, readFindings);
  const recoverable: readonly string[] = recoverableChecks;
  for (const { finding, expected, texts: hidden } of recoveriesOf(opened, asked.filter((one) => recoverable.includes(one.checkId)), reader)) {
    texts.set(finding.fingerprint, firstOf(hidden, expected));
  }
  const others = asked.filter((finding) => !texts.has(finding.fingerprint));
  if (opened.product === 'openclaw') fromTranscripts(opened.snapshot, others, texts);
  for (const finding of asked) {
    const found = texts.get(finding.fingerprint) ?? fromRows(opened, finding);
    const title = titleOf(opened, finding.session);
    const whole: Excerpts = { ...(found ?? { rows: [], further: 0 }), ...(title === null ? {} : { title }) };
    if (whole.rows.length > 0 || whole.title !== undefined) texts.set(finding.fingerprint, whole);
    else texts.delete(finding.fingerprint);
  }
  return texts;
}

/** Collects texts while stores are open, and puts them beside the findings. Only for a person who asked for private texts. */
export function textCollector(): { see(opened: OpenStore, findings: readonly Finding[], reader: Reader): void; attach(result: ScanResult): ScanResult } {
  const texts = new Map<string, Excerpts>();
  return {
    see(opened, findings, reader) {
      for (const [fingerprint, found] of excerptsOf(opened, findings, reader)) texts.set(fingerprint, found);
    },
    attach: (result) => withExcerpts(result, texts),
  };
}

/** The result with the texts beside the findings; what has none stays as it is. */
function withExcerpts(result: ScanResult, texts: ReadonlyMap<string, Excerpts>): ScanResult {
  return { ...result, findings: result.findings.map((finding) => (texts.has(finding.fingerprint) ? { ...finding, texts: texts.get(finding.fingerprint) } : finding)) };
}

/** Findings without any text: what a report made with --show-text has for one who did not ask. */
export function withoutExcerpts(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => {
    const { ...rest } = finding;
    delete rest.texts;
    return rest;
  });
}
