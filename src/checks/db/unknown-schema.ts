import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { HermesSnapshot } from '../../stores/hermes/types.ts';
import type { OpenclawSnapshot } from '../../stores/openclaw/types.ts';
import type { OpencodeSnapshot } from '../../stores/opencode/types.ts';
import type { SchemaFacts } from '../../stores/snapshot.ts';
import { defineCheck, type CheckContext } from '../check.ts';

/** The finding for a schema that is newer than what is known, or that lacks columns; null when there is nothing to say. */
export function unknownSchema(schema: SchemaFacts, missing: readonly string[]): FindingDraft | null {
  if (!schema.newer && missing.length === 0) return null;
  const version = schema.version ?? 'without a version';
  return {
    session: null,
    message: schema.newer
      ? `The schema (${version}) is newer than the newest that is known here (${schema.newestKnown}): only the checks that its columns allow were run.`
      : `The schema (${version}) lacks ${missing.length} of the columns that are known: only the checks that the others allow were run.`,
    details: [...(missing.length > 0 ? [`missing: ${missing.slice(0, 8).join(', ')}${missing.length > 8 ? ', …' : ''}`] : []), 'Look for a newer sessionfsck.'],
    location: { path: schema.path },
    evidence: { version: schema.version, newestKnown: schema.newestKnown, missingColumns: [...missing] },
  };
}

/** Columns without which the checks of opencode and MiMo-Code have nothing to go by. */
const opencodeCore: [table: string, columns: string[]][] = [
  ['session', ['id', 'version', 'time_created']],
  ['message', ['id', 'session_id', 'time_created', 'data']],
  ['part', ['id', 'message_id', 'session_id', 'data']],
];

function* ofOpencode(snapshot: OpencodeSnapshot, _context: CheckContext): Iterable<FindingDraft> {
  if (snapshot.schema === null) return;
  const missing = opencodeCore.flatMap(([table, columns]) => columns.filter((column) => !snapshot.has(table, column)).map((column) => `${table}.${column}`));
  const finding = unknownSchema(snapshot.schema, missing);
  if (finding !== null) yield finding;
}

function* ofOpenclaw(snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  const finding = snapshot.schema === null ? null : unknownSchema(snapshot.schema, []);
  if (finding !== null) yield finding;
}

function* ofHermes(snapshot: HermesSnapshot): Iterable<FindingDraft> {
  if (snapshot.schema === null) return;
  // Columns came one by one over the years: what an old store lacks is no surprise.
  const finding = unknownSchema(snapshot.schema, []);
  if (finding !== null) yield finding;
}

export default defineCheck({
  meta: {
    id: 'db/unknown-schema',
    severity: 'info',
    title: 'the schema is not one that is known',
    products: ['openclaw', 'opencode', 'mimocode', 'hermes'],
    fix: noFix,
    affects: 'this program: some faults of this store may not be seen',
  },
  openclaw: { store: ofOpenclaw },
  opencode: { store: ofOpencode },
  mimocode: { store: ofOpencode },
  hermes: { store: ofHermes },
});
