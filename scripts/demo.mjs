// Scans every case of sample-data and shows what a person would see. The findings are wanted here, so the exit code is 0
// when every scan could be done.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
let broken = 0;
for (const entry of readdirSync('sample-data', { withFileTypes: true })) {
  if (!entry.isDirectory()) continue;
  const { zone, now } = JSON.parse(readFileSync(`sample-data/${entry.name}/expect.json`, 'utf8'));
  const args = ['scan', `sample-data/${entry.name}/store`, '--zone', zone];
  console.log(`$ sessionfsck ${args.join(' ')}`);
  const run = spawnSync(process.execPath, ['bin/sessionfsck.js', ...args, '--now', now], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (run.status !== 0 && run.status !== 1) broken++;
  console.log('');
}
process.exitCode = broken === 0 ? 0 : 1;
