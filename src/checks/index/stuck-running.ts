import type { FindingDraft } from '../../model/check.ts';
import { isoTime } from '../../model/time.ts';
import type { OpenclawSnapshot } from '../../stores/openclaw/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { entryPlace } from '../shared/openclaw-names.ts';

/** A run may think and call tools for long; without any sign of life for an hour, and no process, it is over. */
const silentMs = 60 * 60_000;

function* stuck(snapshot: OpenclawSnapshot, context: CheckContext): Iterable<FindingDraft> {
  const running = snapshot.entries.filter((entry) => entry.status === 'running');
  if (running.length === 0) return;
  const lastRow = new Map<string, number>();
  for (const one of snapshot.transcripts()) if (one.lastTime !== null) lastRow.set(one.file.name, Math.max(one.lastTime, lastRow.get(one.file.name) ?? 0));
  const traced = new Map<string, number>();
  for (const { sessionId, lastTime } of snapshot.trajectories) if (lastTime !== null) traced.set(sessionId, lastTime);
  for (const entry of running) {
    const file = snapshot.fileOf(entry);
    const signs = [entry.updatedAt, entry.startedAt, entry.lastActivityAt, entry.lastInteractionAt, file === null ? null : (lastRow.get(file.name) ?? null), entry.sessionId === null ? null : (traced.get(entry.sessionId) ?? null)];
    // A clock that ran ahead says nothing about life.
    const last = Math.max(...signs.filter((time) => time !== null && time <= context.now).map(Number));
    if (!Number.isFinite(last) || context.now - last < silentMs) continue;
    if (entry.sessionId !== null && snapshot.writerAlive(entry.sessionId)) continue;
    const hours = Math.floor((context.now - last) / 3_600_000);
    yield {
      session: entry.sessionId,
      sessionKey: entry.key,
      message: `The index says that a run is at work, but nothing was written for ${hours < 72 ? `${hours} h` : `${Math.floor(hours / 24)} days`} and no process holds the transcript.`,
      details: [`last sign of life ${isoTime(last)}`],
      location: entryPlace(snapshot, entry),
      evidence: { status: 'running', startedAt: isoTime(entry.startedAt), lastSign: isoTime(last) },
      record: entry.key,
    };
  }
}

export default defineCheck({
  meta: {
    id: 'index/stuck-running',
    severity: 'warning',
    title: 'status running, nothing alive, last row old',
    products: ['openclaw'],
    fix: { id: 'clear-stuck-status', class: 'judgement' },
    affects: 'readers that queue messages behind a running turn',
  },
  openclaw: { store: stuck },
});
