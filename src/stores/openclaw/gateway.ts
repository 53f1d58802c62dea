import { readdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readSmallFile } from '../../io/files.ts';
import { processAlive, processStartTicks } from '../../io/processes.ts';
import { asNumber, asObject, asText } from './values.ts';

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The path without links, so far as it exists. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/**
 * Pids of the gateways at work with a configuration. A gateway keeps no file of the store open; its lock
 * `openclaw-<uid>/gateway.<hash>.lock` lies in the system's temporary folder and names pid, start and configuration.
 */
export function liveGateways(configPath: string, temporary = tmpdir()): number[] {
  const wanted = real(configPath);
  const pids: number[] = [];
  for (const folder of names(temporary)) {
    if (!/^openclaw(-\d+)?$/.test(folder)) continue;
    for (const name of names(join(temporary, folder))) {
      if (!/^gateway\..*\.lock$/.test(name)) continue;
      try {
        const lock = asObject(JSON.parse(readSmallFile(join(temporary, folder, name), 65536).toString('utf8')));
        const pid = asNumber(lock?.pid);
        const path = asText(lock?.configPath);
        if (pid === null || path === null || real(path) !== wanted || processAlive(pid) !== 'alive') continue;
        const started = asNumber(lock?.startTime);
        const running = processStartTicks(pid);
        if (started === null || running === null || started === running) pids.push(pid);
      } catch {
        // A lock that cannot be read says nothing.
      }
    }
  }
  return [...new Set(pids)].sort((a, b) => a - b);
}
