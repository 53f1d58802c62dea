import type { Action, CellMap, StepDraft } from '../model/step.ts';

/**
 * The places that an action writes to, as words that are equal where two actions collide. Computed cells do not collide:
 * they are worked out last, from what is there then.
 */
function claims(action: Action): string[] {
  const key = (cells: CellMap): string => JSON.stringify(Object.entries(cells).sort());
  const computed = (cell: unknown): boolean => typeof cell === 'object' && cell !== null && ('$count' in cell || '$arrayLengths' in cell);
  switch (action.kind) {
    case 'edit-json-file':
      // Every prefix of a path, so that an edit below another one collides with it.
      return action.edits.map((edit) => `json ${action.path} ${JSON.stringify(edit.path)}`);
    case 'edit-json-line':
      return [`line ${action.path} ${action.line}`];
    case 'remove-lines':
      return Array.from({ length: Math.min(action.count, 10_000) }, (_, index) => `line ${action.path} ${action.line + index}`);
    case 'insert-lines':
      return [`before ${action.path} ${action.line}`];
    case 'rename-file':
      return [`whole ${action.path}`, `whole ${action.to}`];
    case 'create-file':
    case 'replace-file':
    case 'retire-file':
      return [`whole ${action.path}`];
    case 'update-rows':
      return action.rows.flatMap((row) => Object.entries(row.after).filter(([, cell]) => !computed(cell)).map(([column]) => `cell ${action.database} ${action.table} ${key(row.key)} ${column}`));
    case 'edit-json-cell':
      return [`cell ${action.database} ${action.table} ${key(action.key)} ${action.column}`];
    case 'delete-rows':
      return action.rows.map((row) => `row ${action.database} ${action.table} ${key(row.key)}`);
    case 'insert-rows':
    case 'clone-rows':
      return [];
    case 'map-ids':
      return Object.keys(action.mapping).map((id) => `id ${action.database} ${id}`);
    case 'drop-triggers':
      return [];
  }
}

/** The file that an action changes in parts, or null. */
function partOf(action: Action): string | null {
  return action.kind === 'edit-json-file' || action.kind === 'edit-json-line' || action.kind === 'remove-lines' || action.kind === 'insert-lines' ? action.path : null;
}

function jsonPrefixes(action: Action): string[] {
  if (action.kind !== 'edit-json-file') return [];
  return action.edits.flatMap((edit) => edit.path.map((_, depth) => `json ${action.path} ${JSON.stringify(edit.path.slice(0, depth))}`));
}

/** Remembers what steps write, so that one that would write the same place can wait for the next plan. */
export function overlapGuard(): { collides(draft: StepDraft): string | null; add(draft: StepDraft, id: string): void } {
  const taken = new Map<string, string>();
  const inside = new Map<string, string>();
  const parts = new Map<string, string>();
  return {
    collides(draft) {
      for (const action of draft.actions) {
        for (const claim of claims(action)) {
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
        for (const prefix of jsonPrefixes(action)) inside.set(prefix, id);
        const part = partOf(action);
        if (part !== null) parts.set(part, id);
      }
    },
  };
}
