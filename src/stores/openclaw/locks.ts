import { hostname } from 'node:os';
import { readSmallFile } from '../../io/files.ts';
import { processAlive, processStartTicks, processStartedAt } from '../../io/processes.ts';
import { errorMessage } from '../../model/errors.ts';
import { parseTime } from '../../model/time.ts';
import { classifyName } from './names.ts';
import type { LockFile } from './types.ts';
import { asNumber, asObject, asText } from './values.ts';

/** Slack for a process's start time, which is only known to a second, and for clocks that were set meanwhile. */
const startSlackMs = 60_000;

function stateOf(pid: number | null, startTicks: number | null, createdAt: number | null, host: string | null): LockFile['process'] {
  if (pid === null || (host !== null && host !== hostname())) return 'unknown';
  const alive = processAlive(pid);
  if (alive !== 'alive') return alive;
  if (startTicks !== null) {
    const ticks = processStartTicks(pid);
    return ticks !== null && ticks !== startTicks ? 'recycled' : 'alive';
  }
  // Without the start time in the lock: a process that began after the lock was taken did not take it.
  const began = createdAt === null ? null : processStartedAt(pid);
  return began !== null && createdAt !== null && began > createdAt + startSlackMs ? 'recycled' : 'alive';
}

/** Reads a `.lock` file (`{pid, createdAt, starttime?}`) and looks for its process on this host. Never throws. */
export function readLock(name: string, path: string, guards: string, modifiedAt: number): LockFile {
  const guarded = classifyName(guards);
  const lock: LockFile = { name, path, guards, sessionId: guarded.class === 'transcript' ? guarded.sessionId : null, pid: null, createdAt: null, startTicks: null, host: null, problem: null, modifiedAt, process: 'unknown' };
  let fields: Record<string, unknown> | null;
  try {
    fields = asObject(JSON.parse(readSmallFile(path, 1024 * 1024).toString('utf8')));
  } catch (error) {
    lock.problem = error instanceof SyntaxError ? 'not-json' : errorMessage(error);
    return lock;
  }
  if (fields === null) {
    lock.problem = 'not-object';
    return lock;
  }
  const pid = asNumber(fields.pid);
  lock.pid = pid !== null && Number.isInteger(pid) && pid > 0 ? pid : null;
  lock.createdAt = parseTime(fields.createdAt) ?? asNumber(fields.createdAt);
  lock.startTicks = asNumber(fields.starttime) ?? asNumber(fields.startTime);
  lock.host = asText(fields.host) ?? asText(fields.hostname);
  if (lock.pid === null) lock.problem = 'missing-pid';
  else if (lock.createdAt === null) lock.problem = 'invalid-createdAt';
  lock.process = stateOf(lock.pid, lock.startTicks, lock.createdAt, lock.host);
  return lock;
}
