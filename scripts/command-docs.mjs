// Writes docs/cli.md, the man page and the completions from the command tree of dist/, and the examples of docs/checks from sample-data. With --check it writes nothing and
// fails when one of them is not what it would write.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createProgram } from '../dist/cli.js';
import { bash, fish, zsh } from './command-docs/completions.mjs';
import { checkPages } from './command-docs/examples.mjs';
import { manPage, markdownPage } from './command-docs/pages.mjs';
import { treeOf } from './command-docs/tree.mjs';

const root = new URL('..', import.meta.url);
const tree = treeOf(createProgram());
const files = {
  'docs/cli.md': markdownPage(tree),
  'docs/sessionfsck.1': manPage(tree),
  'docs/completions/sessionfsck.bash': bash(tree),
  'docs/completions/_sessionfsck': zsh(tree),
  'docs/completions/sessionfsck.fish': fish(tree),
  ...(await checkPages(root)),
};
const check = process.argv.includes('--check');
let old = 0;
for (const [path, text] of Object.entries(files)) {
  const url = new URL(path, root);
  if (existsSync(url) && readFileSync(url, 'utf8') === text) continue;
  old++;
  if (check) {
    console.error(`${path} is not current: npm run command-docs`);
  } else {
    mkdirSync(new URL('.', url), { recursive: true });
    writeFileSync(url, text);
    console.log(path);
  }
}
if (check && old > 0) process.exitCode = 1;
