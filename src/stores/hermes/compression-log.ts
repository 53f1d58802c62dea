import { join } from 'node:path';
import { kindOf } from '../../io/files.ts';
import { forEachLine } from '../../io/lines.ts';
import type { CompressionRun } from './types.ts';

/** Rotated ones first, so that lines come in the order of writing. */
const names = ['agent.log.3', 'agent.log.2', 'agent.log.1', 'agent.log'];
const needle = Buffer.from('context compression ', 'latin1');
const pattern = /^\D{0,12}(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:[.,](\d{1,6}))?.*?context compression (started|done): session=(\S+)/;

/**
 * When compressions began and ended, as `logs/agent.log` says: the only place where that survives (Hermes format notes §1.1).
 * Times are wall clock of a zone that the log does not name; what counts is how long each run took. Throws UnreadableError.
 */
export function readCompressionRuns(home: string): CompressionRun[] {
  const runs: CompressionRun[] = [];
  const begun = new Map<string, number>();
  for (const name of names) {
    const path = join(home, 'logs', name);
    if (kindOf(path) !== 'file') continue;
    forEachLine(path, (line) => {
      const bytes = line.buffer.subarray(line.start, Math.min(line.end, line.start + 400));
      if (!bytes.includes(needle)) return;
      const match = pattern.exec(bytes.toString('latin1'));
      const [, day, time, fraction = '0', kind, session] = match ?? [];
      if (day === undefined || session === undefined) return;
      const at = Date.parse(`${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}Z`);
      if (Number.isNaN(at)) return;
      if (kind === 'started') begun.set(session, at);
      else {
        const start = begun.get(session);
        begun.delete(session);
        if (start !== undefined && at >= start) runs.push({ sessionId: session, endedAtWallClock: at, milliseconds: at - start });
      }
    });
  }
  return runs;
}
