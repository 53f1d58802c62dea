import type { FindingDraft } from '../../model/check.ts';
import { honours, type OrphanReason, type WatermarkVerdict } from '../../readers/openclaw/watermark.ts';
import type { Reader } from '../../model/version.ts';
import type { OpenclawSnapshot, SessionEntry, Watermark } from '../../stores/openclaw/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { entryPlace, shortName } from '../shared/openclaw-names.ts';
import { watermarksOf, watermarksWithoutTranscript, type WatermarkState } from '../shared/openclaw-watermarks.ts';

const written: Record<OrphanReason, string> = {
  unbound: 'written without a session id',
  'foreign-session': 'written for another session',
  'row-missing': 'bound to this session',
  'behind-reset': 'from before the last reset',
};

const harms: Record<OrphanReason, string> = {
  unbound: 'readers before 2026.7.1; later ones ignore it and backfill once',
  'foreign-session': 'readers before 2026.7.1; later ones ignore it and backfill once',
  'row-missing': 'every reader that keeps watermarks: it is bound to the current session',
  'behind-reset': 'every reader that keeps watermarks: a reset in the log keeps the session id',
};

function sentence(watermark: Watermark, verdict: WatermarkVerdict, reader: Reader): string {
  const honoured = honours(reader, verdict.reason);
  const mark = `the watermark (message ${watermark.messageId}, ${written[verdict.reason]})`;
  const where = verdict.reason === 'behind-reset' ? 'rows that a reset put out of sight' : 'rows that the current transcript does not have';
  const begin = verdict.firstVisible === null ? 'no channel message is visible' : `it begins at message ${verdict.firstVisible}`;
  const build = reader.version === null ? 'The build that wrote it' : `OpenClaw ${reader.version}`;
  const ignored = `${build} ignores it and backfills once.`;
  if (verdict.hidden === 0) {
    const effect = honoured ? 'so that nothing up to it is shown to the agent again' : 'so that a build before 2026.7.1 would show nothing up to it to the agent again';
    return `${mark.replace('the', 'The')} vouches for ${where}, ${effect}; ${begin}, and none of the earlier messages was found in an archive of this chat.${honoured ? '' : ` ${ignored}`}`;
  }
  const messages = verdict.hidden === 1 ? '1 channel message' : `${verdict.hidden} channel messages`;
  if (!honoured) return `A build before 2026.7.1 would hide ${messages} from the agent: ${mark} vouches for ${where}; ${begin}. ${ignored}`;
  return `${messages} ${verdict.hidden === 1 ? 'is' : 'are'} hidden from the agent: ${mark} vouches for ${where}; ${begin}.`;
}

function finding(snapshot: OpenclawSnapshot, context: CheckContext, entry: SessionEntry, watermark: Watermark, verdict: WatermarkVerdict, resetEvent: string | null, damaged: boolean): FindingDraft {
  const byArchive = Object.entries(verdict.hiddenByArchive);
  const width = Math.max(...byArchive.map(([, count]) => String(count).length), String(verdict.hiddenBehindReset).length);
  const details = byArchive.map(([name, count]) => `${String(count).padStart(width)} of them lie in ${shortName(name)}`);
  if (verdict.hiddenBehindReset > 0) details.push(`${String(verdict.hiddenBehindReset).padStart(width)} of them lie before the reset${resetEvent === null ? '' : ` ${resetEvent}`} of this transcript`);
  return {
    session: entry.sessionId,
    sessionKey: entry.key,
    severity: honours(context.reader, verdict.reason) ? 'error' : 'warning',
    confidence: damaged && verdict.reason === 'row-missing' ? 'likely' : 'certain',
    message: sentence(watermark, verdict, context.reader),
    details,
    location: entryPlace(snapshot, entry),
    evidence: {
      reason: verdict.reason,
      watermark: watermark.messageId,
      watermarkKey: watermark.key,
      hiddenRows: verdict.hidden,
      hiddenByArchive: verdict.hiddenByArchive,
      firstVisible: verdict.firstVisible,
      ...(resetEvent === null ? {} : { resetEvent }),
      sessionId: entry.sessionId,
      watermarkSessionId: watermark.sessionId,
    },
    affects: harms[verdict.reason],
    record: `${entry.key}\0${watermark.key}`,
  };
}

function* report(states: Iterable<WatermarkState>, snapshot: OpenclawSnapshot, context: CheckContext): Iterable<FindingDraft> {
  for (const state of states) {
    const { entry, watermark, verdict, damaged } = state;
    if (verdict === null) continue;
    yield finding(snapshot, context, entry, watermark, verdict, verdict.reason === 'behind-reset' ? state.resetEvent : null, damaged);
  }
}

export default defineCheck({
  meta: {
    id: 'watermark/orphaned',
    severity: 'error',
    title: 'the watermark vouches for messages that the agent cannot see',
    products: ['openclaw'],
    fix: { id: 'drop-orphaned-watermark', class: 'safe' },
    affects: 'readers that honour the watermark',
  },
  openclaw: {
    session: (digest, snapshot, context) => report(watermarksOf(digest, snapshot, context.reader), snapshot, context),
    store: (snapshot, context) => report(watermarksWithoutTranscript(snapshot), snapshot, context),
  },
});
