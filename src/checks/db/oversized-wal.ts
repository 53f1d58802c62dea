import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { BaseSnapshot } from '../../stores/snapshot.ts';
import { defineCheck } from '../check.ts';

const limitBytes = 64 * 1024 * 1024;

function* oversized(snapshot: BaseSnapshot): Iterable<FindingDraft> {
  for (const { path, fileBytes, walBytes } of snapshot.databases) {
    if (walBytes <= limitBytes || walBytes <= 2 * fileBytes) continue;
    yield {
      session: null,
      message: `The write-ahead log has ${Math.round(walBytes / 1024 / 1024)} MiB, the database ${Math.round(fileBytes / 1024 / 1024)} MiB: some process never lets it be checkpointed.`,
      details: ['Close every program that has the database open, then: sqlite3 DATABASE "PRAGMA wal_checkpoint(TRUNCATE)". Copy database and -wal first; never delete the -wal.'],
      location: { path: `${path}-wal` },
      evidence: { walBytes, fileBytes },
      record: path,
    };
  }
}

export default defineCheck({
  meta: {
    id: 'db/oversized-wal',
    severity: 'info',
    title: 'the write-ahead log is much larger than the database',
    products: ['openclaw', 'opencode', 'mimocode', 'hermes'],
    fix: noFix,
    affects: 'speed and disk space',
  },
  openclaw: { store: oversized },
  opencode: { store: oversized },
  mimocode: { store: oversized },
  hermes: { store: oversized },
});
