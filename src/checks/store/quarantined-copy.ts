import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { OpenclawSnapshot } from '../../stores/openclaw/types.ts';
import { defineCheck } from '../check.ts';
import { shortName } from '../shared/openclaw-names.ts';

function* openclawCopies(snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  const rows = new Map(snapshot.transcripts().map((one) => [one.file.name, one]));
  for (const file of snapshot.files) {
    if (file.kind !== 'corrupt-copy') continue;
    const messages = rows.get(file.name)?.messageRows ?? 0;
    yield {
      session: file.sessionId,
      sessionKey: snapshot.ownerOf(file),
      message: `${shortName(file.name)} is a copy that the product put aside because its header could not be read; it holds ${messages === 1 ? '1 message' : `${messages} messages`}.`,
      location: { path: file.path },
      evidence: { file: file.name, bytes: file.bytes, messages },
      record: file.name,
    };
  }
  for (const file of snapshot.sideFiles) {
    if (file.kind !== 'quarantine') continue;
    yield {
      session: null,
      message: `${file.name} was put aside by the product (${file.bytes} bytes); it may hold rows that this store lacks.`,
      location: { path: file.path },
      evidence: { file: file.name, bytes: file.bytes },
      record: file.name,
    };
  }
}

export default defineCheck({
  meta: {
    id: 'store/quarantined-copy',
    severity: 'info',
    title: 'quarantined or corrupt copies beside the store',
    products: ['openclaw'],
    fix: noFix,
    affects: 'nobody: it is kept beside the store and read by no one',
  },
  openclaw: { store: openclawCopies },
});
