import type { Finding, Json } from '../model/finding.ts';
import { baseName } from '../stores/openclaw/names.ts';
import type { SalvagedEntry } from '../stores/openclaw/salvage.ts';
import type { TranscriptSummary } from '../stores/openclaw/digest-types.ts';
import type { OpenclawSnapshot } from '../stores/openclaw/types.ts';
import { defineFix, type FixOutcome } from './fix.ts';
import { rebuildRoutes } from './hermes/rebuild-routes.ts';

type Entry = { [field: string]: Json };
type Source = 'salvaged' | 'trajectory' | 'unknown';

/** A salvaged entry is worth its settings; its run state and watermarks belong to a past that nobody can vouch for. */
function cleaned({ value }: SalvagedEntry, file: string): Entry {
  const { status, ambientTranscriptWatermarks: _dropped, activeWriterRunId: _run, ...kept } = value;
  const named = kept['sessionFile'];
  return {
    ...kept,
    ...(typeof status === 'string' && status !== 'running' ? { status } : {}),
    ...(typeof named === 'string' && baseName(named) !== file ? { sessionFile: file } : {}),
  };
}

function fresh(one: TranscriptSummary): Entry {
  const started = one.header?.time ?? one.firstTime ?? 0;
  return { sessionId: one.sessionId, sessionFile: one.file.name, updatedAt: one.lastTime ?? started, sessionStartedAt: started, ...(one.lastUser?.time == null ? {} : { lastInteractionAt: one.lastUser.time }) };
}

/**
 * One entry a live transcript: from the damaged index or its older copies, else under the chat that its trajectory names, else
 * under a key of its own. Of two transcripts of one chat the one written last is current.
 */
export function rebuiltIndex(snapshot: OpenclawSnapshot): { index: Map<string, Entry>; counts: Record<Source, number> } {
  const live = snapshot.transcripts().filter((one) => one.file.kind === 'live').sort((a, b) => (b.lastTime ?? 0) - (a.lastTime ?? 0) || (a.file.name < b.file.name ? -1 : 1));
  const salvaged = snapshot.salvage();
  const index = new Map<string, Entry>();
  const counts = { salvaged: 0, trajectory: 0, unknown: 0 };
  const placed = new Set<string>();
  const put = (key: string, entry: Entry, one: TranscriptSummary, source: Source): void => {
    index.set(key, entry);
    placed.add(one.file.name);
    counts[source]++;
  };
  for (const old of salvaged) {
    const named = typeof old.value['sessionFile'] === 'string' ? baseName(old.value['sessionFile']) : null;
    const id = old.value['sessionId'];
    const one = live.find((candidate) => candidate.file.name === named && candidate.sessionId === id) ?? live.find((candidate) => candidate.sessionId === id);
    if (one) put(old.key, cleaned(old, one.file.name), one, 'salvaged');
    else if (old.value['initializationPending'] === true || typeof id !== 'string') index.set(old.key, { ...old.value });
  }
  for (const one of live) {
    if (placed.has(one.file.name)) continue;
    const key = one.sessionKey;
    if (key !== null && !index.has(key)) put(key, fresh(one), one, 'trajectory');
    else put(`agent:${snapshot.agentId}:recovered:${one.file.baseId.toLowerCase()}`, fresh(one), one, 'unknown');
  }
  return { index, counts };
}

function plan(finding: Finding, snapshot: OpenclawSnapshot): FixOutcome {
  const { path, state } = snapshot.index;
  if (snapshot.layout !== 'jsonl' || (state !== 'empty' && state !== 'not-json' && state !== 'not-object')) return { left: 'the index can be read' };
  const { index, counts } = rebuiltIndex(snapshot);
  const total = index.size;
  if (total === 0) return { left: 'no transcript and no entry is left to build an index from', alternatives: ['start the gateway: it writes a new, empty index'] };
  const chats = (number: number, one: string, more: string): string => (number === 1 ? `1 ${one}` : `${number} ${more}`);
  const consequences = [
    ...(counts.salvaged > 0 ? [`${chats(counts.salvaged, 'chat comes', 'chats come')} back from the damaged index or an older copy of it, with what was whole of its settings.`] : []),
    ...(counts.trajectory > 0 ? [`${chats(counts.trajectory, 'comes', 'come')} back under the chat that a trajectory names, without settings.`] : []),
    ...(counts.unknown > 0 ? [`${chats(counts.unknown, 'transcript names', 'transcripts name')} no chat and will be listed as agent:${snapshot.agentId}:recovered:<session>; the chat it belonged to begins anew.`] : []),
    'Watermarks and run states are left out: the product makes them again.',
  ];
  return {
    steps: [
      {
        target: path,
        session: finding.session,
        title: `Write an index of ${chats(total, 'chat', 'chats')} from what the transcripts, their trajectories and older copies tell.`,
        consequences,
        alternatives: ['put a backup of sessions.json in its place'],
        actions: [{ kind: 'replace-file', path, sha256: snapshot.hashes.file(path), content: `${JSON.stringify(Object.fromEntries(index), null, 2)}\n` }],
      },
    ],
  };
}

export default defineFix({
  meta: { id: 'rebuild-index', class: 'judgement', title: 'writes an index anew from the transcripts, or from the table that it mirrors', checks: ['index/corrupt'] },
  declines: (_finding, { store }) =>
    store.product === 'hermes' ? { left: 'the table gateway_routing holds no route to write the file from', alternatives: ['start the gateway: it writes a new file as chats come in'] } : null,
  openclaw: plan,
  hermes: rebuildRoutes,
});
