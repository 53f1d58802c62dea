import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allChecks } from '../../src/checks/index.ts';
import type { Finding, Json } from '../../src/model/finding.ts';
import { renderHtml } from '../../src/report/html/page.ts';
import { printable } from '../../src/report/printable.ts';
import { hasRealStores, realStores, sampleData } from '../helpers/paths.ts';
import { scanUntouched } from '../helpers/untouched.ts';

type Case = { name: string; store: string; zone: string; now: number; expected: { check: string; session: string; evidence: { [key: string]: Json } }[] };

function read(path: string): { [key: string]: never } {
  return JSON.parse(readFileSync(path, 'utf8'));
}

const cases: Case[] = readdirSync(sampleData, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => {
    const { zone, now, findings } = read(join(sampleData, name, 'expect.json')) as unknown as { zone?: string; now: string; findings: { checkId: string; session: string | null; evidence: Case['expected'][number]['evidence'] }[] };
    return { name, store: join(sampleData, name, 'store'), zone: zone ?? 'UTC', now: Date.parse(now), expected: findings.map(({ checkId, session, evidence }) => ({ check: checkId, session: session ?? '*', evidence })) };
  });
for (const name of hasRealStores ? readdirSync(realStores) : []) {
  if (!existsSync(join(realStores, name, 'truth.json'))) continue;
  const { hostZone, now, expect: expected } = read(join(realStores, name, 'truth.json')) as unknown as { hostZone: string; now: string; expect: Case['expected'] };
  cases.push({ name, store: join(realStores, name, 'store'), zone: hostZone, now: Date.parse(now), expected: expected.filter(({ check }) => check !== 'reset/explained') });
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const plain = (markup: string): string => markup.replace(/<[^>]*>/g, ' ').replace(/&(amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity).replace(/\s+/g, ' ');
/** What the page shows of a value: all of it but the items of long lists behind the twelfth. */
const words = (value: Json): string[] => (Array.isArray(value) ? value.slice(0, 12).flatMap(words) : typeof value === 'object' && value !== null ? Object.entries(value).slice(0, 12).flatMap(([key, inner]) => [key, ...words(inner)]) : typeof value === 'boolean' || value === null ? [] : [printable(String(value))]);

function missing(article: string, finding: Pick<Finding, 'evidence'>): string[] {
  return Object.entries(finding.evidence)
    .filter(([key]) => key !== 'tried')
    .flatMap(([key, value]) => words(value).filter((word) => !article.includes(word.replace(/\s+/g, ' '))).map((word) => `${key}: ${word}`));
}

/** Labels round half milliseconds their own way. */
const toTheSecond = (evidence: { [key: string]: Json }): { [key: string]: Json } => Object.fromEntries(Object.entries(evidence).map(([key, value]) => [key, typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(value) ? value.slice(0, 19) : value]));

describe('the page of every labelled store', () => {
  it.each(cases.map((one) => [one.name, one] as const))('%s shows each finding with its numbers, and those that the label asks for', async (_name, { store, zone, now, expected }) => {
    const result = await scanUntouched(store, { zone, now });
    const page = renderHtml(result, { now, zone, paths: [store], checks: allChecks.map((check) => check.meta), pages: new Map(), timelines: new Map() });
    const articles = [...page.matchAll(/<article class="finding (\w+)" id="[^"]*">([\s\S]*?)<\/article>/g)].map(([, severity, markup]) => ({ severity, text: plain(markup ?? '') }));
    expect(articles.map(({ severity }) => severity)).toEqual(result.findings.map((finding) => finding.severity));
    const lost = result.findings.flatMap((finding, index) => {
      const text = articles[index]?.text ?? '';
      return [...missing(text, finding), ...[finding.checkId, printable(finding.message).replace(/\s+/g, ' ')].filter((word) => !text.includes(word))];
    });
    expect(lost).toEqual([]);
    const unseen = expected.filter(({ check, evidence }) => {
      const ids = check === 'reset/unexplained' ? [check, 'reset/zone-mismatch'] : [check];
      return !articles.some(({ text }) => ids.some((id) => text.includes(id)) && missing(text, { evidence: toTheSecond(evidence) }).length === 0);
    });
    expect(unseen.map(({ check, session }) => `${check} ${session}`)).toEqual([]);
  });
});
