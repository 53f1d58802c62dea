// The repair part of npm run bench: plan, apply and undo of one session that straddles the id wrap, at 2 000 and at 10 000
// messages (what grows, and how), and a plan over 1 000 straddling sessions beside a scan of the same store.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oneCore, run } from './measure.mjs';
import { writeDatabase } from './opencode-messages.mjs';

const sizes = [2_000, 10_000];
const targets = { seconds: 10, growth: 6, peakMegabytes: 200, planOfScanPeak: 1.35, planOfScanSeconds: 8 };
const program = fileURLToPath(new URL('../bin/sessionfsck.js', import.meta.url));
const fixed = ['--now', '2026-12-01T12:00:00Z', '--zone', 'UTC'];
const shown = ({ seconds, peakBytes }) => `${seconds.toFixed(2).padStart(8)} s  peak ${(peakBytes / 1e6).toFixed(0)} MB`;

/** Runs one command and reports it when it did not end as it should. */
function measured(name, words, code, missed) {
  const result = run([process.execPath, program, ...words]);
  if (result.status !== code) missed.push(`${name} ended with ${result.status}`);
  console.log(`${name.padEnd(24)}${shown(result)}`);
  return result;
}

function repairOne(folder, messages, missed) {
  const store = join(folder, String(messages));
  mkdirSync(store);
  writeDatabase(join(store, 'opencode.db'), messages, { perSession: messages, straddlers: 1 });
  const plan = join(folder, `${messages}.json`);
  const journals = join(folder, `journals-${messages}`);
  const planned = measured(`plan, ${messages}`, ['plan', store, '-o', plan, ...fixed], 0, missed);
  const applied = measured(`apply, ${messages}`, ['apply', plan, '--allow', 'judgement', '--journal-dir', journals], 0, missed);
  const undone = measured(`undo, ${messages}`, ['undo', readdirSync(journals)[0], '--journal-dir', journals], 0, missed);
  return { planned, applied, undone };
}

/** Returns the targets that were missed. */
export async function benchRepair({ keep }) {
  const missed = [];
  const folder = join(tmpdir(), `sessionfsck-bench-repair-${process.pid}`);
  mkdirSync(folder);
  process.env.XDG_STATE_HOME = join(folder, 'state');
  console.log(`one session re-keyed and taken back; ${oneCore ? 'one core' : 'cores not pinned'}`);
  const [small, large] = sizes.map((messages) => repairOne(folder, messages, missed));
  for (const job of ['planned', 'applied', 'undone']) {
    const growth = large[job].seconds / small[job].seconds;
    const memory = (large[job].peakBytes - small[job].peakBytes) / 1e6;
    console.log(`${job.padEnd(24)}${growth.toFixed(2).padStart(8)} times the seconds for ${sizes[1] / sizes[0]} times the messages, ${memory.toFixed(0)} MB more`);
    if (growth > targets.growth) missed.push(`${job}: ${growth.toFixed(1)} times the seconds for ${sizes[1] / sizes[0]} times the messages`);
    if (large[job].seconds > targets.seconds) missed.push(`${job}: more than ${targets.seconds} s`);
    if (large[job].peakBytes > targets.peakMegabytes * 1e6) missed.push(`${job}: more than ${targets.peakMegabytes} MB`);
  }
  const many = join(folder, 'many');
  mkdirSync(many);
  console.log('1000 sessions of 100 messages, all of them straddling');
  writeDatabase(join(many, 'opencode.db'), 100_000, { perSession: 100, straddlers: 1000 });
  const scan = measured('scan', ['scan', many, ...fixed], 1, missed);
  const plan = measured('plan', ['plan', many, '-o', join(folder, 'many.json'), ...fixed], 0, missed);
  console.log(`plan of scan${' '.repeat(12)}${(plan.seconds / scan.seconds).toFixed(2).padStart(8)} times the seconds, ${(plan.peakBytes / scan.peakBytes).toFixed(2)} times the memory`);
  if (plan.peakBytes > targets.planOfScanPeak * scan.peakBytes) missed.push(`a plan needs more than ${targets.planOfScanPeak} times the memory of a scan`);
  if (plan.seconds > targets.planOfScanSeconds * scan.seconds) missed.push(`a plan takes more than ${targets.planOfScanSeconds} times the seconds of a scan`);
  if (!keep) rmSync(folder, { recursive: true, force: true });
  return missed;
}
