import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { HermesSnapshot } from '../../stores/hermes/types.ts';
import type { OpencodeSnapshot } from '../../stores/opencode/types.ts';
import { defineCheck } from '../check.ts';
import { parentRings } from '../shared/parents.ts';

function ofOpencode(snapshot: OpencodeSnapshot): Iterable<FindingDraft> {
  return parentRings(snapshot.sessions(), (id) => ({ path: snapshot.ref.path, table: 'session', row: id }));
}

function ofHermes(snapshot: HermesSnapshot): Iterable<FindingDraft> {
  return parentRings(new Map(snapshot.sessions().map((row) => [row.id, row])), (id) => ({ path: snapshot.ref.path, table: 'sessions', row: id }));
}

export default defineCheck({
  meta: {
    id: 'session/parent-cycle',
    severity: 'warning',
    title: 'the parents of sessions form a ring',
    products: ['opencode', 'mimocode', 'hermes'],
    fix: noFix,
    affects: 'every reader that walks from child to parent',
  },
  opencode: { store: ofOpencode },
  mimocode: { store: ofOpencode },
  hermes: { store: ofHermes },
});
