import { watermarksOf, watermarksWithoutTranscript, type WatermarkState } from '../checks/shared/openclaw-watermarks.ts';
import type { Finding } from '../model/finding.ts';
import type { FindingRecovery, RecoveredText, Recovery } from '../model/recovery.ts';
import type { Reader } from '../model/version.ts';
import { atOrBefore } from '../readers/openclaw/watermark.ts';
import type { OpenStore } from '../stores/discover.ts';
import { openclawCopies } from './recovering-copies.ts';
import { counted, numberOf } from './recovering-findings.ts';
import { hermesCopies } from './recovering-hermes.ts';
import type { HermesSnapshot } from '../stores/hermes/types.ts';
import { ambientOf, rowText } from '../stores/openclaw/row-texts.ts';
import type { OpenclawSnapshot, TranscriptFile } from '../stores/openclaw/types.ts';
import { orphansOf } from './recovering-orphans.ts';
import { fromOpencode, opencodeCopies } from './recovering-opencode.ts';

/** Checks whose findings name texts that no reader shows any more. */
export const recoverableChecks = ['watermark/orphaned', 'migration/unimported-rows', 'compaction/stranded-rows', 'history/dropped-messages', 'db/orphan-rows'] as const;

/** The watermark states of all chats, with what each sees. Reads the transcripts once more. */
function watermarkStates(snapshot: OpenclawSnapshot, reader: Reader): { state: WatermarkState; file: TranscriptFile | null }[] {
  const states: { state: WatermarkState; file: TranscriptFile | null }[] = [];
  for (const digest of snapshot.digests()) for (const state of watermarksOf(digest, snapshot, reader)) states.push({ state, file: digest.file });
  for (const state of watermarksWithoutTranscript(snapshot)) states.push({ state, file: null });
  return states.filter(({ state }) => state.verdict !== null);
}

/** Each hidden channel message once: from the archives in time order, then from before the last in-log reset. */
function* hiddenAmbient(snapshot: OpenclawSnapshot, { state, file }: { state: WatermarkState; file: TranscriptFile | null }): Iterable<RecoveredText> {
  const { verdict, watermark, here } = state;
  const mark = watermark.messageId;
  if (verdict === null || mark === null) return;
  const done = new Set(here.visible);
  const archives = snapshot.files.filter((one) => one.name in verdict.hiddenByArchive).sort((a, b) => (a.archivedAt ?? 0) - (b.archivedAt ?? 0));
  const behind = new Set(here.behindReset);
  for (const source of [...archives, ...(file !== null && verdict.hiddenBehindReset > 0 ? [file] : [])]) {
    const wanted = (id: string): boolean => !done.has(id) && atOrBefore(id, mark) && (source !== file || behind.has(id));
    const taken = new Set<string>();
    for (const text of ambientOf(snapshot.rowsOf(source), source.path, wanted)) {
      // A coalesced row or a replayed block may hold a message twice.
      if (taken.has(text.id)) continue;
      taken.add(text.id);
      yield text;
    }
    for (const id of taken) done.add(id);
  }
}

function* unimported(snapshot: OpenclawSnapshot, path: string): Iterable<RecoveredText> {
  if (!snapshot.sqlite) return;
  for (const { row, line } of snapshot.sqlite.missingRows(path)) yield rowText(row, path, line);
}

function* fromOpenclaw(snapshot: OpenclawSnapshot, findings: readonly Finding[], reader: Reader): Iterable<FindingRecovery> {
  const orphaned = findings.filter((finding) => finding.checkId === 'watermark/orphaned' && numberOf(finding.evidence['hiddenRows']) > 0);
  const states = orphaned.length > 0 ? watermarkStates(snapshot, reader) : [];
  for (const finding of orphaned) {
    const found = states.find(({ state }) => state.entry.key === finding.sessionKey && state.watermark.key === finding.evidence['watermarkKey']);
    yield counted(finding, 'channel message', numberOf(finding.evidence['hiddenRows']), found ? hiddenAmbient(snapshot, found) : []);
  }
  for (const finding of findings) {
    if (finding.checkId === 'migration/unimported-rows') yield counted(finding, 'row', numberOf(finding.evidence['missingRows']), unimported(snapshot, finding.location.path));
  }
}

function* fromHermes(snapshot: HermesSnapshot, findings: readonly Finding[]): Iterable<FindingRecovery> {
  for (const finding of findings) {
    if (finding.checkId !== 'compaction/stranded-rows') continue;
    const { rows } = finding.evidence;
    const ids = Array.isArray(rows) ? rows.filter((row): row is number => typeof row === 'number') : [];
    yield counted(finding, 'row', ids.length, snapshot.texts(ids));
  }
}

/** What the findings of an opened store hide, one recovery a finding. The texts are read when they are iterated. */
export function* recoveriesOf(opened: OpenStore, findings: readonly Finding[], reader: Reader): Iterable<FindingRecovery> {
  switch (opened.product) {
    case 'openclaw':
      yield* fromOpenclaw(opened.snapshot, findings, reader);
      break;
    case 'hermes':
      yield* fromHermes(opened.snapshot, findings);
      break;
    case 'opencode':
    case 'mimocode':
      yield* fromOpencode(opened.snapshot, findings);
      break;
  }
  yield* orphansOf(opened, findings);
}

/** What copies and older layouts beside an opened store hold and no reader shows, one recovery each. Each must be used up before the next one is asked for. */
export async function* copiesOf(opened: OpenStore): AsyncIterable<Recovery> {
  switch (opened.product) {
    case 'hermes':
      yield* hermesCopies(opened.snapshot);
      break;
    case 'opencode':
    case 'mimocode':
      yield* opencodeCopies(opened.snapshot);
      break;
    case 'openclaw':
      yield* openclawCopies(opened.snapshot);
      break;
  }
}
