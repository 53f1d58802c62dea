import type { FindingDraft } from '../../model/check.ts';
import { findRings } from './rings.ts';

/** A session as far as its parent is concerned. */
export type Child = { id: string; parentId: string | null };

/** Where a finding about a session row points. */
export type SessionPlace = (id: string) => FindingDraft['location'];

/** One finding a session whose parent has no row. */
export function* missingParents(sessions: ReadonlyMap<string, Child>, place: SessionPlace): Iterable<FindingDraft> {
  for (const { id, parentId } of sessions.values()) {
    if (parentId === null || parentId === '' || sessions.has(parentId)) continue;
    yield {
      session: id,
      message: `The parent of this session, ${parentId}, has no row: the session is nobody's child and hidden from lists that show roots only.`,
      location: place(id),
      evidence: { missing: parentId },
    };
  }
}

/** One finding a ring of parents, under its smallest id. */
export function* parentRings(sessions: ReadonlyMap<string, Child>, place: SessionPlace): Iterable<FindingDraft> {
  const ids = [...sessions.keys()].sort((a, b) => (a < b ? -1 : 1));
  const positions = new Map(ids.map((id, position) => [id, position]));
  const next = ids.map((id) => (sessions.get(id)?.parentId ? positions.get(sessions.get(id)?.parentId ?? '') : undefined) ?? -1);
  for (const walk of findRings(next, ids.length)) {
    const ring = walk.map((position) => ids[position] ?? '');
    const [smallest = ''] = ring;
    const members = [...ring].sort((a, b) => (a < b ? -1 : 1));
    yield {
      session: smallest,
      message: members.length === 1 ? 'The session names itself as its parent.' : `The parents of ${members.length} sessions lead in a ring: none of them is reached from a root.`,
      details: members.length === 1 ? [] : [`ring: ${ring.slice(0, 8).join(' → ')}${ring.length > 8 ? ' → …' : ''}`],
      location: place(smallest),
      evidence: { members },
      record: smallest,
    };
  }
}
