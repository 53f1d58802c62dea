import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hermesCases } from '../../helpers/hermes-cases.ts';

const lay = (folder: string, name: string): void => writeFileSync(join(folder, name), 'bytes');
hermesCases('store/quarantined-copy', [
  ['quarantined originals', (_store, folder) => { lay(folder, 'state.db.zeroed-1785920400-42.bak'); lay(folder, 'state.db.notadb-1785920400-42-1.bak'); }, [{ severity: 'info', evidence: { file: 'state.db.notadb-1785920400-42-1.bak' } }, { evidence: { file: 'state.db.zeroed-1785920400-42.bak' } }]],
  ['a retired WAL', (_store, folder) => { mkdirSync(join(folder, 'state.db.retired-wal-20260805-090000-42')); lay(folder, 'state.db.retired-wal-20260805-090000-42/state.db-wal'); }, [{ evidence: { kind: 'retired-wal', bytes: 5, complete: true } }]],
  ['a malformed backup, once for it and its sidecars', (_store, folder) => { lay(folder, 'state.db.malformed-backup-20260805_090000'); lay(folder, 'state.db.malformed-backup-20260805_090000-wal'); }, [{ evidence: { kind: 'malformed-backup' } }]],
  ['locks, caches and ordinary backups', (_store, folder) => { for (const name of ['state.db.repair.lock', 'state.db.pre-update-emergency-1.bak', 'state.db.manual-backup-1', 'state.db.zeroed-notes.txt']) lay(folder, name); }, []],
  ['an empty quarantine file', (_store, folder) => writeFileSync(join(folder, 'state.db.zeroed-1785920400-42.bak'), ''), []],
]);
