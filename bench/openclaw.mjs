// The OpenClaw part of npm run bench: makes a transcript set, then times in one run, on one core, the whole scan, a Python
// json.loads loop and jq over the same bytes, and the start of the program.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, countsComputing, hasProgram, oneCore, pythonPath, run } from './measure.mjs';
import { writeStore } from './openclaw-transcripts.mjs';

const program = fileURLToPath(new URL('../bin/sessionfsck.js', import.meta.url));

const targets = { scanOfPython: 0.5, peakMegabytes: 200, helpSeconds: 0.1 };
const python = `
import sys, json
for path in sys.argv[1:]:
    with open(path, 'rb') as lines:
        for line in lines:
            json.loads(line)
`;

/** Returns the targets that were missed. */
export function benchOpenclaw({ megabytes, times, keep }) {
  const folder = join(tmpdir(), `sessionfsck-bench-${megabytes}mb`);
  const note = join(folder, 'written.json');
  let written = existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : null;
  if (written === null) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    written = writeStore(join(folder, 'store'), megabytes);
    writeFileSync(note, JSON.stringify(written));
  }
  const store = join(folder, 'store');
  const sessions = join(store, 'agents/main/sessions');
  const transcripts = readdirSync(sessions).filter((name) => name.endsWith('.jsonl')).map((name) => join(sessions, name));

  const commands = { scan: [process.execPath, program, 'scan', store, '--now', '2026-06-01T00:00:00Z', '--zone', 'UTC'] };
  const interpreter = pythonPath();
  if (interpreter !== null) commands.python = [interpreter, '-c', python, ...transcripts];
  if (hasProgram('jq')) commands.jq = ['jq', '-c', '.id', ...transcripts];
  run(['cat', ...transcripts]); // warm the page cache
  const results = compare(commands, times);
  const short = compare({ node: [process.execPath, '-e', '0'], help: [process.execPath, program, '--help'] }, 15);

  const scan = results.get('scan');
  const helpExtra = short.get('help').wall - short.get('node').wall;
  const missed = [];
  const check = (ok, text) => {
    if (!ok) missed.push(text);
  };
  console.log(`${(written.bytes / 1e6).toFixed(0)} MB, ${written.rows} rows, ${written.files} transcripts; ${oneCore ? 'one core' : 'cores not pinned'}, ${countsComputing ? 'computing time' : 'wall time'}; Node ${process.version}`);
  for (const [name, { seconds, peakBytes }] of results) {
    const ratios = [...results].filter(([other]) => other !== name && name === 'scan').map(([other, result]) => `${(seconds / result.seconds).toFixed(2)} of ${other}`);
    const memory = peakBytes ? `, peak ${(peakBytes / 1e6).toFixed(0)} MB` : '';
    console.log(`${name.padEnd(8)}${seconds.toFixed(2).padStart(8)} s  ${(written.bytes / 1e6 / seconds).toFixed(0).padStart(5)} MB/s  ${[...ratios].join(', ')}${memory}`);
  }
  console.log(`--help  ${short.get('help').wall.toFixed(3)} s, bare node ${short.get('node').wall.toFixed(3)} s: ${helpExtra.toFixed(3)} s more`);

  check(scan.status === 0, `scan of a healthy store ended with ${scan.status}`);
  if (results.has('python')) check(scan.seconds / results.get('python').seconds <= targets.scanOfPython, `scan takes more than ${targets.scanOfPython} of the Python loop`);
  check(scan.peakBytes < targets.peakMegabytes * 1e6, `scan needs ${targets.peakMegabytes} MB or more`);
  check(helpExtra <= targets.helpSeconds, `--help takes ${targets.helpSeconds} s more than bare Node, or longer`);
  if (!keep) rmSync(folder, { recursive: true, force: true });
  return missed;
}
