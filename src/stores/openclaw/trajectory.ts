import { fstatSync, readSync } from 'node:fs';
import { forEachLine } from '../../io/lines.ts';
import { UnreadableError } from '../../model/errors.ts';
import { explain, withFile } from '../../io/files.ts';
import { parseTime } from '../../model/time.ts';
import type { Trajectory } from './types.ts';
import { asObject, asText } from './values.ts';

const tailBytes = 16 * 1024;
/** The key stands in the first event and the version in one of the first of a run; a sidecar may have 10 MiB. */
const eventsWanted = 12;

class Enough extends Error {}

function parse(text: string): Record<string, unknown> | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The last whole events of a file, without reading what lies before them. */
function lastEvents(path: string): Record<string, unknown>[] {
  try {
    return withFile(path, (fd) => {
      const size = fstatSync(fd).size;
      const length = Math.min(size, tailBytes);
      const buffer = Buffer.allocUnsafe(length);
      const lines = buffer.toString('utf8', 0, readSync(fd, buffer, 0, length, size - length)).split('\n');
      if (length < size) lines.shift();
      return lines.map(parse).filter((event) => event !== null);
    });
  } catch (error) {
    throw error instanceof UnreadableError ? error : new UnreadableError(explain(error, path), path);
  }
}

/** Reads the ends of a runtime trace. Throws UnreadableError. */
export function readTrajectory(name: string, path: string, sessionId: string, bytes: number): Trajectory {
  const found: Trajectory = { name, path, sessionId, sessionKey: null, harnessVersion: null, firstTime: null, lastTime: null, lastType: null, lastStatus: null, bytes };
  let seen = 0;
  try {
    forEachLine(path, (line) => {
      if (seen++ >= eventsWanted) throw new Enough();
      const event = line.oversized ? null : parse(line.buffer.toString('utf8', line.start, line.end));
      if (event === null) return;
      found.sessionKey ??= asText(event.sessionKey);
      found.firstTime ??= parseTime(event.ts);
      if (event.type === 'trace.metadata') found.harnessVersion ??= asText(asObject(asObject(event.data)?.harness)?.version);
      if (found.sessionKey !== null && found.harnessVersion !== null && found.firstTime !== null) throw new Enough();
    });
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  const last = lastEvents(path).at(-1);
  if (last) {
    found.lastTime = parseTime(last.ts);
    found.lastType = asText(last.type);
    if (found.lastType === 'session.ended') found.lastStatus = asText(asObject(last.data)?.status);
  }
  return found;
}
