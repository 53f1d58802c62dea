import { basename } from 'node:path';
import type { Finding, ScanResult } from '../model/finding.ts';
import { productNames } from '../model/product.ts';
import { aidRules, calmSentence } from './first-aid-rules.ts';

/** What to do in the next ten minutes in one store, most urgent first. `because` are the checks it rests on. */
export type StoreAid = { store: string; steps: { text: string; because: string[] }[] };

/**
 * First aid for each store that has findings above info: whether to stop the product, what not to prompt, what to copy before
 * the next start, what to upgrade. Pure; rules by check id in first-aid-rules.ts. Texts are not yet safe for a terminal.
 */
export function firstAid(result: Pick<ScanResult, 'stores' | 'findings'>): StoreAid[] {
  const aids: StoreAid[] = [];
  for (const store of result.stores) {
    const findings = result.findings.filter((finding) => finding.store === store.id);
    if (findings.every((finding) => finding.severity === 'info')) continue;
    const steps: StoreAid['steps'] = [];
    let stopped = false;
    for (const rule of aidRules) {
      const found = findings.filter((finding) => speaks(rule, finding, store.product));
      if (found.length === 0) continue;
      const text = rule.say({ findings: found, store, product: productNames[store.product], file: basename(store.path), stopped });
      stopped ||= rule.stops ?? false;
      steps.push({ text, because: [...new Set(found.map((finding) => finding.checkId))] });
    }
    if (steps.length === 0) steps.push({ text: calmSentence(findings, store.product), because: [] });
    aids.push({ store: store.id, steps });
  }
  return aids;
}

function speaks(rule: (typeof aidRules)[number], finding: Finding, product: keyof typeof productNames): boolean {
  return rule.checks.includes(finding.checkId) && (rule.products?.includes(product) ?? true) && (rule.only?.(finding) ?? true);
}
