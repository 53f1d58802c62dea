// Times, in a process of its own, the questions that find the sessions around a wrap: node opencode-screen.mjs DATABASE
import { spawnSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const wrap = 1_786_706_395_136;
const here = fileURLToPath(import.meta.url);

/** Seconds of the fastest of five runs: `spans` finds the straddling sessions by their ends, `disorder` every session whose order differs. */
export function timeScreens(database, pin) {
  const words = [...pin, process.execPath, here, database];
  const { stdout, status, stderr } = spawnSync(words[0], words.slice(1), { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

async function main(database) {
  const { discover, openStore } = await import('../dist/stores/discover.js');
  const { stores } = discover([database]);
  const seconds = { spans: Infinity, disorder: Infinity };
  let straddling = 0;
  let disordered = 0;
  for (let i = 0; i < 5; i++) {
    const { snapshot } = await openStore(stores[0], { snapshotDir: null, inPlace: false, deep: false, now: Date.now() });
    const start = performance.now();
    straddling = 0;
    for (const span of snapshot.spans()) if (span.firstTime < wrap && span.lastTime >= wrap) straddling++;
    const middle = performance.now();
    disordered = snapshot.disordered().size;
    seconds.spans = Math.min(seconds.spans, (middle - start) / 1000);
    seconds.disorder = Math.min(seconds.disorder, (performance.now() - middle) / 1000);
    snapshot.close();
  }
  process.stdout.write(JSON.stringify({ seconds, straddling, disordered }));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await main(process.argv[2]);
