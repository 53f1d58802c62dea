import type { CheckMeta } from '../../model/check.ts';
import type { Finding, ScanResult, StoreReport } from '../../model/finding.ts';
import { productNames } from '../../model/product.ts';
import type { Timeline, TimelineLane } from '../../model/timeline.ts';
import type { CheckPage } from '../check-page.ts';
import { firstAid } from '../first-aid.ts';
import { nextCommands } from '../next-commands.ts';
import { count, countName, groupDigits } from '../printable.ts';
import { findingName } from '../session-name.ts';
import { readerText } from '../reader-text.ts';
import { storeName } from '../store-name.ts';
import { timelineFromFindings, withFindings } from '../timeline-from-findings.ts';
import { verdictLine, verdictSentence } from '../verdict.ts';
import { html } from './escape.ts';
import { figureOf } from './figures.ts';
import { anchorOf, findingSection } from './finding.ts';
import { mapFigure, mapGaps, mapLegend } from './map.ts';
import { mapTable } from './map-table.ts';
import { styleSheet } from './style.ts';
import { longTime } from './zone.ts';

/** What a page needs besides the result. */
export type PageOptions = {
  /** ms since the epoch. */
  now: number;
  /** IANA name in which times of pictures are shown. */
  zone: string;
  /** The PATH words as typed. */
  paths: readonly string[];
  checks: readonly CheckMeta[];
  /** Pages of the checks that have findings, by id. */
  pages: ReadonlyMap<string, CheckPage>;
  /** The life of each store, by store id; what is missing is taken from the findings. */
  timelines: ReadonlyMap<string, Timeline>;
};

/** Findings of one store that are shown in full; the others are listed. */
const shownInFull = 200;
/** Further findings of a store that are listed by their names; the rest is counted. */
const listed = 1000;

/**
 * The result as one HTML file: no script, nothing from the network, light and dark, for keyboard and paper. Everything that
 * may come from a store is escaped.
 */
export function renderHtml(result: ScanResult, options: PageOptions): string {
  const title = `Session stores: ${verdictLine(result)}`;
  const kind = result.errors.length > 0 ? 'unread' : result.summary.error > 0 ? 'error' : result.summary.warning > 0 ? 'warning' : 'good';
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">',
    '<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">',
    `<title>${html(title)}</title><style>${styleSheet}</style></head><body>`,
    '<a class="skip" href="#findings">To the findings</a>',
    `<header><h1>${html(title)}</h1><p class="dim">sessionfsck ${html(result.tool.version)}, ${html(longTime(options.now, options.zone))}. Nothing was changed.</p></header><main>`,
    `<div class="verdict ${kind}">${verdict(result)}</div>`,
    aids(result),
    unread(result),
    contents(result),
    '<div id="findings" tabindex="-1"></div>',
    ...result.stores.map((store) => storeSection(store, result, options)),
    commands(result, options.paths),
    skipped(result),
    `</main><footer><p>${result.findings.some((finding) => finding.texts) ? 'This report shows private titles and texts, as was asked for' : 'Titles and texts of messages are not in this report'}. Evidence is not altered by a scan; a repair is a plan that you read first.</p></footer></body></html>`,
    '',
  ].filter((part) => part !== '').join('\n');
}

function verdict(result: ScanResult): string {
  const healthy = result.stores.filter((store) => !result.findings.some((finding) => finding.store === store.id)).length;
  return `<p><strong>${html(verdictSentence(result))}</strong></p><p>${html(`${count(result.stores.length, 'store')} read, ${healthy} without findings.`)}${result.shard === undefined ? '' : ` Only part ${html(result.shard)} of the sessions was looked at.`}${result.ignored ? ` ${html(count(result.ignored.length, 'finding'))} ignored by configuration.` : ''}</p>`;
}

function aids(result: ScanResult): string {
  const list = firstAid(result);
  if (list.length === 0) return '';
  const blocks = list.map((aid) => {
    const store = result.stores.find((candidate) => candidate.id === aid.store);
    const name = store ? `${productNames[store.product]} ${storeName(store)}` : '';
    return `<div class="aid"><strong>${html(name)}</strong><ol>${aid.steps.map((step) => `<li>${html(step.text)}</li>`).join('')}</ol></div>`;
  });
  return `<section aria-labelledby="now"><h2 id="now">In the next ten minutes</h2>${blocks.join('\n')}</section>`;
}

function unread(result: ScanResult): string {
  if (result.errors.length === 0) return '';
  return `<section aria-labelledby="unread"><h2 id="unread">Could not be read</h2><ul>${result.errors.map((error) => `<li>${html(error.message)}</li>`).join('')}</ul></section>`;
}

function contents(result: ScanResult): string {
  if (result.findings.length < 2) return '';
  const more = result.findings.length - shownInFull;
  const several = result.stores.length > 1;
  const rows = result.findings.slice(0, shownInFull).map((finding) => {
    const store = result.stores.find((candidate) => candidate.id === finding.store);
    return `<tr><td><span class="tag ${finding.severity}">${finding.severity.toUpperCase()}</span></td><td><a href="#${anchorOf(finding)}">${html(finding.checkId)}</a></td>${several ? `<td>${html(store ? storeName(store) : '')}</td>` : ''}<td>${html(findingName(finding))}</td></tr>`;
  });
  return `<nav aria-labelledby="all"><h2 id="all">All findings</h2><table><thead><tr><th scope="col">severity</th><th scope="col">check</th>${several ? '<th scope="col">store</th>' : ''}<th scope="col">chat or session</th></tr></thead><tbody>${rows.join('')}</tbody></table>${more > 0 ? `<p>${html(`And ${groupDigits(more)} more.`)}</p>` : ''}</nav>`;
}

function storeSection(store: StoreReport, result: ScanResult, options: PageOptions): string {
  const findings = result.findings.filter((finding) => finding.store === store.id);
  const asked = options.timelines.get(store.id);
  const timeline = asked ? withFindings(asked, findings, options.now) : timelineFromFindings(store, result, options.now);
  const map = timeline ? mapFigure(timeline, storeName(store), options.zone) : null;
  const extra = Object.entries(store.counts).filter(([, number]) => number > 0).map(([key, number]) => countName(key, number));
  const facts = [count(store.sessions, 'session'), ...extra, `${count(store.recordsRead, 'row')} read`, `${groupDigits(store.recordsRejected)} rejected`, `judged for ${readerText(store.reader)}`, `read as ${store.readAs}`];
  const changed = store.unchanged ? '' : `<p>${html(count(store.changedFiles.length, 'file'))} changed while the scan ran: scan again when the store is quiet.</p>`;
  const full = findings.slice(0, shownInFull).map((finding) => findingSection(finding, store, figureOf(finding, findings, laneOf(timeline, finding), options.zone), options.checks.find((meta) => meta.id === finding.checkId), options.pages.get(finding.checkId)));
  const rest = findings.slice(shownInFull, shownInFull + listed);
  const unlisted = findings.length - shownInFull - rest.length;
  return [
    `<section><h2>${html(`${productNames[store.product]} ${storeName(store)}`)}</h2>`,
    `<p class="dim"><code>${html(store.path)}</code><br>${html(facts.join(', '))}.</p>${changed}`,
    map === null || timeline === null ? '' : mapSection(map, timeline, options.zone),
    findings.length === 0 ? '<p>Nothing found.</p>' : '',
    ...full,
    rest.length === 0 ? '' : `<p>${html(`${groupDigits(rest.length + unlisted)} more, in short:`)}</p><ul>${rest.map((finding) => `<li><span class="tag ${finding.severity}">${finding.severity.toUpperCase()}</span> ${html(`${finding.checkId} ${findingName(finding)}`)}</li>`).join('')}</ul>`,
    unlisted > 0 ? `<p>${html(`And ${groupDigits(unlisted)} more: sessionfsck scan --json has every one.`)}</p>` : '',
    '</section>',
  ].filter((part) => part !== '').join('\n');
}

function laneOf(timeline: Timeline | null, finding: Finding): TimelineLane | null {
  return timeline?.lanes.find((lane) => (finding.sessionKey !== null ? lane.sessionKey === finding.sessionKey : finding.session !== null && (lane.session === finding.session || lane.segments.some((segment) => segment.session === finding.session)))) ?? null;
}

function mapSection(map: string, timeline: Timeline, zone: string): string {
  const gaps = mapGaps(timeline).map((gap) => `<p class="dim">${html(gap)}</p>`);
  return `<h3>Sessions over time (${html(zone)})</h3>${map}${legend(timeline)}${gaps.join('')}${mapTable(timeline, zone)}`;
}

function legend(timeline: Timeline): string {
  const sign = (kind: string): string =>
    kind.startsWith('mark') ? `<line x1="7" y1="0" x2="7" y2="12" class="${kind}"/>`
    : kind === 'lost' ? '<path d="M2 2h10l-5 8z" class="lost"/>'
    : kind === 'compaction' ? '<rect x="5.5" width="3" height="12" class="compaction"/>'
    : `<rect width="14" height="12" rx="2" class="${kind}"/>`;
  return `<ul class="legend">${mapLegend(timeline).map(([kind, text]) => `<li><svg viewBox="0 0 14 12" aria-hidden="true">${sign(kind)}</svg>${html(text)}</li>`).join('')}</ul>`;
}

function commands(result: ScanResult, paths: readonly string[]): string {
  const list = nextCommands(result, paths);
  if (list.length === 0) return '';
  return `<section aria-labelledby="next"><h2 id="next">Next</h2><table><tbody>${list.map(([command, why]) => `<tr><td><code>${html(command)}</code></td><td>${html(why)}</td></tr>`).join('')}</tbody></table></section>`;
}

function skipped(result: ScanResult): string {
  if (result.checksSkipped.length === 0) return '';
  const byReason = new Map<string, string[]>();
  for (const { checkId, reason } of result.checksSkipped) byReason.set(reason, [...(byReason.get(reason) ?? []), checkId]);
  const items = [...byReason].map(([reason, checks]) => `<li>${html(reason)}: ${[...new Set(checks)].map((id) => `<code>${html(id)}</code>`).join(', ')}</li>`);
  return `<section aria-labelledby="skipped"><h2 id="skipped">Checks that were not run</h2><ul>${items.join('')}</ul></section>`;
}
