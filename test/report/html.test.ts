import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allChecks } from '../../src/checks/index.ts';
import { readerText } from '../../src/report/reader-text.ts';
import { renderHtml, type PageOptions } from '../../src/report/html/page.ts';
import { blocksFor, parseCheckPage } from '../../src/report/check-page.ts';
import type { ScanResult } from '../../src/model/finding.ts';
import { chromium, openBrowser, type Page } from '../helpers/browser.ts';
import { busyNight, everyKind, everyTimeline, finding, healthyStore, hermesStore, hostileResult, manyRows, openclawStore, opencodeStore, result } from '../helpers/results.ts';

const options: PageOptions = { now: Date.parse('2026-11-30T12:00:00Z'), zone: 'UTC', paths: [], checks: allChecks.map((check) => check.meta), pages: new Map(), timelines: new Map() };

describe('the HTML report', () => {
  it('is one file without script, link or picture from elsewhere', () => {
    for (const one of [everyKind(), hostileResult(), result([], [])]) {
      const page = renderHtml(one, options);
      expect(page).not.toMatch(/<(script|img|link|iframe|object|form)\b|https?:|url\(|@import|\son\w+\s*=\s*["']/i);
      expect(page).toContain(`default-src 'none'`);
    }
  });

  it('is the same for the same result', () => {
    expect(renderHtml(everyKind(), options)).toBe(renderHtml(everyKind(), options));
  });

  it.each([
    ['order/wedged-session', opencodeStore, { unansweredPrompts: 2 }, false],
    ['order/id-wrap-inversion', opencodeStore, { preWrap: 11, postWrap: 2 }, true],
    ['order/id-wrap-inversion', opencodeStore, { misplacedRows: 1, v2Rows: 4 }, true],
    ['order/id-wrap-inversion', opencodeStore, { preWrap: 0, postWrap: 0 }, false],
    ['order/id-wrap-inversion', opencodeStore, { preWrap: 2_000_000, postWrap: 3 }, true],
    ['watermark/orphaned', opencodeStore, { hiddenRows: 5, hiddenByArchive: {} }, true],
    ['watermark/orphaned', opencodeStore, { hiddenRows: 0 }, false],
    ['reset/unexplained', opencodeStore, { at: '2026-07-03T04:23:04.118Z', sessionStartedAt: '2026-07-03T03:46:02.310Z' }, true],
    ['reset/unexplained', opencodeStore, { at: 'yesterday' }, false],
    ['compaction/stranded-rows', hermesStore, { rows: [17, 18], carrier: 21, newestCarriedOriginal: 16 }, true],
    ['compaction/stranded-rows', hermesStore, { rows: [], carrier: null }, false],
    ['compaction/double-summary', hermesStore, { carriers: [1, 2] }, true],
    ['compaction/live-duplicates', hermesStore, { rows: [3], firstCopies: [1] }, true],
    ['history/dropped-messages', opencodeStore, { droppedMessages: 3, messagesLeft: 0 }, true],
    ['db/corrupt', opencodeStore, { fileBytes: 10, pageSize: 4096, pageCount: 2 }, true],
    ['db/corrupt', opencodeStore, { fileBytes: 0, pageSize: 0, pageCount: 0 }, false],
  ] as const)('draws %s where its numbers allow (%#)', (checkId, store, evidence, drawn) => {
    const page = renderHtml(result([store], [finding(store, { checkId, session: 's', evidence: evidence as never })]), options);
    const article = /<article[\s\S]*?<\/article>/.exec(page)?.[0] ?? '';
    expect(article.includes('<svg')).toBe(drawn);
    expect(page).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('stays small with very many findings, and counts those it lists only', () => {
    const many = Array.from({ length: 5000 }, (_, i) => finding(opencodeStore, { checkId: 'order/clock-skew-inversion', severity: 'info', session: `ses_${i}` }));
    const page = renderHtml(result([opencodeStore], many), options);
    expect(page).toContain('4800 more, in short:');
    expect(page).toContain('And 3800 more: sessionfsck scan --json has every one.');
    expect(page.length).toBeLessThan(1_000_000);
  });

  it('counts the rows of a session in two formats as its evidence does', () => {
    const evidence = { preWrap: 6, postWrap: 5, messages: 11, misplacedRows: 1, v2Rows: 4 };
    const page = renderHtml(result([opencodeStore], [finding(opencodeStore, { checkId: 'order/id-wrap-inversion', session: 's', evidence })]), options);
    const article = /<article[\s\S]*?<\/article>/.exec(page)?.[0] ?? '';
    for (const text of ['6 before the boundary', '1 after it in the old format', '4 in the new format']) expect(article).toContain(`>${text}<`);
    expect(article.match(/<rect[^>]*class="waiting"/g)).toHaveLength(3); // one row in each order, one in the legend
  });

  it.each([
    ['**Fix** none; `sessionfsck recover` writes\nthe rows out.', '`sessionfsck recover` writes the rows out.'],
    ['**Fix** recount (safe): the counters are set.', 'The counters are set.'],
    ['**Fix** `recount` (safe).', null],
    ['**Fix** none.', null],
  ])('takes advice from the fix where a page has no section for it: %s', (fix, advice) => {
    const page = parseCheckPage(`# a/b\n\nWhat it is.\n\n**Severity** error. **Products** all. ${fix}\n`);
    expect(page.whatToDo).toEqual(advice === null ? [] : [{ kind: 'text', text: advice }]);
  });

  it.each([
    ['hermes', ['For all.', 'Start it.']],
    ['openclaw', ['For all.', 'Stop it.']],
    ['opencode', ['For all.']],
  ] as const)('leaves out what a page says to the users of other products (%s)', (product, texts) => {
    const page = parseCheckPage('# a/b\n\nm\n\n## What to do\n\nFor all.\n\nOpenClaw: stop it.\n\nHermes: start it.\n');
    expect(blocksFor(page.whatToDo, product)).toEqual(texts.map((text) => ({ kind: 'text', text })));
  });

  it('names an unknown version as such', () => {
    expect(readerText('hermes@unknown')).toBe('Hermes Agent of unknown version');
    expect(readerText('opencode@1.18.14')).toBe('opencode 1.18.14');
    expect(readerText('constructor@1')).toBe('constructor 1');
  });

  it.each([
    [[{ checkId: 'watermark/orphaned', severity: 'warning' }], openclawStore, /^Nothing is known to be lost for the version that reads this store/],
    [[{ checkId: 'watermark/orphaned', severity: 'error' }], openclawStore, /^Data is lost or out of reach now/],
    [[{ checkId: 'index/corrupt' }], hermesStore, /Nothing is lost\.$/],
    [[{ checkId: 'index/corrupt' }, { checkId: 'db/invalid-json' }], hermesStore, /^Data is lost or out of reach now/],
    [[{ checkId: 'index/corrupt' }], openclawStore, /^Data is lost or out of reach now/],
    [[], openclawStore, /^Everything that was read is in order/],
  ] as const)('says in one sentence how bad it is (%#)', (drafts, of, sentence) => {
    const page = renderHtml(result([of], drafts.map((draft) => finding(of, draft))), options);
    expect(/class="verdict[^>]*><p><strong>([^<]*)</.exec(page)?.[1]).toMatch(sentence);
  });

  it('counts checks that were not run by their reason', () => {
    const page = renderHtml(result([hermesStore], [], { checksSkipped: ['a/b', 'c/d'].map((checkId) => ({ checkId, store: hermesStore.id, reason: 'the database is damaged' })) }), options);
    expect(page.match(/the database is damaged/g)).toHaveLength(1);
    expect(page).toContain('<code>a/b</code>, <code>c/d</code>');
  });

  it('writes row numbers so that they can be copied', () => {
    const page = renderHtml(result([hermesStore], [finding(hermesStore, { checkId: 'compaction/illegal-row-state', evidence: { rows: [123456, 123457], pid: 1000002 } })]), options);
    expect(page).toContain('123456, 123457');
    expect(page).toContain('>1000002<');
  });

  it('takes meaning and advice from the page of the check', () => {
    const page = parseCheckPage('# a/b\n\nWhat it\nis, `code`.\n\n**Severity** error.\n\n## How it is decided\n\nno\n\n## What to do\n\n1. First\n   and on\n2. Then\n\n```\ncp a b\n```\n');
    expect(page).toEqual({
      meaning: [{ kind: 'text', text: 'What it is, `code`.' }],
      whatToDo: [{ kind: 'list', ordered: true, items: ['First and on', 'Then'] }, { kind: 'code', text: 'cp a b' }],
    });
  });
});

describe.skipIf(chromium === null)('in Chromium (skipped where there is none)', () => {
  let page: Page;
  const folder = mkdtempSync(join(tmpdir(), 'sessionfsck-test-'));
  const show = async (one: ScanResult, more: Partial<PageOptions> = {}): Promise<void> => {
    const path = join(folder, 'report.html');
    writeFileSync(path, renderHtml(one, { ...options, ...more }));
    await page.open(pathToFileURL(path).href);
  };
  const outsidePictures = (): Promise<string[]> =>
    page.evaluate(`[...document.querySelectorAll('.picture svg')].flatMap((svg) => { const box = svg.getBoundingClientRect(); return [...svg.querySelectorAll('text')].filter((t) => { const r = t.getBoundingClientRect(); return r.width > 0 && (r.left < box.left - 1 || r.right > box.right + 1 || r.bottom > box.bottom + 1 || r.top < box.top - 1); }).map((t) => t.textContent); })`);
  beforeAll(async () => {
    page = await openBrowser(join(folder, 'profile'));
  });
  afterAll(async () => {
    await page?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const scheme = (value: string): Promise<unknown> => page.send('Emulation.setEmulatedMedia', { media: 'screen', features: [{ name: 'prefers-color-scheme', value }] });
  const colours = `(() => { const style = getComputedStyle(document.body); return [style.backgroundColor, style.color]; })()`;

  it('shows the verdict, the first aid and every finding, in this order', async () => {
    await show(everyKind());
    const text = await page.evaluate<string>('document.body.innerText');
    const wanted = ['9 errors, 7 warnings, 1 remark in 5 stores', 'In the next ten minutes', 'Do not prompt in ses_01a08f729ffeWTJzTV0JExjSPA', 'All findings', 'Sessions over time', 'Nothing found.'];
    expect(wanted.filter((part) => !text.includes(part))).toEqual([]);
    const places = wanted.slice(0, 5).map((part) => text.indexOf(part));
    expect(places.toSorted((a, b) => a - b)).toEqual(places);
    expect(await page.evaluate<number>('document.querySelectorAll("article.finding").length')).toBe(everyKind().findings.length);
    expect(await page.evaluate<string>('document.querySelector("article svg[aria-label*=\\"by time\\"]")?.getAttribute("aria-label") ?? ""')).toContain('Two orders of the same 13 rows');
  });

  it('asks for nothing but itself', () => {
    expect(page.requests.filter((url) => !url.startsWith('file:') && url !== 'about:blank')).toEqual([]);
    expect(page.requests.length).toBeGreaterThan(0);
  });

  it('follows the light and the dark setting, with enough contrast in both', async () => {
    await show(everyKind());
    const seen: string[][] = [];
    for (const value of ['light', 'dark']) {
      await scheme(value);
      seen.push(await page.evaluate<string[]>(colours));
      const faint = await page.evaluate<string[]>(`(() => {
        const parse = (c) => c.match(/[\\d.]+/g).map(Number);
        const light = ([r, g, b]) => { const f = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
        const ground = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
        const out = [];
        for (const e of document.querySelectorAll('p, li, td, th, h1, h2, h3, h4, a, code, .tag')) {
          const a = light(parse(getComputedStyle(e).color)), b = light(ground(e));
          if ((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5) out.push(e.tagName + ' ' + e.className + ' ' + e.textContent.slice(0, 30));
        }
        return out;
      })()`);
      expect(faint).toEqual([]);
    }
    expect(seen[0]?.[0]).not.toBe(seen[1]?.[0]);
    expect(seen[0]?.[1]).not.toBe(seen[1]?.[1]);
  });

  it('keeps the words and signs of pictures legible in both, and on paper', async () => {
    await show(everyKind(), { timelines: everyTimeline() });
    for (const [media, value] of [['screen', 'light'], ['screen', 'dark'], ['print', 'dark']]) {
      await page.send('Emulation.setEmulatedMedia', { media, features: [{ name: 'prefers-color-scheme', value }] });
      const { faint, texts } = await page.evaluate<{ faint: string[]; texts: number }>(`(() => {
        const parse = (c) => c.match(/[\\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
        const light = ([r, g, b]) => { const f = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
        const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
        const ground = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
        const faint = [];
        let texts = 0;
        for (const svg of document.querySelectorAll('svg')) {
          const page = ground(svg);
          const rects = [...svg.querySelectorAll('rect')].map((r) => [r, r.getBoundingClientRect(), getComputedStyle(r)]).filter(([, , style]) => style.fill !== 'none');
          for (const t of svg.querySelectorAll('text')) {
            texts++;
            const box = t.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
            const under = rects.findLast(([r, b]) => (t.compareDocumentPosition(r) & 2) && b.left <= x && b.right >= x && b.top <= y && b.bottom >= y);
            if (ratio(parse(getComputedStyle(t).fill), under ? parse(under[2].fill) : page) < 4.5) faint.push(t.textContent);
          }
          for (const [r, , style] of rects) if (ratio(parse(style.fill), page) < 3) faint.push('rect ' + r.getAttribute('class'));
          for (const line of svg.querySelectorAll('.mark, .daily, .tick, .flow')) if (ratio(parse(getComputedStyle(line).stroke), page) < 3) faint.push('line ' + line.getAttribute('class'));
        }
        return { faint: [...new Set(faint)], texts };
      })()`);
      expect({ media, value, faint }).toEqual({ media, value, faint: [] });
      expect(texts).toBeGreaterThan(60);
    }
  });

  it('draws pictures of five hundred rows, archives and ends inside their frame', async () => {
    await show(manyRows(), { timelines: busyNight() });
    const figures = await page.evaluate<{ height: number; name: string; shapes: number }[]>(`[...document.querySelectorAll('article svg')].map((svg) => ({ height: svg.viewBox.baseVal.height, name: svg.getAttribute('aria-label'), shapes: svg.querySelectorAll('*').length }))`);
    expect(figures.map(({ name }) => name)).toEqual([
      expect.stringContaining('500 live rows repeat earlier ones'),
      expect.stringContaining('500 rows after that were archived'),
      expect.stringContaining('500 live summaries'),
      expect.stringContaining('500 ends of this chat'),
      expect.stringContaining('The watermark hides 125 250 messages in 500 archives'),
    ]);
    for (const { height, shapes } of figures) {
      expect(height).toBeLessThan(620);
      expect(shapes).toBeLessThan(220);
    }
    const words = await page.evaluate<string>(`[...document.querySelectorAll('article svg text')].map((t) => t.textContent).join('|')`);
    for (const text of ['archived unseen: 500', 'and 495 more', 'and 494 more', 'and 488 more ends in these hours', 'in 492 more archives']) expect(words).toContain(text);
    expect(await outsidePictures()).toEqual([]);
  });

  it('keeps hostile texts as text', async () => {
    await show(hostileResult());
    expect(await page.evaluate<number>('document.querySelectorAll("script, img, iframe, [onerror], a[href^=javascript]").length')).toBe(0);
    expect(await page.evaluate<string>('document.body.innerText')).toContain('<script>alert(1)</script>');
    expect(await page.evaluate<number>('document.querySelectorAll("article.finding").length')).toBe(hostileResult().findings.length);
  });

  it('can be used by keyboard: every stop is visible, in the order of the page; links lead somewhere; the map opens as a table', async () => {
    await scheme('light');
    await show(everyKind(), { timelines: everyTimeline() });
    const press = async (key: string, windowsVirtualKeyCode: number, text?: string): Promise<void> => {
      await page.send('Input.dispatchKeyEvent', { type: 'keyDown', key, code: key, windowsVirtualKeyCode, ...(text === undefined ? {} : { text }) });
      await page.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code: key, windowsVirtualKeyCode });
    };
    const stop = `(() => { const e = document.activeElement; const s = getComputedStyle(e); const r = e.getBoundingClientRect(); return { name: e.tagName + (e.className ? '.' + e.className : ''), text: e.textContent.slice(0, 40), outline: s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2, y: r.top + scrollY }; })()`;
    const stops: { name: string; text: string; outline: boolean; y: number }[] = [];
    for (let i = 0; i < 120; i++) {
      await press('Tab', 9);
      const here = await page.evaluate<(typeof stops)[number]>(stop);
      if (here.name === 'BODY') break;
      stops.push(here);
    }
    expect(stops[0]?.text).toBe('To the findings');
    expect(stops.filter((one) => !one.outline).map((one) => `${one.name} ${one.text}`)).toEqual([]);
    const places = stops.slice(1).map((one) => one.y);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    const count = (name: string): number => stops.filter((one) => one.name === name).length;
    expect(count('A')).toBe(everyKind().findings.length);
    expect(count('DIV.picture')).toBe(await page.evaluate<number>('document.querySelectorAll(".picture").length'));
    expect(count('SUMMARY')).toBe(await page.evaluate<number>('document.querySelectorAll("summary").length'));
    expect(await page.evaluate<string[]>('[...document.querySelectorAll("a[href^=\\"#\\"]")].map((a) => a.getAttribute("href").slice(1)).filter((id) => !document.getElementById(id))')).toEqual([]);
    await page.evaluate('document.querySelector("summary").focus()');
    await press('Enter', 13, '\r');
    expect(await page.evaluate<string>('document.querySelector("details[open] table")?.innerText ?? ""')).toContain('1 × deleted, 1 × finding');
  });

  it('names every picture, and no id twice', async () => {
    await show(everyKind(), { timelines: everyTimeline() });
    expect(await page.evaluate<number>('[...document.querySelectorAll("svg:not([aria-hidden])")].filter((svg) => svg.getAttribute("role") !== "img" || (svg.getAttribute("aria-label") ?? "").length < 15).length')).toBe(0);
    expect(await page.evaluate<string[]>('(() => { const ids = [...document.querySelectorAll("[id]")].map((e) => e.id); return ids.filter((id, i) => ids.indexOf(id) !== i); })()')).toEqual([]);
    expect(await page.evaluate<string[]>('[...document.querySelectorAll("h1,h2,h3,h4")].map((h) => Number(h.tagName[1])).filter((level, i, all) => i > 0 && level > all[i - 1] + 1)')).toEqual([]);
  });

  it.each([1280, 400])('does not overflow at %i pixels', async (width) => {
    await page.send('Emulation.setDeviceMetricsOverride', { width, height: 900, deviceScaleFactor: 1, mobile: false });
    for (const one of [everyKind(), hostileResult()]) {
      await show(one);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
    await page.send('Emulation.clearDeviceMetricsOverride');
  });

  it('keeps the words of a picture inside it, whatever the ids', async () => {
    for (const one of [everyKind(), hostileResult()]) {
      await show(one, { timelines: everyTimeline() });
      expect(await outsidePictures()).toEqual([]);
    }
  });

  it('prints on white, also from a dark screen', async () => {
    await show(result([healthyStore, opencodeStore], [finding(opencodeStore, { checkId: 'order/wedged-session', session: 's' })]));
    await page.send('Emulation.setEmulatedMedia', { media: 'print', features: [{ name: 'prefers-color-scheme', value: 'dark' }] });
    expect(await page.evaluate<string[]>(colours)).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)']);
    const pdf = (await page.send('Page.printToPDF', { printBackground: true })) as { data: string };
    expect(Buffer.from(pdf.data, 'base64').subarray(0, 5).toString('latin1')).toBe('%PDF-');
  });
});
