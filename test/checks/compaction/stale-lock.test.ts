import { describe, expect, it } from 'vitest';
import { readlinkSync } from 'node:fs';
import { holderState } from '../../../src/stores/hermes/locks.ts';
import { hermesCases } from '../../helpers/hermes-cases.ts';
import { startSeconds as ts } from '../../helpers/hermes.ts';

const now = Date.parse('2026-12-01T12:00:00Z') / 1000;
hermesCases('compaction/stale-lock', [
  ['a compression lock past its expiry', (store) => { store.session({ id: 'a' }); store.lock('a', ts + 300); }, [{ session: 'a', severity: 'warning', evidence: { expiresAt: '2026-08-05T09:05:00.000Z', table: 'compression_locks' }, fix: { id: 'remove-stale-lock', class: 'safe' } }]],
  ['a turn lease past its expiry', (store) => { store.session({ id: 'a' }); store.db.prepare('INSERT INTO session_turn_leases VALUES (?, ?, ?, ?)').run('a', 'x', ts, ts + 300); }, [{ session: 'a', evidence: { table: 'session_turn_leases' } }]],
  ['one finding a lock', (store) => { store.session({ id: 'a' }); store.lock('a', ts); store.lock('b', ts); }, [{ session: 'a' }, { session: 'b' }]],
  ['a live lock', (store) => { store.session({ id: 'a' }); store.lock('a', now + 100); }, []],
  ['no lock', (store) => void store.session({ id: 'a' }), []],
]);

describe('the holder of a lock', () => {
  const dead = 2 ** 22 + 12345;
  it('is probed only when it names this host', () => {
    expect(holderState(`cli:pid=${dead}:pidns=77:tid=1`, '77')).toBe('gone');
    expect(holderState(`cli:pid=${process.pid}:pidns=77:tid=1`, '77')).toBe('unknown');
    expect(holderState(`cli:pid=${dead}:pidns=78`, '77')).toBe('unknown');
    expect(holderState(`cli:pid=${dead}:tid=1`, '77')).toBe('unknown');
    expect(holderState('cli', '77')).toBe('unknown');
  });
  it.skipIf(process.platform !== 'linux')('knows the namespace of this process (skipped where /proc tells none)', () => {
    const own = /\[(\d+)\]/.exec(readlinkSync('/proc/self/ns/pid'))?.[1];
    expect(holderState(`cli:pid=${dead}:pidns=${own}`)).toBe('gone');
  });
});
