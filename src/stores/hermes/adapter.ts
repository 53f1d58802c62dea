import { join } from 'node:path';
import type { StoreAdapter } from '../snapshot.ts';
import { openHermes } from './open.ts';
import { databaseName, recogniseHermes } from './paths.ts';
import type { HermesSnapshot } from './types.ts';

export const hermesAdapter: StoreAdapter<HermesSnapshot> = {
  product: 'hermes',
  defaults({ env, home }) {
    if (env['HERMES_HOME']) return [env['HERMES_HOME']];
    if (process.platform === 'win32' && env['LOCALAPPDATA']) return [join(env['LOCALAPPDATA'], 'hermes')];
    return [join(home, '.hermes')];
  },
  recognise: recogniseHermes,
  open: openHermes,
};

export { databaseName };
