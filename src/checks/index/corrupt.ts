import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { HermesSnapshot } from '../../stores/hermes/types.ts';
import type { OpenclawSnapshot } from '../../stores/openclaw/types.ts';
import { defineCheck } from '../check.ts';

function* corruptIndex(snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  const { index } = snapshot;
  if (index.state !== 'empty' && index.state !== 'not-json' && index.state !== 'not-object') return;
  const live = snapshot.files.filter((file) => file.kind === 'live');
  const why = index.state === 'empty' ? `it has ${index.bytes === 0 ? 'no bytes' : `only blanks in its ${index.bytes} bytes`}` : (index.detail ?? 'it is not JSON');
  const temps = snapshot.sideFiles.filter((file) => file.kind === 'temp' || file.kind === 'index-backup').map((file) => file.name);
  yield {
    session: null,
    message: `The session index cannot be read: ${why}; the product starts as if there were no sessions, and ${live.length === 1 ? '1 live transcript is' : `${live.length} live transcripts are`} out of its reach.`,
    details: temps.length > 0 ? [`Files that may hold an older index: ${temps.slice(0, 5).join(', ')}${temps.length > 5 ? ', …' : ''}`] : ['No temporary file or backup of the index lies beside it.'],
    location: { path: index.path },
    evidence: { bytes: index.bytes, state: index.state, liveTranscripts: live.length, olderCopies: temps },
    record: index.path,
  };
}

function* hermesIndex(snapshot: HermesSnapshot): Iterable<FindingDraft> {
  const file = snapshot.routingFile();
  if (!file || file.problem === null) return;
  const routes = snapshot.routing().length;
  yield {
    session: null,
    message: file.problem === 'empty' ? 'sessions/sessions.json has 0 bytes.' : file.problem === 'not-json' ? `sessions/sessions.json (${file.bytes} bytes) is not JSON.` : `sessions/sessions.json (${file.bytes} bytes) holds no JSON object.`,
    details: [
      routes > 0
        ? `It mirrors the table gateway_routing, which holds ${routes} ${routes === 1 ? 'route' : 'routes'}: Hermes goes by the table and writes the file again by itself, at its start or when a route changes next.`
        : 'The table gateway_routing holds no route either: each chat begins a new session at its next message.',
    ],
    location: { path: file.path },
    evidence: { bytes: file.bytes, state: file.problem, routesInTable: routes },
    affects: routes > 0 ? 'builds that read routes from the file alone' : 'every Hermes gateway: it does not know which chat has which session',
    ...(routes > 0 ? {} : { fix: noFix }),
  };
}

export default defineCheck({
  meta: {
    id: 'index/corrupt',
    severity: 'error',
    title: 'the session index is empty or not JSON',
    products: ['openclaw', 'hermes'],
    fix: { id: 'rebuild-index', class: 'judgement' },
    affects: 'every reader: it finds no session',
  },
  openclaw: { store: corruptIndex },
  hermes: { store: hermesIndex },
});
