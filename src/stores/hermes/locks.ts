import { readlinkSync } from 'node:fs';
import { processAlive } from '../../io/processes.ts';
import type { SqliteDatabase } from '../../io/sqlite.ts';
import { columnsOf } from '../../io/sqlite-snapshot.ts';
import { secondsToMs } from './columns.ts';
import type { LockRow } from './types.ts';

const tables = [
  ['compression_locks', 'session_id'],
  ['session_turn_leases', 'conversation_id'],
] as const;

function ownPidNamespace(): string | null {
  try {
    return /\[(\d+)\]/.exec(readlinkSync('/proc/self/ns/pid'))?.[1] ?? null;
  } catch {
    return null;
  }
}

/**
 * Whether the process that holds a lock is provably gone. Only a holder that names this host's PID namespace is probed: a
 * store is often scanned on another host than the one that wrote it (Hermes format notes §4e).
 */
export function holderState(holder: string, namespace: string | null = ownPidNamespace()): LockRow['holderState'] {
  const pid = /(?:^|:)pid=(\d+)(?::|$)/.exec(holder)?.[1];
  const stamped = /(?:^|:)pidns=(\d+)(?::|$)/.exec(holder)?.[1];
  if (pid === undefined || stamped === undefined || namespace === null || stamped !== namespace) return 'unknown';
  return processAlive(Number(pid)) === 'gone' ? 'gone' : 'unknown';
}

/** Compression locks and turn leases. */
export function readLocks(db: SqliteDatabase): LockRow[] {
  const locks: LockRow[] = [];
  for (const [table, key] of tables) {
    const columns = columnsOf(db, table);
    if (!columns.has(key) || !columns.has('expires_at')) continue;
    const acquired = columns.has('acquired_at') ? 'acquired_at' : 'NULL';
    const rows = db.prepare<[], { id: unknown; holder: unknown; acquired: unknown; expires: unknown }>(`SELECT ${key} AS id, holder, ${acquired} AS acquired, expires_at AS expires FROM ${table} ORDER BY 1`);
    for (const row of rows.iterate()) {
      const holder = String(row.holder ?? '');
      locks.push({ table, sessionId: String(row.id), holder, acquiredAt: secondsToMs(row.acquired), expiresAt: secondsToMs(row.expires), storedExpiry: typeof row.expires === 'number' || typeof row.expires === 'string' ? row.expires : null, holderState: holderState(holder) });
    }
  }
  return locks;
}
