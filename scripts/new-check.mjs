// npm run new-check -- area/fault product[,product]
// Makes a check's four files: source, test, doc page, and the sample case it must be added to.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const [id, list] = process.argv.slice(2);
const known = ['openclaw', 'opencode', 'mimocode', 'hermes'];
const products = (list ?? '').split(',').filter(Boolean);
if (!/^[a-z]+\/[a-z0-9-]+$/.test(id ?? '') || products.length === 0 || products.some((product) => !known.includes(product))) {
  console.error(`usage: npm run new-check -- area/fault ${known.join(',')}`);
  process.exit(2);
}
const root = new URL('..', import.meta.url);
const write = (path, text) => {
  const url = new URL(path, root);
  if (existsSync(url)) {
    console.error(`${path} exists already; nothing was written to it`);
    return;
  }
  mkdirSync(dirname(url.pathname), { recursive: true });
  writeFileSync(url, text);
  console.log(path);
};
write(
  `src/checks/${id}.ts`,
  `import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { SnapshotOf } from '../../stores/discover.ts';
import { defineCheck } from '../check.ts';

${products.map((product) => `function* find${product[0].toUpperCase()}${product.slice(1)}(_snapshot: SnapshotOf['${product}']): Iterable<FindingDraft> {}`).join('\n\n')}

export default defineCheck({
  meta: {
    id: '${id}',
    severity: 'warning',
    title: '',
    products: [${products.map((product) => `'${product}'`).join(', ')}],
    fix: noFix,
    affects: '',
  },
${products.map((product) => `  ${product}: { store: find${product[0].toUpperCase()}${product.slice(1)} },`).join('\n')}
});
`,
);
write(
  `test/checks/${id}.test.ts`,
  `import { describe, expect, it } from 'vitest';
import { allChecks } from '../../../src/checks/index.ts';

describe('${id}', () => {
  it('finds the fault and leaves its look-alikes alone', () => {
    expect(allChecks.find((check) => check.meta.id === '${id}')?.meta.title).not.toBe('');
    expect.fail('write the table of cases: the fault first, then each legitimate state that resembles it');
  });
});
`,
);
write(
  `docs/checks/${id}.md`,
  `# ${id}

**Severity** . **Products** ${products.join(', ')}. **Fix** none.

## How it is decided

## What looks like it and is not

## What to do

## Evidence
`,
);
write(
  `sample-data/${id.replace('/', '-')}/expect.json`,
  `${JSON.stringify({ zone: 'UTC', now: '2026-12-01T12:00:00.000Z', findings: [{ checkId: id, session: null, evidence: {} }] }, null, 2)}\n`,
);
await import('./index-checks.mjs');
console.log(`Lay a small store at sample-data/${id.replace('/', '-')}/store, or add the finding to the case of another sample.`);
