import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { BaseSnapshot } from '../../stores/snapshot.ts';
import { defineCheck } from '../check.ts';

function* damagedDatabases(snapshot: BaseSnapshot): Iterable<FindingDraft> {
  for (const { path, fileBytes, pageSize, pageCount, damage } of snapshot.databases) {
    if (!damage) continue;
    yield {
      session: null,
      message: `The database cannot be trusted: ${damage.detail}.`,
      details: [
        'Do not start the product on it: copy the file with its -wal and -shm first.',
        'Recover from the copy: sqlite3 COPY .recover | sqlite3 NEW',
        'Look beside it for backups, quarantine copies and snapshots of the product.',
      ],
      location: { path },
      evidence: { kind: damage.kind, detail: damage.detail, fileBytes, pageSize, pageCount },
      record: path,
    };
  }
}

export default defineCheck({
  meta: {
    id: 'db/corrupt',
    severity: 'error',
    title: 'the database file is damaged',
    products: ['openclaw', 'opencode', 'mimocode', 'hermes'],
    fix: noFix,
    affects: 'every reader',
    runsOnDamage: true,
  },
  openclaw: { store: damagedDatabases },
  opencode: { store: damagedDatabases },
  mimocode: { store: damagedDatabases },
  hermes: { store: damagedDatabases },
});
