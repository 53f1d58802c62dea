import { isAbsolute, join } from 'node:path';
import { homeFolder } from '../io/home.ts';

/** A file in this user's state folder for sessionfsck: $XDG_STATE_HOME, default ~/.local/state. */
export function stateFile(name: string, env: Record<string, string | undefined> = process.env): string {
  const state = env.XDG_STATE_HOME;
  return join(state !== undefined && isAbsolute(state) ? state : join(homeFolder(), '.local/state'), 'sessionfsck', name);
}
