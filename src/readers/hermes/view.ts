import { Flag, roleNames, type MessageColumns } from '../../stores/hermes/digest-types.ts';

/** Roles by their index in a digest. */
export const role = {
  user: roleNames.indexOf('user'),
  assistant: roleNames.indexOf('assistant'),
  tool: roleNames.indexOf('tool'),
  system: roleNames.indexOf('system'),
  sessionMeta: roleNames.indexOf('session_meta'),
} as const;

export type State = 'live' | 'archived' | 'set-aside' | 'illegal' | 'unhealed';

/**
 * What a row's flags mean (Hermes format notes §3.1). live: the model gets it. archived: summarized away, still displayed.
 * set-aside: rewound, or superseded by a copy. illegal: active and compacted at once. unhealed: `active` is NULL.
 */
export function stateOf(flags: number): State {
  if (flags & Flag.activeNull) return 'unhealed';
  if (flags & Flag.active) return flags & Flag.compacted ? 'illegal' : 'live';
  return flags & Flag.compacted ? 'archived' : 'set-aside';
}

/** What the model gets: active rows in id order. Times never decide. */
export function isInContext(flags: number): boolean {
  return (flags & Flag.active) !== 0;
}

/** What display and search show. */
export function isDisplayed(flags: number): boolean {
  return (flags & (Flag.active | Flag.compacted)) !== 0;
}

/** Bookkeeping that no model ever gets: a compaction neither carries nor summarizes it. */
export function isBookkeeping(messages: MessageColumns, index: number): boolean {
  const code = messages.roles[index];
  return code === role.sessionMeta || code === role.system;
}

/** Indexes of the rows that the model gets. */
export function contextRows(messages: MessageColumns): number[] {
  const rows: number[] = [];
  for (let i = 0; i < messages.count; i++) if (isInContext(messages.flags[i] ?? 0)) rows.push(i);
  return rows;
}
