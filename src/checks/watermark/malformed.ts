import type { FindingDraft } from '../../model/check.ts';
import type { OpenclawSnapshot } from '../../stores/openclaw/types.ts';
import { defineCheck } from '../check.ts';
import { entryPlace } from '../shared/openclaw-names.ts';

function describe(wrong: readonly string[]): string {
  const words = wrong.map((name) => (name === 'key' ? 'its key is not the JSON array [channel, account, conversation, thread]' : name === 'value' ? 'it is no object' : `${name} has the wrong type`));
  return words.join('; ');
}

function* malformed(snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  for (const entry of snapshot.entries) {
    for (const watermark of entry.watermarks) {
      if (watermark.wrong.length === 0) continue;
      yield {
        session: entry.sessionId,
        sessionKey: entry.key,
        message: `A watermark of this chat cannot be read: ${describe(watermark.wrong)}.`,
        location: entryPlace(snapshot, entry),
        evidence: { watermarkKey: watermark.key, wrong: watermark.wrong },
        record: `${entry.key}\0${watermark.key}`,
      };
    }
  }
}

export default defineCheck({
  meta: {
    id: 'watermark/malformed',
    severity: 'warning',
    title: 'a watermark whose key or fields have the wrong shape',
    products: ['openclaw'],
    fix: { id: 'drop-orphaned-watermark', class: 'safe' },
    affects: 'readers from 2026.7.1 on: what they make of it is undefined',
  },
  openclaw: { store: malformed },
});
