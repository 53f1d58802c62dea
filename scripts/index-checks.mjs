// Writes src/checks/index.ts from the files that are there: one import a check, in the order of their ids.
import { readdirSync, writeFileSync } from 'node:fs';

const root = new URL('../src/checks/', import.meta.url);
const ids = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
  .flatMap((area) => readdirSync(new URL(`${area.name}/`, root)).filter((file) => file.endsWith('.ts')).map((file) => `${area.name}/${file.slice(0, -3)}`))
  .sort();
const name = (id) => id.replace(/[/-](.)/g, (_, letter) => letter.toUpperCase());
writeFileSync(
  new URL('index.ts', root),
  [
    '// Written by scripts/index-checks.mjs; do not edit.',
    "import type { Check } from './check.ts';",
    ...ids.map((id) => `import ${name(id)} from './${id}.ts';`),
    '',
    '/** Every check, in the order of their ids. */',
    'export const allChecks: readonly Check[] = [',
    ...ids.map((id) => `  ${name(id)},`),
    '];',
    '',
  ].join('\n'),
);
