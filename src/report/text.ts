import type { Finding, ScanResult, Severity, StoreReport } from '../model/finding.ts';
import { basename } from 'node:path';
import { count, countName, printable, wrap } from './printable.ts';
import { firstAid } from './first-aid.ts';
import { findingExcerpts } from './excerpts.ts';
import { nextCommands } from './next-commands.ts';
import { findingName } from './session-name.ts';
import { storeName } from './store-name.ts';
import { styleFor, type Style, type TextOptions } from './style.ts';

const margin = '  ';
const body = '         ';

/**
 * The text report of a scan: what to do in the next ten minutes, then one block a finding, worst first, then the commands.
 * Ends with a newline unless empty.
 */
export function renderText(result: ScanResult, options: TextOptions): string {
  const style = styleFor(options.color);
  const lines: string[] = firstAidBlock(result, options, style);
  for (const store of result.stores) {
    const findings = result.findings.filter((finding) => finding.store === store.id);
    if (options.quiet && findings.length === 0) continue;
    const skipped = result.checksSkipped.filter((skip) => skip.store === store.id);
    lines.push(...storeBlock(store, findings, options, style));
    if (options.verbose) {
      for (const skip of skipped) lines.push(`${margin}${style.dim(`skipped ${skip.checkId}: ${printable(skip.reason)}`)}`);
      if (skipped.length > 0) lines.push('');
    }
  }
  for (const error of result.errors) {
    lines.push(...indent(wrap(printable(error.message), options.width - body.length), `${style.error('UNREAD')}   `, body));
  }
  if (result.errors.length > 0) lines.push('');
  if (!options.quiet || result.findings.length > 0) lines.push(...summary(result, options));
  while (lines.at(-1) === '') lines.pop();
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function firstAidBlock(result: ScanResult, options: TextOptions, style: Style): string[] {
  const lines: string[] = [];
  for (const aid of firstAid(result)) {
    const store = result.stores.find((candidate) => candidate.id === aid.store);
    lines.push(`${style.strong('In the next ten minutes')}  ${store ? `${store.product}  ${storeName(store)}` : ''}`.trimEnd());
    for (const [index, step] of aid.steps.entries()) {
      const number = aid.steps.length === 1 ? ' ' : String(index + 1);
      lines.push(...indent(wrap(printable(step.text), options.width - 5), `${margin}${number}  `, `${margin}   `));
    }
    lines.push('');
  }
  return lines;
}

function storeBlock(store: StoreReport, findings: Finding[], options: TextOptions, style: Style): string[] {
  const name = `${store.product}  ${storeName(store)}`;
  const extra = Object.entries(store.counts).filter(([, number]) => number > 0).map(([key, number]) => printable(countName(key, number)));
  const counts = [count(store.sessions, 'session'), ...extra, `${count(store.recordsRead, 'row')} read`];
  if (store.recordsRejected > 0) counts.push(`${store.recordsRejected} rejected`);
  const lines: string[] = [];
  if (findings.length === 0) {
    lines.push(`${style.strong(name)}  ${counts.join(', ')}: ${style.good('nothing found')}`);
  } else {
    lines.push(`${style.strong(name)}  ${store.layout.toUpperCase()}  ${counts.join(', ')}`);
  }
  if (options.verbose) lines.push(`${margin}${style.dim(`${printable(store.path)}, judged for ${printable(store.reader)}, read as ${store.readAs}`)}`);
  if (!store.unchanged) {
    const names = store.changedFiles.slice(0, 3).map((path) => printable(basename(path))).join(', ');
    lines.push(`${margin}${count(store.changedFiles.length, 'file')} changed while this scan ran (${names}${store.changedFiles.length > 3 ? ', …' : ''}): scan again when the store is quiet.`);
  }
  if (findings.length > 0) lines.push('');
  for (const finding of findings) lines.push(...findingBlock(finding, options, style), '');
  return lines;
}

const tags: Record<Severity, string> = { error: 'ERROR', warning: 'WARN', info: 'INFO' };

function findingBlock(finding: Finding, options: TextOptions, style: Style): string[] {
  const width = options.width - body.length;
  const tag = style[finding.severity](tags[finding.severity].padEnd(5));
  const sure = finding.confidence === 'certain' ? '' : `  (${finding.confidence})`;
  const head = `${finding.checkId}${sure}`;
  const name = findingName(finding);
  const lines: string[] = [];
  if (head.length + name.length + 2 <= width) {
    lines.push(`${margin}${tag}  ${style.strong(head)}${' '.repeat(Math.max(2, 40 - head.length))}${name}`.trimEnd());
  } else {
    lines.push(`${margin}${tag}  ${style.strong(head)}`, `${body}${name}`);
  }
  lines.push(...indent(wrap(printable(finding.message), width), body, body));
  for (const detail of finding.details) lines.push(...indent(wrap(printable(detail), width - 2), `${body}  `, `${body}    `));
  const place = finding.location;
  const where = place.line !== undefined ? `${basename(place.path)} line ${place.line}` : place.table !== undefined ? `table ${place.table}${place.row !== undefined ? ` row ${place.row}` : ''}` : basename(place.path);
  lines.push(...indent(wrap(printable(where), width - 8), `${body}${style.dim('where')}   `, `${body}        `));
  if (finding.affects !== '') lines.push(...indent(wrap(printable(finding.affects), width - 8), `${body}${style.dim('harms')}   `, `${body}        `));
  const fix = finding.fix.class === 'none' ? `none; what to do: sessionfsck explain ${finding.checkId}` : `${finding.fix.class}: ${finding.fix.id}${finding.fix.class === 'judgement' ? ' (read the plan, then apply --allow judgement)' : ''}`;
  lines.push(...indent(wrap(fix, width - 8), `${body}${style.dim('fix')}     `, `${body}        `));
  if (finding.texts) lines.push(...indent(findingExcerpts(finding.texts, width - 8, style), `${body}${style.dim('texts')}   `, `${body}        `));
  if (options.fingerprints || options.verbose) lines.push(`${body}${style.dim('print')}   ${printable(finding.fingerprint)}`);
  return lines;
}

function indent(lines: string[], first: string, rest: string): string[] {
  return lines.map((line, index) => `${index === 0 ? first : rest}${line}`);
}

function summary(result: ScanResult, options: TextOptions): string[] {
  const { error, warning, info } = result.summary;
  const parts = [count(error, 'error'), count(warning, 'warning')];
  if (info > 0) parts.push(`${info} info`);
  const unread = result.errors.length > 0 ? ` ${count(result.errors.length, 'place')} could not be read.` : '';
  if (result.stores.length === 0 && result.errors.length === 0) return ['No session store was found.', 'Name a state folder, a database or a transcript: sessionfsck scan PATH'];
  if (result.stores.length === 0) return [`Nothing was read.${unread}  sessionfsck stores lists the stores of this user.`];
  if (error + warning + info === 0) return unread === '' ? [] : [`Nothing was found in what could be read.${unread}`];
  const shard = result.shard === undefined ? '' : ` Only part ${result.shard} of the sessions was looked at.`;
  const ignored = result.ignored ? ` ${count(result.ignored.length, 'finding')} ignored by configuration.` : '';
  const lines = wrap(`${parts.join(', ')}.${unread}${ignored}${shard} Nothing was changed by this scan.`, options.width);
  const commands = nextCommands(result, options.paths).map(([command, why]): [string, string] => [printable(command), why]);
  const widest = Math.min(52, Math.max(...commands.map(([command]) => command.length)));
  for (const [index, [command, why]] of commands.entries()) {
    const line = `${index === 0 ? 'Next:  ' : '       '}${command.padEnd(widest)}`;
    lines.push(line.length + 2 + why.length <= options.width ? `${line}  ${why}` : line.trimEnd());
  }
  return lines;
}
