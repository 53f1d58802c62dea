import { basename } from 'node:path';
import type { Excerpts } from '../../model/excerpt.ts';
import type { Finding, StoreReport } from '../../model/finding.ts';
import type { CheckMeta } from '../../model/check.ts';
import { blocksFor, type CheckPage, type PageBlock } from '../check-page.ts';
import { evidenceRows } from '../evidence.ts';
import { excerptHead, excerptText } from '../excerpts.ts';
import { count } from '../printable.ts';
import { findingName } from '../session-name.ts';
import { readerText } from '../reader-text.ts';
import { html } from './escape.ts';

const words = { error: 'ERROR', warning: 'WARNING', info: 'INFO' } as const;

export function anchorOf(finding: Finding): string {
  return `f-${finding.host === undefined ? '' : `${finding.host.replace(/[^\w-]/g, '_')}-`}${finding.fingerprint.replace(/[^\w-]/g, '_')}`;
}

/** One finding: what, the picture, the numbers, what it means, what to do. */
export function findingSection(finding: Finding, store: StoreReport, figure: string | null, meta: CheckMeta | undefined, page: CheckPage | undefined): string {
  const name = findingName(finding);
  const sure = finding.confidence === 'certain' ? '' : ` <span class="dim">(${html(finding.confidence)})</span>`;
  const { path, line, table, row } = finding.location;
  const where = line !== undefined ? `${basename(path)} line ${line}` : table !== undefined ? `table ${table}${row === undefined ? '' : ` row ${row}`}` : basename(path);
  // What was tried stands among the details already, in words.
  const { tried, ...evidence } = finding.evidence;
  const rows = [
    ...evidenceRows(finding.details.length > 0 ? evidence : { ...evidence, ...(tried === undefined ? {} : { tried }) }),
    { label: 'where', value: where },
    ...(finding.session === null ? [] : [{ label: 'session', value: finding.session }]),
  ];
  const meaning = blocksFor(page?.meaning ?? [], store.product);
  const whatToDo = blocksFor(page?.whatToDo ?? [], store.product);
  const fix = finding.fix.class === 'none' ? `sessionfsck has no repair for this.${whatToDo.length > 0 ? '' : ' What is known about it:'}` : `${finding.fix.class === 'safe' ? 'A safe repair' : 'A repair that needs judgement'}: <code>${html(finding.fix.id ?? '')}</code>.`;
  return [
    `<article class="finding ${finding.severity}" id="${anchorOf(finding)}">`,
    `<h3><span class="tag ${finding.severity}">${words[finding.severity]}</span> <code>${html(finding.checkId)}</code>${sure}${name === '' ? '' : ` · ${html(name)}`}</h3>`,
    `<p>${html(finding.message)}</p>`,
    finding.details.length > 0 ? `<ul>${finding.details.map((detail) => `<li>${html(detail)}</li>`).join('')}</ul>` : '',
    figure ?? '',
    '<h4>The numbers</h4>',
    `<table><tbody>${rows.map((one) => `<tr><th scope="row">${html(one.label)}</th><td class="mono">${html(one.value)}</td></tr>`).join('')}</tbody></table>`,
    finding.texts ? textsBlock(finding.texts) : '',
    '<h4>What it means</h4>',
    meaning.length > 0 ? blocks(meaning) : `<p>${html(meta?.title ?? finding.checkId)}.</p>`,
    finding.affects === '' ? '' : `<p>Harms ${html(finding.affects)}; this store is judged for ${html(readerText(store.reader))}.</p>`,
    '<h4>What to do</h4>',
    `<p>${fix}</p>`,
    blocks(whatToDo),
    `<pre>${html(finding.hint)}</pre>`,
    '</article>',
  ].join('\n');
}

/** What the rows say, for a person who asked for it. */
function textsBlock({ rows, further, title }: Excerpts): string {
  const items = rows.map((row) => `<li><span class="dim mono">${html(excerptHead(row))}</span><br><bdi>${html(excerptText(row))}</bdi></li>`);
  const rest = further > 0 ? `<p class="dim">${html(`and ${count(further, 'more row')}`)}</p>` : '';
  return `<h4>What the rows say</h4>${title === undefined ? '' : `<p>Title: <bdi>${html(title)}</bdi></p>`}${items.length > 0 ? `<ul>${items.join('')}</ul>` : ''}${rest}`;
}

function blocks(list: readonly PageBlock[]): string {
  return list
    .map((block) => {
      switch (block.kind) {
        case 'text':
          return `<p>${inline(block.text)}</p>`;
        case 'code':
          return `<pre>${html(block.text).replaceAll('\\x0a', '\n')}</pre>`;
        case 'list': {
          const tag = block.ordered ? 'ol' : 'ul';
          return `<${tag}>${block.items.map((item) => `<li>${inline(item)}</li>`).join('')}</${tag}>`;
        }
      }
    })
    .join('');
}

function inline(text: string): string {
  return html(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
}
