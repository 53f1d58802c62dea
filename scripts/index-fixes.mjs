// Writes src/fixes/index.ts from the files that are there: one import a fix, in the order of their ids.
import { readdirSync, writeFileSync } from 'node:fs';

const root = new URL('../src/fixes/', import.meta.url);
const frame = ['fix.ts', 'index.ts', 'planner.ts', 'overlap.ts'];
const ids = readdirSync(root).filter((file) => file.endsWith('.ts') && !frame.includes(file)).map((file) => file.slice(0, -3)).sort();
const name = (id) => id.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
writeFileSync(
  new URL('index.ts', root),
  [
    '// Written by scripts/index-fixes.mjs; do not edit.',
    "import type { Fix } from './fix.ts';",
    ...ids.map((id) => `import ${name(id)} from './${id}.ts';`),
    '',
    '/** Every fix, in the order of their ids. */',
    'export const allFixes: readonly Fix[] = [',
    ...ids.map((id) => `  ${name(id)},`),
    '];',
    '',
  ].join('\n'),
);
