import type { ScanOptions } from '../checks/scan.ts';
import { createProgress } from '../io/progress.ts';
import { printable } from '../report/printable.ts';
import type { GlobalOptions } from './options.ts';
import { printNote } from './output.ts';

const countEveryMs = 500;

/**
 * Runs a scan with progress on stderr: a line that moves on a terminal, and one line each time somebody sends SIGUSR1.
 * `work` gets the scan options to use.
 */
export async function watched<T>(options: ScanOptions, global: Pick<GlobalOptions, 'quiet'>, work: (options: ScanOptions) => Promise<T>): Promise<T> {
  const terminal = process.stderr.isTTY === true && process.env.TERM !== 'dumb' && !global.quiet;
  const progress = createProgress((text) => process.stderr.write(text), terminal, process.stderr.columns || 80);
  const ask = (): void => printNote(printable(progress.line()));
  process.on('SIGUSR1', ask);
  let place = { label: '', store: 0, stores: 0 };
  let counted = -Infinity;
  let counts = { records: 0, bytesTotal: 0 };
  try {
    return await work({
      ...options,
      onStore(ref, index, total) {
        place = { label: printable(ref.label), store: index, stores: total };
        counts = { records: 0, bytesTotal: 0 };
        progress.update({ ...place, ...counts, digests: 0, bytesDone: null, check: null });
        options.onStore?.(ref, index, total);
      },
      onStep(step) {
        const time = performance.now();
        // Counting may itself cost: not more than twice a second, and only while rows are being read.
        if (step.check === null && time - counted > countEveryMs) {
          counted = time;
          const { recordsRead, bytes } = step.snapshot.counts();
          counts = { records: recordsRead, bytesTotal: bytes };
        }
        const done = step.snapshot.progress?.() ?? null;
        progress.update({ ...place, ...counts, digests: step.digests, bytesDone: done?.done ?? null, bytesTotal: done?.total ?? counts.bytesTotal, check: step.check });
        options.onStep?.(step);
      },
    });
  } finally {
    process.off('SIGUSR1', ask);
    progress.done();
  }
}
