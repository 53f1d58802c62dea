// The part of npm run bench for OpenClaw's SQLite era: the whole scan, private copy included, against sqlite3's
// integrity_check over the same file in the same run.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, hasProgram, oneCore, run } from './measure.mjs';
import { writeEvents } from './openclaw-events.mjs';

const targets = { scanOfIntegrity: 3, peakMegabytes: 200 };
const program = fileURLToPath(new URL('../bin/sessionfsck.js', import.meta.url));

/** Returns the targets that were missed. */
export async function benchOpenclawDatabase({ messages, times, keep }) {
  const folder = mkdtempSync(join(tmpdir(), 'sessionfsck-bench-events-'));
  const database = join(folder, 'agents/main/agent/openclaw-agent.sqlite');
  const written = writeEvents(database, messages);
  console.log(`${(statSync(database).size / 1e6).toFixed(0)} MB, ${written.events} events, ${written.chats} chats; ${oneCore ? 'one core' : 'cores not pinned'}`);
  const commands = { scan: [process.execPath, program, 'scan', folder, '--now', '2026-12-01T12:00:00Z', '--zone', 'UTC'] };
  if (hasProgram('sqlite3')) commands.integrity = ['sqlite3', database, 'PRAGMA integrity_check'];
  run(['cat', database]); // warm the page cache
  const results = compare(commands, times);
  const integrity = results.get('integrity')?.seconds ?? null;
  for (const [name, { seconds, peakBytes }] of results) {
    const ratio = name === 'integrity' || integrity === null ? '' : `  ${(seconds / integrity).toFixed(2)} of integrity_check`;
    console.log(`${name.padEnd(10)}${seconds.toFixed(2).padStart(8)} s${ratio}${peakBytes ? `  peak ${(peakBytes / 1e6).toFixed(0)} MB` : ''}`);
  }
  const { status, seconds, peakBytes } = results.get('scan');
  const missed = [];
  if (status !== 0) missed.push(`the scan of a healthy agent database ended with ${status}`);
  if (peakBytes >= targets.peakMegabytes * 1e6) missed.push(`the scan of an agent database needs ${targets.peakMegabytes} MB or more`);
  if (integrity !== null && seconds > targets.scanOfIntegrity * integrity) missed.push(`the scan of an agent database takes more than ${targets.scanOfIntegrity} of integrity_check`);
  if (!keep) rmSync(folder, { recursive: true, force: true });
  return missed;
}
