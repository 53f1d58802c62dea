import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hermesCases } from '../../helpers/hermes-cases.ts';

const lay = (folder: string, text: string): void => {
  mkdirSync(join(folder, 'sessions'), { recursive: true });
  writeFileSync(join(folder, 'sessions', 'sessions.json'), text);
};
hermesCases('index/corrupt', [
  ['no bytes, the table holds a route', (store, folder) => { store.session({ id: 'a' }); store.route('agent:main:telegram:dm:1', { session_id: 'a' }); lay(folder, ''); }, [{ session: null, severity: 'error', evidence: { bytes: 0, routesInTable: 1 }, fix: { id: 'rebuild-index', class: 'judgement' } }]],
  ['cut in the middle', (_store, folder) => lay(folder, '{"agent:main'), [{ evidence: { bytes: 12, state: 'not-json', routesInTable: 0 }, fix: { class: 'none' } }]],
  ['an array', (_store, folder) => lay(folder, '[]'), [{ evidence: { state: 'not-object' } }]],
  ['an empty object', (_store, folder) => lay(folder, '{}'), []],
  ['none at all', () => {}, []],
]);
