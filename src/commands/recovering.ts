import { lostBySession } from '../checks/shared/lost.ts';
import { watermarksOf, watermarksWithoutTranscript, type WatermarkState } from '../checks/shared/openclaw-watermarks.ts';
import type { Finding } from '../model/finding.ts';
import type { RecoveredText } from '../model/recovery.ts';
import type { Reader } from '../model/version.ts';
import { atOrBefore } from '../readers/openclaw/watermark.ts';
import type { OpenStore } from '../stores/discover.ts';
import type { HermesSnapshot } from '../stores/hermes/types.ts';
import { ambientOf, rowText } from '../stores/openclaw/row-texts.ts';
import type { OpenclawSnapshot, TranscriptFile } from '../stores/openclaw/types.ts';
import type { OpencodeSnapshot } from '../stores/opencode/types.ts';

/** Checks whose findings name texts that no reader shows any more. */
export const recoverableChecks = ['watermark/orphaned', 'migration/unimported-rows', 'compaction/stranded-rows', 'history/dropped-messages'] as const;

/** What one finding hides: how many messages by the finding's own count, and their texts. */
export type Recovery = { finding: Finding; expected: number; unit: string; texts: Iterable<RecoveredText> };

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Array.isArray(value) ? value.length : 0;
}

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

function* fromOpenclaw(snapshot: OpenclawSnapshot, findings: readonly Finding[], reader: Reader): Iterable<Recovery> {
  const orphaned = findings.filter((finding) => finding.checkId === 'watermark/orphaned' && numberOf(finding.evidence['hiddenRows']) > 0);
  const states = orphaned.length > 0 ? watermarkStates(snapshot, reader) : [];
  for (const finding of orphaned) {
    const found = states.find(({ state }) => state.entry.key === finding.sessionKey && state.watermark.key === finding.evidence['watermarkKey']);
    yield { finding, expected: numberOf(finding.evidence['hiddenRows']), unit: 'channel message', texts: found ? hiddenAmbient(snapshot, found) : [] };
  }
  for (const finding of findings) {
    if (finding.checkId === 'migration/unimported-rows') yield { finding, expected: numberOf(finding.evidence['missingRows']), unit: 'row', texts: unimported(snapshot, finding.location.path) };
  }
}

function* fromHermes(snapshot: HermesSnapshot, findings: readonly Finding[]): Iterable<Recovery> {
  for (const finding of findings) {
    if (finding.checkId !== 'compaction/stranded-rows') continue;
    const rows = Array.isArray(finding.evidence['rows']) ? finding.evidence['rows'].filter((row): row is number => typeof row === 'number') : [];
    yield { finding, expected: rows.length, unit: 'row', texts: snapshot.texts(rows) };
  }
}

function* fromOpencode(snapshot: OpencodeSnapshot, findings: readonly Finding[]): Iterable<Recovery> {
  const dropped = findings.filter((finding) => finding.checkId === 'history/dropped-messages');
  if (dropped.length === 0) return;
  for (const { sessionId, messages } of lostBySession(snapshot)) {
    const finding = dropped.find((one) => one.session === sessionId);
    if (!finding) continue;
    const texts = function* (): Iterable<RecoveredText> {
      for (const { messageId } of [...messages].sort((a, b) => a.firstTime - b.firstTime || (a.messageId < b.messageId ? -1 : 1))) yield* snapshot.lostTexts(sessionId, messageId);
    };
    yield { finding, expected: numberOf(finding.evidence['droppedMessages']), unit: 'message', texts: texts() };
  }
}

/** What the findings of an opened store hide, one recovery a finding. The texts are read when they are iterated. */
export function recoveriesOf(opened: OpenStore, findings: readonly Finding[], reader: Reader): Iterable<Recovery> {
  switch (opened.product) {
    case 'openclaw':
      return fromOpenclaw(opened.snapshot, findings, reader);
    case 'hermes':
      return fromHermes(opened.snapshot, findings);
    case 'opencode':
    case 'mimocode':
      return fromOpencode(opened.snapshot, findings);
  }
}
