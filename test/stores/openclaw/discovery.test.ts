import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openclawAdapter } from '../../../src/stores/openclaw/adapter.ts';
import { discover } from '../../../src/stores/discover.ts';
import { ambientTranscript, night, stateFolder, uuid } from '../../helpers/openclaw-state.ts';
import { temporaryFolder } from '../../helpers/paths.ts';

const id = uuid(1);
const files = { [`${id}.jsonl`]: ambientTranscript(id, night, [1]) };
const index = { 'agent:main:main': { sessionId: id, updatedAt: night } };
const folderOf = (root: string, agent = 'main'): string => join(root, 'agents', agent, 'sessions');

function labels(path: string): string[] {
  const { stores, errors } = discover([path]);
  expect(errors).toEqual([]);
  return stores.map((store) => `${store.label} ${store.layout}`);
}

describe('an OpenClaw store is recognised', () => {
  const archive = `${uuid(2)}.jsonl.reset.2026-07-03T03-00-00.000Z`;
  const made = (): string => stateFolder({ index, files: { ...files, [archive]: ambientTranscript(uuid(2), night, [1]) }, config: '{}' });
  it.each([
    ['by its state folder', '', undefined],
    ['by its configuration', 'openclaw.json', undefined],
    ['by the agents folder', 'agents', undefined],
    ['by one agent', 'agents/main', undefined],
    ['by its sessions folder', 'agents/main/sessions', undefined],
    ['by its index', 'agents/main/sessions/sessions.json', undefined],
    ['by one transcript', `agents/main/sessions/${id}.jsonl`, [`${id}.jsonl`]],
    ['by one archive', `agents/main/sessions/${archive}`, [archive]],
  ])('%s', (_name, inner, only) => {
    const root = made();
    const { stores, errors } = discover([join(root, inner)]);
    expect(errors).toEqual([]);
    expect(stores).toMatchObject([{ product: 'openclaw', layout: 'jsonl', path: folderOf(root), label: 'agents/main', home: root }]);
    expect(stores[0]?.only).toEqual(only);
  });

  it('with several agents, one store each; an agent without sessions is none', () => {
    const root = made();
    stateFolder({ index, files, agent: 'work' }, root);
    mkdirSync(join(root, 'agents/idle/agent'), { recursive: true });
    expect(labels(root)).toEqual(['agents/main jsonl', 'agents/work jsonl']);
  });

  it('without an index, from its transcripts', () => {
    expect(labels(stateFolder({ index: null, files }))).toEqual(['agents/main jsonl']);
  });

  it('with an empty index and nothing else', () => {
    expect(labels(stateFolder({ index: '' }))).toEqual(['agents/main jsonl']);
  });

  it('as a sessions folder that was copied out of its place', () => {
    const root = made();
    const copy = join(temporaryFolder(), 'kept');
    renameSync(folderOf(root), copy);
    expect(labels(copy)).toEqual(['kept jsonl']);
  });

  it('where session.store puts the index', () => {
    const root = temporaryFolder();
    const elsewhere = temporaryFolder();
    writeFileSync(join(root, 'openclaw.json'), `{ session: { store: '${elsewhere}/{agentId}/sessions.json' } }`);
    mkdirSync(join(elsewhere, 'main'));
    writeFileSync(join(elsewhere, 'main/sessions.json'), JSON.stringify(index));
    expect(discover([root]).stores.map((store) => store.path)).toEqual([join(elsewhere, 'main')]);
  });

  it('but not in a folder of another product, or of none', () => {
    const other = temporaryFolder();
    mkdirSync(join(other, 'sessions'));
    writeFileSync(join(other, 'sessions/sessions.json'), '{"agent:main:x":{"session_key":"agent:main:x","session_id":"20260807"}}');
    writeFileSync(join(other, 'talk.jsonl'), '{"role":"user"}\n');
    for (const path of [other, join(other, 'sessions'), join(other, 'talk.jsonl')]) expect(openclawAdapter.recognise(path, null)).toEqual([]);
  });
});

describe('the default places', () => {
  const home = '/nonexistent-home';
  it.each([
    ['the usual ones', {}, ['.openclaw', '.clawdbot', '.moldbot', '.moltbot'].map((name) => join(home, name))],
    ['OPENCLAW_STATE_DIR alone', { OPENCLAW_STATE_DIR: '/srv/claw' }, ['/srv/claw']],
    ['its older name', { CLAWDBOT_STATE_DIR: '/srv/bot' }, ['/srv/bot']],
    ['a tilde in it', { OPENCLAW_STATE_DIR: '~/claw' }, [join(home, 'claw')]],
    ['OPENCLAW_HOME', { OPENCLAW_HOME: '/srv/home' }, ['.openclaw', '.clawdbot', '.moldbot', '.moltbot'].map((name) => join('/srv/home', name))],
  ])('%s', (_name, env, expected) => {
    expect(openclawAdapter.defaults({ env, home })).toEqual(expected);
  });

  it('have profiles, and a link to the new folder once', () => {
    const mine = temporaryFolder();
    for (const name of ['.openclaw', '.openclaw-work']) mkdirSync(join(mine, name));
    symlinkSync('.openclaw', join(mine, '.clawdbot'));
    expect(openclawAdapter.defaults({ env: {}, home: mine })).toEqual(['.openclaw', '.moldbot', '.moltbot', '.openclaw-work'].map((name) => join(mine, name)));
  });

  it('take the configuration that the environment names, only for stores that nobody named', () => {
    const root = stateFolder({ index, files });
    const environment = { env: { OPENCLAW_CONFIG_PATH: '/etc/claw.json' }, home: '/root' };
    expect(openclawAdapter.recognise(root, environment)[0]?.config).toBe('/etc/claw.json');
    expect(openclawAdapter.recognise(root, null)[0]?.config).toBeUndefined();
  });
});
