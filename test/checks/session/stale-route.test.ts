import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hermesCases } from '../../helpers/hermes-cases.ts';
import { startSeconds as ts } from '../../helpers/hermes.ts';

const key = 'agent:main:telegram:dm:70001';
const file = (folder: string, entries: object): void => {
  mkdirSync(join(folder, 'sessions'), { recursive: true });
  writeFileSync(join(folder, 'sessions', 'sessions.json'), JSON.stringify(entries));
};
hermesCases('session/stale-route', [
  ['to a session that does not exist', (store) => store.route(key, { session_id: 'gone' }), [{ sessionKey: key, severity: 'warning', evidence: { missing: true, source: 'gateway_routing' } }]],
  ['to an ended one, while a newer one exists', (store) => { store.session({ id: 'a', key, ended: ts + 9, reason: 'tui_close' }); store.session({ id: 'b', key, started: ts + 10 }); store.route(key, { session_id: 'a' }); }, [{ session: 'a', evidence: { missing: false, endReason: 'tui_close', newestSession: 'b' } }]],
  ['in sessions.json, where the table does not know the chat', (_store, folder) => file(folder, { [key]: { session_id: 'gone' } }), [{ sessionKey: key, evidence: { source: 'sessions.json' } }]],
  ['to an open session', (store) => { store.session({ id: 'a', key }); store.route(key, { session_id: 'a' }); }, []],
  ['the mirror is older than the table', (store, folder) => { store.session({ id: 'a', key }); store.route(key, { session_id: 'a' }); file(folder, { [key]: { session_id: 'gone' }, _meta: { session_id: 'gone' } }); }, []],
  ['suspended, or expired and waiting for the next message', (store) => { for (const [n, flag] of ['suspended', 'resume_pending', 'expiry_finalized'].entries()) { store.session({ id: `s${n}`, ended: ts + 9, reason: 'idle' }); store.route(`${key}${n}`, { session_id: `s${n}`, [flag]: true }); } }, []],
  ['an entry without a session', (store) => store.route(key, { display_name: 'x' }), []],
]);
