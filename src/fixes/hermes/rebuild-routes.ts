import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { pythonObject } from '../../io/json-layout.ts';
import type { Finding } from '../../model/finding.ts';
import type { HermesSnapshot, StoredRoute } from '../../stores/hermes/types.ts';
import type { FixOutcome } from '../fix.ts';

const restart = 'start the gateway: it goes by the table and writes this file again by itself, at its start or when a route changes next';

/**
 * The routes that the file mirrors: those of its own folder where several gateways share the table (their scope is the resolved
 * sessions folder), else all of one scope. null: nothing tells which are its own.
 */
function mirrored(routes: readonly StoredRoute[], folder: string): StoredRoute[] | null {
  const scopes = new Set(routes.map((route) => route.scope));
  const own = scopes.has(folder) ? folder : scopes.size === 1 ? [...scopes][0] : undefined;
  return own === undefined ? null : routes.filter((route) => route.scope === own);
}

const chats = (count: number): string => (count === 1 ? '1 chat' : `${count} chats`);

/** Writes the mirror anew from the rows of `gateway_routing`, which Hermes goes by (Hermes format notes §1.1, §2.5). */
export function rebuildRoutes(finding: Finding, snapshot: HermesSnapshot): FixOutcome {
  const file = snapshot.routingFile();
  if (file === null || file.problem === null) return { left: 'sessions.json can be read' };
  const rows = snapshot.storedRoutes();
  const own = mirrored(rows, dirname(file.path));
  if (own === null) return { left: 'the table holds the routes of several gateways, and none of them names this folder', alternatives: [restart] };
  const routes = own.flatMap(({ sessionKey, json }) => (json === null ? [] : [{ key: sessionKey, json }]));
  if (routes.length === 0) return { left: 'the table gateway_routing holds no route that can be read', alternatives: ['start the gateway: it writes a new file as chats come in'] };
  // Names of chats and people stand in the entries: the plan holds the keys alone.
  const content = pythonObject(routes);
  const scoped = own[0]?.scope !== null;
  const unreadable = own.length - routes.length;
  const elsewhere = rows.length - own.length;
  return {
    steps: [
      {
        target: file.path,
        session: finding.session,
        title: `Write sessions.json with the ${routes.length === 1 ? 'route' : 'routes'} of ${chats(routes.length)} from the table gateway_routing.`,
        consequences: [
          'The table stays as it is; the gateway goes by it, so no chat changes its session.',
          ...(unreadable > 0 ? [`${unreadable === 1 ? '1 row of the table holds' : `${unreadable} rows of the table hold`} no JSON object and ${unreadable === 1 ? 'is' : 'are'} left out.`] : []),
          ...(elsewhere > 0 ? [`${elsewhere === 1 ? '1 route' : `${elsewhere} routes`} of other gateways in the same table ${elsewhere === 1 ? 'does' : 'do'} not belong into this file.`] : []),
          ...(file.bytes > 0 ? ['What only the damaged file held is not brought back: look into the copy beside it.'] : []),
        ],
        alternatives: [restart],
        actions: [
          {
            kind: 'mirror-rows',
            path: file.path,
            sha256: snapshot.hashes.file(file.path),
            source: snapshot.ref.path,
            table: 'gateway_routing',
            keyColumn: 'session_key',
            valueColumn: 'entry_json',
            where: scoped ? { scope: own[0]?.scope ?? '' } : {},
            keys: routes.map((route) => route.key),
            contentSha256: createHash('sha256').update(content).digest('hex'),
            bytes: content.length,
            ...(file.bytes > 0 ? { sidecar: file.sidecar } : {}),
          },
        ],
      },
    ],
  };
}
