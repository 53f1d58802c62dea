// Scans every case of sample-data and shows what a person would see, the most telling first. The findings are wanted here, so
// the exit code is 0 when every scan could be done.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const first = ['openclaw-night', 'opencode-wrap', 'openclaw-transcripts'];

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const cases = readdirSync('sample-data', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));

function rank(name) {
  const place = first.indexOf(name);
  return place === -1 ? first.length : place;
}

let broken = 0;
for (const name of cases) {
  const { zone, now } = JSON.parse(readFileSync(`sample-data/${name}/expect.json`, 'utf8'));
  const args = ['scan', `sample-data/${name}/store`, '--zone', zone];
  console.log(`$ sessionfsck ${args.join(' ')}`);
  const run = spawnSync(process.execPath, ['bin/sessionfsck.js', ...args, '--now', now], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (run.status !== 0 && run.status !== 1) broken++;
  console.log('');
}
console.log(`${cases.length} sample stores were scanned, and none was changed. Your own:  node bin/sessionfsck.js scan`);
if (broken > 0) console.log(`${broken} of the scans could not be done: see above`);
process.exitCode = broken === 0 ? 0 : 1;
