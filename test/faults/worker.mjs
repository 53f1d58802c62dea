// Runs one apply or undo with the built program and dies (SIGKILL) at the n-th operation that changes a disk.
// node worker.mjs apply|undo JOURNALS PLAN|ID N; prints how many operations there were when it was not reached.
import { readFileSync } from 'node:fs';
import { setFaultHook, setFlushing } from '../../dist/io/faults.js';
import { applyPlan } from '../../dist/journal/apply.js';
import { undoJournal } from '../../dist/journal/undo.js';

const [job, journals, target, at] = process.argv.slice(2);
let count = 0;
// A killed process loses nothing that it wrote; only a power failure does.
setFlushing(false);
setFaultHook(() => {
  count++;
  if (count === Number(at)) process.kill(process.pid, 'SIGKILL');
});
if (job === 'apply') {
  const text = readFileSync(target, 'utf8');
  await applyPlan(JSON.parse(text), text, { journals, allowJudgement: false, steps: null, dryRun: false, waitMs: 0 }, { rescan: async () => [] });
} else {
  await undoJournal(target, { journals, dryRun: false, waitMs: 0 });
}
console.log(count);
