import type { FindingDraft } from '../../model/check.ts';
import type { HermesSnapshot } from '../../stores/hermes/types.ts';
import type { OpencodeSnapshot } from '../../stores/opencode/types.ts';
import { defineCheck } from '../check.ts';
import { missingParents } from '../shared/parents.ts';

function ofOpencode(snapshot: OpencodeSnapshot): Iterable<FindingDraft> {
  return missingParents(snapshot.sessions(), (id) => ({ path: snapshot.ref.path, table: 'session', row: id }));
}

function ofHermes(snapshot: HermesSnapshot): Iterable<FindingDraft> {
  return missingParents(new Map(snapshot.sessions().map((row) => [row.id, row])), (id) => ({ path: snapshot.ref.path, table: 'sessions', row: id }));
}

export default defineCheck({
  meta: {
    id: 'session/missing-parent',
    severity: 'warning',
    title: 'the parent of a session has no row',
    products: ['opencode', 'mimocode', 'hermes'],
    fix: { id: 'null-missing-parent', class: 'safe' },
    affects: 'every reader: the session is left out of lists of root sessions',
  },
  opencode: { store: ofOpencode },
  mimocode: { store: ofOpencode },
  hermes: { store: ofHermes },
});
