import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { HermesSnapshot } from '../../stores/hermes/types.ts';
import { defineCheck } from '../check.ts';

function* otherBackend(snapshot: HermesSnapshot): Iterable<FindingDraft> {
  const { backend, backendPath } = snapshot.config;
  if (backend === null || backend === 'sqlite') return;
  yield {
    session: null,
    message: `The configuration says that the sessions are kept in ${backend}: what lies here is stale or absent, and nothing was judged.`,
    details: snapshot.databases.length > 0 ? ['state.db lies here as well; it is a remainder of the time before.'] : [],
    location: { path: backendPath ?? snapshot.ref.path },
    evidence: { backend, databaseHere: snapshot.databases.length > 0 },
  };
}

export default defineCheck({
  meta: {
    id: 'store/other-backend',
    severity: 'info',
    title: 'the sessions are kept elsewhere',
    products: ['hermes'],
    fix: noFix,
    affects: 'no reader: it says that this scan saw none of the sessions',
    runsOnDamage: true,
  },
  hermes: { store: otherBackend },
});
