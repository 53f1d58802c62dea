import { basename } from 'node:path';
import type { ScanResult } from '../model/finding.ts';
import { createPseudonymiser } from './pseudonym.ts';
import { safeJson } from './printable.ts';

/** How a store is built, and its tables: names only. */
export type StoreShape = {
  schema: string | null;
  newestKnownSchema: string | null;
  databases: { fileBytes: number; walBytes: number; pageSize: number; pageCount: number; damage: string | null }[];
  tables: string[];
};

/** What else a bundle says: none of it personal. */
export type BundleFacts = {
  node: string;
  platform: string;
  /** The options that judged. */
  policy: { zone: string; zoneGiven: boolean; deep: boolean; readers: string[]; severities: Record<string, string>; ignores: number };
  /** By store id. */
  structure: ReadonlyMap<string, StoreShape>;
};

/**
 * Findings, versions, policy and structure for a bug report upstream, as JSON. No sentence, title, path or name of a person or
 * chat is in it: evidence keeps numbers, times, ids and the words of the checks; every other text is a name made with `salt`.
 */
export function renderBundle(result: ScanResult, facts: BundleFacts, salt: string): string {
  const hide = createPseudonymiser(salt);
  const storeNames = new Map(result.stores.map((store, index) => [store.id, `store-${index + 1}`]));
  const storeOf = (id: string | null): string | null => (id === null ? null : (storeNames.get(id) ?? hide.name(id)));
  return `${safeJson(
    {
      schemaVersion: 1,
      kind: 'sessionfsck-bundle',
      tool: result.tool,
      node: facts.node,
      platform: facts.platform,
      policy: facts.policy,
      summary: result.summary,
      stores: result.stores.map((store) => ({
        id: storeOf(store.id),
        product: store.product,
        layout: store.layout,
        file: hide.file(basename(store.path)),
        reader: /^[a-z]+@[\w.+-]{1,40}$/.test(store.reader) ? store.reader : `${store.product}@unknown`,
        readAs: store.readAs,
        sessions: store.sessions,
        recordsRead: store.recordsRead,
        recordsRejected: store.recordsRejected,
        bytes: store.bytes,
        unchanged: store.unchanged,
        counts: Object.fromEntries(Object.entries(store.counts).map(([name, number]) => [/^[a-z][a-z ]{0,40}$/.test(name) ? name : hide.name(name), number])),
        structure: shapeOf(facts.structure.get(store.id), hide.name),
      })),
      checksRun: result.checksRun,
      checksSkipped: result.checksSkipped.map((skip) => ({ checkId: skip.checkId, store: storeOf(skip.store) })),
      findings: result.findings.map((finding) => ({
        checkId: finding.checkId,
        severity: finding.severity,
        confidence: finding.confidence,
        store: storeOf(finding.store),
        session: finding.session === null ? null : hide.value(finding.session, ''),
        sessionKey: finding.sessionKey === null ? null : hide.key(finding.sessionKey),
        place: {
          file: hide.file(basename(finding.location.path)),
          ...(finding.location.line === undefined ? {} : { line: finding.location.line }),
          ...(finding.location.table === undefined ? {} : { table: hide.value(finding.location.table, 'table') }),
          ...(finding.location.row === undefined ? {} : { row: hide.value(finding.location.row, '') }),
        },
        evidence: hide.value(finding.evidence),
        fix: finding.fix,
      })),
      unread: result.errors.map((error) => ({ store: storeOf(error.store) })),
    },
    2,
  )}\n`;
}

/** Names of tables and migrations as products give them; any other is hidden. */
function shapeOf(shape: StoreShape | undefined, hide: (text: string) => string): StoreShape | null {
  if (!shape) return null;
  const plain = (name: string): string => (/^[a-z0-9][a-z0-9_]{0,63}$/.test(name) ? name : hide(name));
  return { ...shape, schema: shape.schema === null ? null : plain(shape.schema), databases: shape.databases.map((database) => ({ ...database, damage: database.damage === null ? null : plain(database.damage) })), tables: shape.tables.map(plain) };
}
