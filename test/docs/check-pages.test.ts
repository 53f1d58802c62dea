import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { allChecks } from '../../src/checks/index.ts';
import { scan } from '../../src/checks/scan.ts';
import { allFixes } from '../../src/fixes/index.ts';
import type { Finding } from '../../src/model/finding.ts';
import { productNames } from '../../src/model/product.ts';
import { projectRoot, sampleData } from '../helpers/paths.ts';

const page = (id: string): string => readFileSync(join(projectRoot, 'docs/checks', `${id}.md`), 'utf8');
const section = (text: string, name: string): string => new RegExp(`\\n## ${name}\\n([\\s\\S]*?)(?=\\n## |$)`).exec(text)?.[1]?.trim() ?? '';

let findings: Finding[] = [];
beforeAll(async () => {
  const stores = readdirSync(sampleData).map((name) => join(sampleData, name, 'store')).filter((path) => existsSync(path));
  findings = (await scan(stores, { zone: 'UTC', now: Date.parse('2026-12-01T12:00:00Z'), deep: true })).findings;
});

/** What the code says of a check must stand on its page: nobody reads the code at 4 a.m. */
describe.each(allChecks.map((check) => check.meta))('page of $id', (meta) => {
  const text = page(meta.id);
  const head = text.split('\n## ')[0] ?? '';
  const own = (): Finding[] => findings.filter((finding) => finding.checkId === meta.id);

  it('names every severity, class and fix that the check and its findings have', () => {
    const severities = new Set([meta.severity, ...own().map((finding) => finding.severity)]);
    const fixes = new Set([meta.fix.id, ...own().map((finding) => finding.fix.id), ...allFixes.filter((fix) => fix.meta.checks.includes(meta.id)).map((fix) => fix.meta.id)].filter((id) => id !== null));
    const classes = new Set([meta.fix.class, ...own().map((finding) => finding.fix.class)]);
    expect([...severities].filter((severity) => !head.toLowerCase().includes(severity))).toEqual([]);
    expect([...fixes].filter((fix) => !text.includes(fix))).toEqual([]);
    expect([...classes].filter((word) => !head.includes(word))).toEqual([]);
  });

  it('names its products, or says that it is all of them', () => {
    const products = /\*\*Products?\*\*([\s\S]*?)(?=\*\*|\n\n|$)/.exec(head)?.[1] ?? '';
    expect(products).not.toBe('');
    const named = (name: string): boolean => products.includes(name) || products.includes(name.replace(' Agent', ''));
    expect(/\ball\b|each/.test(products) ? [] : meta.products.filter((product) => !named(productNames[product]))).toEqual([]);
  });

  it('describes every key of the evidence that its findings hold', () => {
    const keys = new Set(own().flatMap((finding) => Object.keys(finding.evidence)));
    const described = section(text, 'Evidence');
    expect([...keys].filter((key) => !described.includes(`\`${key}\``))).toEqual([]);
  });

  it('says how it decides, what only looks like it, and what to do', () => {
    expect(['How it is decided', 'What looks like it and is not', 'What to do', 'Evidence'].filter((name) => section(text, name).length < 10)).toEqual([]);
  });
});
