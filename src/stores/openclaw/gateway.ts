import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readSmallFile } from '../../io/files.ts';
import { processAlive } from '../../io/processes.ts';
import { asNumber, asObject, asText } from './values.ts';

/** Pids of live gateways of a configuration: their lock lies in the system's temporary folder and names the configuration. */
export function liveGateways(configPath: string, temporary = tmpdir()): number[] {
  const pids: number[] = [];
  const list = (path: string): string[] => {
    try {
      return readdirSync(path);
    } catch {
      return [];
    }
  };
  for (const folder of list(temporary)) {
    if (!/^openclaw(-\d+)?$/.test(folder)) continue;
    for (const name of list(join(temporary, folder))) {
      if (!/^gateway\..*\.lock$/.test(name)) continue;
      try {
        const lock = asObject(JSON.parse(readSmallFile(join(temporary, folder, name), 65536).toString('utf8')));
        const pid = asNumber(lock?.pid);
        const path = asText(lock?.configPath);
        if (pid !== null && path !== null && resolve(path) === configPath && processAlive(pid) === 'alive') pids.push(pid);
      } catch {
        // A lock that cannot be read says nothing.
      }
    }
  }
  return pids;
}
