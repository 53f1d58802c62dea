import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { HermesSnapshot, SiblingKind } from '../../stores/hermes/types.ts';
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

const hermesKinds: { [K in SiblingKind]?: string } = {
  quarantined: 'a database that Hermes put aside as unreadable before it began a new one',
  'retired-wal': 'a write-ahead log that was cut off from its database; what it holds was committed',
  'malformed-backup': 'a raw copy of a database that Hermes found malformed',
  'corrupt-copy': 'a copy of a damaged database',
  spool: 'messages that could not be written to the database and wait to be',
};

function* hermesCopies(snapshot: HermesSnapshot): Iterable<FindingDraft> {
  for (const { path, name, kind, bytes, complete } of snapshot.siblings()) {
    const what = hermesKinds[kind];
    if (what === undefined || bytes === 0) continue;
    yield {
      session: null,
      message: `${name} lies beside the store: ${what}. It may hold rows that the store lacks.`,
      details: [`${bytes} bytes${complete ? '' : '; the copy was not finished'}.`, 'Keep it until recover has read it.'],
      location: { path },
      evidence: { file: name, kind, bytes, complete },
      record: name,
    };
  }
}

export default defineCheck({
  meta: {
    id: 'store/quarantined-copy',
    severity: 'info',
    title: 'quarantined or corrupt copies beside the store',
    products: ['openclaw', 'hermes'],
    fix: noFix,
    affects: 'nobody: it is kept beside the store and read by no one',
  },
  openclaw: { store: openclawCopies },
  hermes: { store: hermesCopies },
});
