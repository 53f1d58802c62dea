import { isoTime } from '../model/time.ts';
import type { WrapResult, WrapRow, WrapStore } from '../model/wrap.ts';
import { count, printable, safeJson, wrap } from './printable.ts';
import { styleFor, type Style, type TextOptions } from './style.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `2026-08-14 11:19:55.136 UTC`. */
function exact(ms: number): string {
  return `${isoTime(ms)?.slice(0, 23).replace('T', ' ') ?? String(ms)} UTC`;
}

/** `15 Aug 07:30:00`, with the year when it is not that of `near`. */
function short(ms: number, near: number): string {
  const iso = isoTime(ms);
  if (iso === null) return 'no real time';
  const year = iso.slice(0, 4) === isoTime(near)?.slice(0, 4) ? '' : ` ${iso.slice(0, 4)}`;
  return `${iso.slice(8, 10)} ${months[Number(iso.slice(5, 7)) - 1] ?? ''}${year} ${iso.slice(11, 19)}`;
}

const pages = 40;

/** The text of `wraps`: one table a store, worst first, then what to do. */
export function renderWraps(result: WrapResult, options: TextOptions): string {
  const style = styleFor(options.color);
  const lines: string[] = [];
  for (const store of result.stores) {
    if (options.quiet && store.hit === 0) continue;
    lines.push(...storeLines(store, options, style), '');
  }
  for (const error of result.errors) lines.push(...wrap(`UNREAD  ${printable(error.message)}`, options.width));
  if (result.stores.length === 0 && result.errors.length === 0 && !options.quiet) lines.push('No opencode or MiMo-Code store was found; only their ids wrap.');
  while (lines.at(-1) === '') lines.pop();
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function readerLine(store: WrapStore): string {
  const name = store.product === 'opencode' ? 'opencode' : 'MiMo-Code';
  const version = store.readerVersion === null ? `${name}, version unknown` : `${name} ${printable(store.readerVersion)}`;
  if (store.order === 'time') return `reader ${version} (orders by time: an id wrap does it no harm)`;
  if (store.product === 'opencode') return `reader ${version} (orders by id; fixed in 1.18.15)`;
  return store.mints === 'v2' ? `reader ${version} (orders by id; mints v2 ids)` : `reader ${version} (orders by id; mints v1 ids)`;
}

function storeLines(store: WrapStore, options: TextOptions, style: Style): string[] {
  const lines = [
    `${style.strong(printable(store.name))}   ${readerLine(store)}`,
    `boundary      ${exact(store.boundary)}      next ${exact(store.nextBoundary)}`.slice(0, Math.max(options.width, 84)),
    '',
  ];
  if (store.rows.length > 0) {
    lines.push(style.dim('  session        before  after  newest prompt     state'));
    const shown = options.verbose ? store.rows : store.rows.slice(0, pages);
    for (const row of shown) lines.push(rowLine(row, store, style));
    if (shown.length < store.rows.length) lines.push(`  … and ${store.rows.length - shown.length} more (--verbose shows all)`);
    lines.push('');
  }
  lines.push(...verdict(store, options));
  return lines;
}

function rowLine(row: WrapRow, store: WrapStore, style: Style): string {
  const prompt = row.unanswered > 0 && row.newestPrompt !== null ? short(row.newestPrompt, store.boundary) : 'answered';
  const words: string[] = [];
  switch (row.state) {
    case 'wedged':
      words.push(`${style.error('WEDGED')}  ${count(row.unanswered, 'prompt')} ${store.mints === 'v2' ? 'never answered' : 'unanswered'}`);
      break;
    case 'silent-next':
      words.push(style.warning('silent at its next prompt'));
      break;
    case 'repeats-next':
      words.push(style.warning('asks without end at its next'));
      break;
    case 'out-of-order':
      words.push(row.formats.includes('v2') ? 'old-format rows misplaced' : 'out of order by id');
      break;
    case 'in-order':
      words.push(store.order === 'time' ? 'read in order of time' : 'ids agree with times');
      break;
  }
  if (row.armed) words.push(style.error('ARMED UNDO'));
  if (row.archived) words.push('archived');
  return `  ${`${printable(row.session.slice(0, 13))}…`.padEnd(14)} ${String(row.before).padStart(6)} ${String(row.after).padStart(6)}  ${prompt.padEnd(16)}  ${words.join(', ')}`;
}

function verdict(store: WrapStore, options: TextOptions): string[] {
  const paths = options.paths.length > 0 ? ` ${options.paths.map(printable).join(' ')}` : '';
  const rest = store.sessions - store.rows.length;
  const beside = rest > 0 ? `  The other ${rest === 1 ? 'one is' : `${rest} are`} entirely on one side and ${rest === 1 ? 'is' : 'are'} answered.` : '';
  const percent = store.sessions > 0 && store.hit > 0 ? ` (${((100 * store.hit) / store.sessions).toFixed(store.hit * 1000 < store.sessions ? 2 : 0)} %)` : '';
  const none = `None of ${count(store.sessions, 'session')} is hit: ${store.sessions === 1 ? 'it lies' : 'each lies'} entirely on one side and is answered.`;
  const lines = store.hit === 0 && store.rows.length === 0 && store.sessions > 0 ? wrap(none, options.width) : wrap(`${store.hit} of ${count(store.sessions, 'session')}${percent} ${store.hit === 1 ? 'is' : 'are'} hit.${beside}`, options.width);
  if (store.hit === 0) return lines;
  const armed = store.rows.filter((row) => row.armed).length;
  if (armed > 0) lines.push(...wrap(`${count(armed, 'session has', 'sessions have')} a pending undo that would delete the wrong messages: do not prompt ${armed === 1 ? 'it' : 'them'}.`, options.width));
  const check = store.rows.some((row) => row.state === 'wedged') ? 'order/wedged-session' : 'order';
  if (store.product === 'opencode') {
    lines.push(`Upgrade to 1.18.15 or later and nothing needs repair. Staying on ${store.readerVersion === null ? 'this one' : printable(store.readerVersion)}:`);
  } else if (store.mints === 'v2') {
    lines.push(...wrap('New prompts get v2 ids and are answered. To put the rows of between in order:', options.width));
  } else {
    lines.push(...wrap('Upgrade to a MiMo-Code that mints v2 ids (after 0.1.12): new prompts are answered then. Staying on this one:', options.width));
  }
  lines.push(`  sessionfsck plan${paths} -o plan.json --check ${check}`);
  return lines;
}

/** The JSON document of `wraps`: one entry a session, and totals by store. */
export function renderWrapsJson(result: WrapResult): string {
  const wraps = result.stores.flatMap((store) =>
    store.rows.map((row) => ({
      store: store.store,
      session: row.session,
      boundary: isoTime(row.boundary),
      nextBoundary: isoTime(row.nextBoundary),
      before: row.before,
      after: row.after,
      formats: row.formats,
      state: row.state,
      wedged: row.state === 'wedged',
      unanswered: row.unanswered,
      unansweredSince: isoTime(row.unansweredSince),
      newestPrompt: isoTime(row.newestPrompt),
      armedRevert: row.armed,
      archived: row.archived,
    })),
  );
  const totals = result.stores.map(({ store, product, readerVersion, order, mints, boundary, nextBoundary, sessions, hit, rows }) => ({
    store,
    reader: `${product}@${readerVersion ?? 'unknown'}`,
    order,
    mints,
    boundary: isoTime(boundary),
    nextBoundary: isoTime(nextBoundary),
    sessions,
    touched: rows.length,
    hit,
    wedged: rows.filter((row) => row.state === 'wedged').length,
    share: sessions === 0 ? 0 : Math.round((10_000 * hit) / sessions) / 10_000,
  }));
  return `${safeJson({ schemaVersion: 1, wraps, totals, errors: result.errors }, 2)}\n`;
}
