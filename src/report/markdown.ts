import { basename } from 'node:path';
import type { Excerpts } from '../model/excerpt.ts';
import type { Finding, ScanResult, StoreReport } from '../model/finding.ts';
import { productNames } from '../model/product.ts';
import { evidenceRows } from './evidence.ts';
import { excerptHead, excerptText } from './excerpts.ts';
import { firstAid } from './first-aid.ts';
import { count, printable } from './printable.ts';
import { readerText } from './reader-text.ts';
import { findingName } from './session-name.ts';
import { nextCommands } from './next-commands.ts';
import { storeName } from './store-name.ts';
import { verdictLine, verdictSentence } from './verdict.ts';

/** The result for a ticket: verdict, first aid, then each finding with its numbers. `paths` are the PATH words as typed. */
export function renderMarkdown(result: ScanResult, paths: readonly string[]): string {
  const lines = [`# Session stores: ${markdownText(verdictLine(result))}`, '', markdownText(verdictSentence(result)), ''];
  const aids = firstAid(result);
  if (aids.length > 0) {
    lines.push('## In the next ten minutes', '');
    for (const aid of aids) {
      const store = result.stores.find((candidate) => candidate.id === aid.store);
      if (store) lines.push(`**${markdownText(storeName(store))}**`, '');
      lines.push(...aid.steps.map((step, index) => `${index + 1}. ${markdownText(step.text)}`), '');
    }
  }
  if (result.errors.length > 0) {
    lines.push('## Could not be read', '', ...result.errors.map((error) => `- ${markdownText(error.message)}`), '');
  }
  const nothing = result.baseline ? 'Nothing new.' : 'Nothing found.';
  for (const store of result.stores) lines.push(...storeSection(store, result.findings.filter((finding) => finding.store === store.id), nothing));
  const commands = nextCommands(result, paths);
  if (commands.length > 0) lines.push('## Next', '', '```sh', ...commands.map(([command, why]) => `${printable(command)}   # ${why}`), '```', '');
  lines.push(`sessionfsck ${markdownText(result.tool.version)}. Nothing was changed.`);
  return `${lines.join('\n')}\n`;
}

function storeSection(store: StoreReport, findings: readonly Finding[], nothing: string): string[] {
  const rejected = store.recordsRejected > 0 ? `, ${store.recordsRejected} rejected` : '';
  const lines = [
    `## ${markdownText(`${productNames[store.product]} ${storeName(store)}`)}`,
    '',
    `${markdownCode(store.path)}, judged for ${markdownText(readerText(store.reader))}: ${count(store.sessions, 'session')}, ${count(store.recordsRead, 'row')} read${rejected}. ${findings.length === 0 ? nothing : ''}`.trimEnd(),
    '',
  ];
  for (const finding of findings) lines.push(...findingSection(finding));
  return lines;
}

function findingSection(finding: Finding): string[] {
  const name = findingName(finding);
  const sure = finding.confidence === 'certain' ? '' : ` (${finding.confidence})`;
  const fix = finding.fix.class === 'none' ? `none; what to do: ${markdownCode(`sessionfsck explain ${finding.checkId}`)}` : `${finding.fix.class}: ${markdownCode(finding.fix.id ?? '')}`;
  const { location } = finding;
  const inside = location.table === undefined ? '' : ` table ${location.table}${location.row === undefined ? '' : ` row ${location.row}`}`;
  const place = `${basename(location.path)}${location.line === undefined ? inside : `:${location.line}`}`;
  // What was tried stands among the details already, in words.
  const { tried, ...evidence } = finding.evidence;
  const shown = finding.details.length > 0 || tried === undefined ? evidence : finding.evidence;
  return [
    `### ${finding.severity.toUpperCase()} ${markdownCode(finding.checkId)}${sure}${name === '' ? '' : `: ${markdownText(name)}`}`,
    '',
    markdownText(finding.message),
    '',
    ...finding.details.map((detail) => `- ${markdownText(detail)}`),
    ...(finding.details.length > 0 ? [''] : []),
    '| evidence | |',
    '|---|---|',
    ...evidenceRows(shown).map((row) => `| ${markdownText(row.label)} | ${markdownCode(row.value)} |`),
    `| where | ${markdownCode(place)} |`,
    ...(finding.session === null ? [] : [`| session | ${markdownCode(finding.session)} |`]),
    `| harms | ${markdownText(finding.affects)} |`,
    `| fix | ${fix} |`,
    '',
    `Next: ${markdownCode(finding.hint)}`,
    '',
    ...(finding.texts ? textsSection(finding.texts) : []),
  ];
}

/** What the rows say, for a person who asked for it. */
function textsSection({ rows, further, title }: Excerpts): string[] {
  return [
    ...(title === undefined ? [] : [`Title: ${markdownText(title)}`, '']),
    ...rows.map((row) => `- ${markdownCode(excerptHead(row))} ${markdownText(excerptText(row))}`),
    ...(further > 0 ? [`- and ${count(further, 'more row')}`] : []),
    '',
  ];
}

/** A text in which nothing is Markdown or HTML any more: no mark-up, no list, no link, no mention. */
export function markdownText(text: string): string {
  return escaped(text).replace(/^(\s*)([-+=])/, '$1\\$2').replace(/^(\s*\d+)([.)])(?=\s|$)/, '$1\\$2').replace(/:\/\//g, ':\u2060//').replace(/\bwww\./gi, 'www\u2060.');
}

function escaped(text: string): string {
  return printable(text).replace(/[\\`*_{}[\]<>#|&!~$@]/g, (character) => (character === '<' ? '&lt;' : character === '>' ? '&gt;' : character === '&' ? '&amp;' : character === '@' ? '@\u2060' : `\\${character}`));
}

/** A code span, also inside a table cell. */
export function markdownCode(text: string): string {
  const safe = printable(text).replaceAll('`', "'").replaceAll('|', '\\|');
  return safe === '' ? '' : `\`${safe}\``;
}
