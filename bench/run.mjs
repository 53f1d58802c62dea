// npm run bench [-- --only openclaw|openclaw-database|opencode|hermes] [--mb 2000] [--messages 9000000] [--times 3] [--keep]
// Prints ratios, which travel between machines, beside seconds, which do not. Seconds are those a program computed (user and
// system time) where GNU time is there, else the wall clock's. Exit 1 when a target is missed.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { benchHermes } from './hermes.mjs';
import { benchOpenclawDatabase } from './openclaw-database.mjs';
import { benchOpenclaw } from './openclaw.mjs';
import { benchOpencode } from './opencode.mjs';
import { benchRepair } from './repair.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    mb: { type: 'string', default: '500' },
    messages: { type: 'string', default: '1000000' },
    times: { type: 'string', default: '3' },
    keep: { type: 'boolean', default: false },
  },
});
if (!existsSync(fileURLToPath(new URL('../dist/cli.js', import.meta.url)))) throw new Error('dist is missing: npm run build');

const options = { megabytes: Number(values.mb), messages: Number(values.messages), times: Number(values.times), keep: values.keep };
const parts = { openclaw: benchOpenclaw, 'openclaw-database': benchOpenclawDatabase, opencode: benchOpencode, hermes: benchHermes, repair: benchRepair };
const missed = [];
for (const [name, part] of Object.entries(parts)) {
  if (values.only === undefined || values.only === name) missed.push(...(await part(options)));
}
console.log(missed.length === 0 ? 'all targets reached' : `MISSED: ${missed.join('; ')}`);
process.exitCode = missed.length === 0 ? 0 : 1;
