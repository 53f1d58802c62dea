import type { ReadError } from '../model/finding.ts';
import { isoTime } from '../model/time.ts';
import type { Reader } from '../model/version.ts';
import type { WatermarkRow } from '../model/watermark.ts';
import { formatReader } from '../model/version.ts';
import { compareChannelIds } from '../stores/openclaw/ambient.ts';
import { honours } from '../readers/openclaw/watermark.ts';
import { eachStore, refuseDamage } from './each-store.ts';
import { chooseReader, type ScanOptions } from './scan.ts';
import { watermarksOf, watermarksWithoutTranscript, type WatermarkState } from './shared/openclaw-watermarks.ts';

export function watermarkRow(state: WatermarkState, store: string, reader: Reader): WatermarkRow {
  const { entry, watermark, verdict, here } = state;
  const mark = watermark.messageId;
  return {
    store,
    reader: formatReader(reader),
    session: entry.sessionId,
    sessionKey: entry.key,
    watermarkKey: watermark.key,
    state: state.state,
    reason: verdict?.reason ?? null,
    honoured: verdict !== null && honours(reader, verdict.reason),
    messageId: mark,
    boundTo: watermark.sessionId,
    messageTime: isoTime(watermark.timestamp),
    updatedAt: isoTime(watermark.updatedAt),
    vouchesFor: mark === null ? 0 : here.visible.filter((id) => compareChannelIds(id, mark) <= 0).length,
    visible: here.visible.length,
    firstVisible: here.visible[0] ?? null,
    lastVisible: here.visible.at(-1) ?? null,
    hiddenRows: verdict?.hidden ?? 0,
    hiddenByArchive: verdict?.hiddenByArchive ?? {},
    wrong: watermark.wrong,
  };
}

/** Every ambient watermark of the OpenClaw stores at `paths`, by store and chat. */
export async function collectWatermarks(paths: readonly string[], options: ScanOptions): Promise<{ watermarks: WatermarkRow[]; errors: ReadError[]; stores: number }> {
  const watermarks: WatermarkRow[] = [];
  let stores = 0;
  const errors = await eachStore(paths, options, (opened) => {
    if (opened.product !== 'openclaw') return;
    stores++;
    refuseDamage(opened);
    const { snapshot } = opened;
    const reader = chooseReader(snapshot, options.readers);
    if (!snapshot.entries.some((entry) => entry.watermarks.length > 0)) return;
    for (const digest of snapshot.digests()) for (const state of watermarksOf(digest, snapshot, reader)) watermarks.push(watermarkRow(state, snapshot.ref.id, reader));
    for (const state of watermarksWithoutTranscript(snapshot)) watermarks.push(watermarkRow(state, snapshot.ref.id, reader));
  });
  watermarks.sort((a, b) => compareText(a.store, b.store) || compareText(a.sessionKey, b.sessionKey) || compareText(a.watermarkKey, b.watermarkKey));
  return { watermarks, errors, stores };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
