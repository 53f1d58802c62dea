// The Hermes part of npm run bench: times in one run, on one core, the whole scan (private copy included) and SQLite's own
// integrity_check over the same file.
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeHermesDatabase } from './hermes-database.mjs';
import { compare, hasProgram, oneCore, run } from './measure.mjs';

const targets = { scanOfIntegrity: 3, peakMegabytes: 200 };
const program = fileURLToPath(new URL('../bin/sessionfsck.js', import.meta.url));

/** Returns the targets that were missed. */
export async function benchHermes({ messages, times, keep }) {
  const folder = join(tmpdir(), `sessionfsck-bench-hermes-${messages}`);
  const note = join(folder, 'written.json');
  const database = join(folder, 'home', 'state.db');
  if (!existsSync(note)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, 'home'), { recursive: true });
    writeFileSync(note, JSON.stringify(writeHermesDatabase(database, messages)));
  }
  const written = JSON.parse(readFileSync(note, 'utf8'));
  console.log(`${(statSync(database).size / 1e6).toFixed(0)} MB, ${written.messages} rows, ${written.sessions} Hermes sessions, ${written.compactions} compactions, ${written.stranded} rows stranded; ${oneCore ? 'one core' : 'cores not pinned'}`);

  const scan = [process.execPath, program, 'scan', database, '--now', '2026-12-01T12:00:00Z', '--zone', 'UTC'];
  const commands = { scan };
  if (hasProgram('sqlite3')) commands.integrity = ['sqlite3', database, 'PRAGMA integrity_check'];
  run(['cat', database]); // warm the page cache
  const results = compare(commands, times);
  const integrity = results.get('integrity')?.seconds ?? null;
  for (const [name, { seconds, wall, peakBytes }] of results) {
    const ratio = name === 'integrity' || integrity === null ? '' : `  ${(seconds / integrity).toFixed(2)} of integrity_check`;
    console.log(`${name.padEnd(10)}${seconds.toFixed(2).padStart(8)} s (wall ${wall.toFixed(2)} s)${ratio}${peakBytes ? `  peak ${(peakBytes / 1e6).toFixed(0)} MB` : ''}`);
  }
  const report = JSON.parse(spawnSync(process.execPath, [...scan.slice(1), '--json'], { encoding: 'utf8', maxBuffer: 2 ** 28 }).stdout);
  const found = report.findings.filter((finding) => finding.checkId === 'compaction/stranded-rows').reduce((sum, finding) => sum + finding.evidence.rows.length, 0);

  const missed = [];
  const check = (ok, text) => {
    if (!ok) missed.push(text);
  };
  check(found === written.stranded, `the scan finds ${found} of ${written.stranded} stranded rows`);
  check(report.findings.every((finding) => finding.checkId === 'compaction/stranded-rows'), 'the scan finds what was not put there');
  check(results.get('scan').peakBytes < targets.peakMegabytes * 1e6, `the Hermes scan needs ${targets.peakMegabytes} MB or more`);
  if (integrity !== null) check(results.get('scan').seconds <= targets.scanOfIntegrity * integrity, `the Hermes scan takes more than ${targets.scanOfIntegrity} of integrity_check`);
  if (!keep) rmSync(folder, { recursive: true, force: true });
  return missed;
}
