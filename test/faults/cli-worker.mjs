// Runs one command line with the built program; at the N-th operation that changes a disk it sends itself a signal, or lets
// the rest of the run meet a full disk. node cli-worker.mjs N SIGNAL|ENOSPC COMMAND...; N 0: never. Prints the count to fd 3.
import { writeSync } from 'node:fs';
import { setFaultHook, setFlushing } from '../../dist/io/faults.js';
import { main } from '../../dist/cli.js';

const [at, what, ...argv] = process.argv.slice(2);
let count = 0;
setFlushing(false);
setFaultHook(() => {
  count++;
  if (what === 'ENOSPC' && Number(at) > 0 && count >= Number(at)) throw Object.assign(new Error('ENOSPC: injected'), { code: 'ENOSPC' });
  if (count === Number(at)) process.kill(process.pid, what);
});
process.on('exit', () => writeSync(3, String(count)));
await main([process.execPath, 'sessionfsck', ...argv]);
