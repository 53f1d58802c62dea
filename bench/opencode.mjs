// The opencode part of npm run bench: times in one run, on one core, the whole scan (private copy included), the same with
// order/* alone, the screens of the wrap, and sqlite3's integrity_check over the same file.
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, hasProgram, oneCore, pin, run } from './measure.mjs';
import { writeDatabase } from './opencode-messages.mjs';
import { timeScreens } from './opencode-screen.mjs';

const targets = { scanOfIntegrity: 1, screenOfIntegrity: 0.1, peakMegabytes: 200 };
const program = fileURLToPath(new URL('../bin/sessionfsck.js', import.meta.url));

/** Returns the targets that were missed. */
export async function benchOpencode({ messages, times, keep }) {
  const folder = join(tmpdir(), `sessionfsck-bench-${messages}-messages`);
  const note = join(folder, 'written.json');
  const database = join(folder, 'opencode.db');
  if (!existsSync(note)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(note, JSON.stringify(writeDatabase(database, messages)));
  }
  const written = JSON.parse(readFileSync(note, 'utf8'));
  const megabytes = statSync(database).size / 1e6;
  console.log(`${megabytes.toFixed(0)} MB, ${written.messages} messages, ${written.sessions} sessions, ${written.straddling} straddling; ${oneCore ? 'one core' : 'cores not pinned'}`);

  const scan = [process.execPath, program, 'scan', database, '--now', '2026-12-01T12:00:00Z', '--zone', 'UTC'];
  const commands = { scan, order: [...scan, '--check', 'order'] };
  if (hasProgram('sqlite3')) commands.integrity = ['sqlite3', database, 'PRAGMA integrity_check'];
  run(['cat', database]); // warm the page cache
  const results = compare(commands, times);
  const integrity = results.get('integrity')?.seconds ?? null;
  const screen = timeScreens(database, pin);
  const ratio = (seconds) => (integrity === null ? '' : `  ${(seconds / integrity).toFixed(2)} of integrity_check`);
  for (const [name, { seconds, peakBytes }] of results) {
    const memory = peakBytes ? `  peak ${(peakBytes / 1e6).toFixed(0)} MB` : '';
    console.log(`${name.padEnd(10)}${seconds.toFixed(2).padStart(8)} s${name === 'integrity' ? '' : ratio(seconds)}${memory}`);
  }
  for (const [name, seconds] of Object.entries(screen.seconds)) console.log(`${name.padEnd(10)}${seconds.toFixed(3).padStart(8)} s${ratio(seconds)}`);

  const missed = [];
  const check = (ok, text) => {
    if (!ok) missed.push(text);
  };
  check(results.get('scan').status === 1, `the scan of straddling sessions ended with ${results.get('scan').status}`);
  check(screen.straddling === written.straddling, `the screen finds ${screen.straddling} of ${written.straddling} straddling sessions`);
  check(screen.disordered === written.straddling, `${screen.disordered} sessions are out of order instead of ${written.straddling}`);
  check(results.get('scan').peakBytes < targets.peakMegabytes * 1e6, `scan needs ${targets.peakMegabytes} MB or more`);
  if (integrity !== null) {
    check(results.get('scan').seconds <= targets.scanOfIntegrity * integrity, `scan takes more than ${targets.scanOfIntegrity} of integrity_check`);
    check(screen.seconds.spans <= targets.screenOfIntegrity * integrity, `the wrap screen takes more than ${targets.screenOfIntegrity} of integrity_check`);
  }
  if (!keep) rmSync(folder, { recursive: true, force: true });
  return missed;
}
