import type { Action, CellMap, StepDraft } from '../model/step.ts';

/** Cells that an update sets, as claims, each with the value as text: two steps may set one cell to the same value. */
function settings(action: Action): ReadonlyMap<string, string> {
  if (action.kind !== 'update-rows') return new Map();
  return new Map(action.rows.flatMap((row) => Object.entries(row.after).map(([column, cell]): [string, string] => [`whole ${cellPlace(action.database, action.table, row.key, column)}`, JSON.stringify([row.before[column] ?? null, cell])])));
}

const rowClaim = (cells: CellMap): string => JSON.stringify(Object.entries(cells).sort());

function cellPlace(database: string, table: string, key: CellMap, column: string): string {
  return `cell ${database} ${table} ${rowClaim(key)} ${column}`;
}

/**
 * The places that an action writes to, as words that are equal where two actions collide. Computed cells do not collide:
 * they are worked out last, from what is there then.
 */
function claims(action: Action): string[] {
  const computed = (cell: unknown): boolean => typeof cell === 'object' && cell !== null && ('$count' in cell || '$arrayLengths' in cell || '$token' in cell);
  switch (action.kind) {
    case 'edit-json-file':
    case 'edit-json-cell':
      return action.edits.map((edit) => `json ${partOf(action)} ${JSON.stringify(edit.path)}`);
    case 'edit-json-line':
      return [`line ${action.path} ${action.line}`];
    case 'remove-lines':
      return Array.from({ length: Math.min(action.count, 10_000) }, (_, index) => `line ${action.path} ${action.line + index}`);
    case 'insert-lines':
      return [`before ${action.path} ${action.line}`];
    case 'rename-file':
      return [`whole ${action.path}`, `whole ${action.to}`];
    case 'create-file':
    case 'retire-file':
      return [`whole ${action.path}`];
    case 'replace-file':
    case 'mirror-rows':
      return [`whole ${action.path}`, ...(action.sidecar === undefined ? [] : [`whole ${action.sidecar}`])];
    case 'update-rows':
      return action.rows.flatMap((row) => Object.entries(row.after).filter(([, cell]) => !computed(cell)).map(([column]) => `whole ${cellPlace(action.database, action.table, row.key, column)}`));
    case 'delete-rows':
      return action.rows.map((row) => `row ${action.database} ${action.table} ${rowClaim(row.key)}`);
    case 'shift-rows':
      return [`shift ${action.database} ${action.table} ${rowClaim(action.where)} ${action.column}`];
    case 'insert-rows':
    case 'clone-rows':
      return [];
    case 'map-ids':
      return Object.keys(action.mapping).map((id) => `id ${action.database} ${id}`);
    case 'drop-triggers':
      return [];
  }
}

/** The file or cell that an action changes in parts, or null. */
function partOf(action: Action): string | null {
  if (action.kind === 'edit-json-cell') return cellPlace(action.database, action.table, action.key, action.column);
  return action.kind === 'edit-json-file' || action.kind === 'edit-json-line' || action.kind === 'remove-lines' || action.kind === 'insert-lines' ? action.path : null;
}

/** Every prefix of a path, so that an edit below another one collides with it. */
function jsonPrefixes(action: Action): string[] {
  if (action.kind !== 'edit-json-file' && action.kind !== 'edit-json-cell') return [];
  return action.edits.flatMap((edit) => edit.path.map((_, depth) => `json ${partOf(action)} ${JSON.stringify(edit.path.slice(0, depth))}`));
}

/** Remembers what steps write, so that one that would write the same place can wait for the next plan. */
export function overlapGuard(): { collides(draft: StepDraft): string | null; add(draft: StepDraft, id: string): void } {
  const taken = new Map<string, string>();
  const set = new Map<string, string>();
  const inside = new Map<string, string>();
  const parts = new Map<string, string>();
  return {
    collides(draft) {
      for (const action of draft.actions) {
        const values = settings(action);
        for (const claim of claims(action)) {
          const value = values.get(claim);
          if (value !== undefined && set.get(claim) === value) continue;
          const owner = taken.get(claim) ?? (claim.startsWith('json ') ? inside.get(claim) : undefined) ?? (claim.startsWith('whole ') ? parts.get(claim.slice('whole '.length)) : undefined);
          if (owner !== undefined) return owner;
        }
        for (const prefix of jsonPrefixes(action)) if (taken.has(prefix)) return taken.get(prefix) ?? null;
        const part = partOf(action);
        if (part !== null && taken.has(`whole ${part}`)) return taken.get(`whole ${part}`) ?? null;
      }
      return null;
    },
    add(draft, id) {
      for (const action of draft.actions) {
        for (const claim of claims(action)) taken.set(claim, id);
        for (const [claim, value] of settings(action)) set.set(claim, value);
        for (const prefix of jsonPrefixes(action)) inside.set(prefix, id);
        const part = partOf(action);
        if (part !== null) parts.set(part, id);
      }
    },
  };
}
