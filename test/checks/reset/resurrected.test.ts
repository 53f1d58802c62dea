import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { copyOf, sampleData } from '../../helpers/paths.ts';
import { scanUntouched } from '../../helpers/untouched.ts';

const session = '20260805_210216_2c9e2a';
const at = (time: string): number => Date.parse(time) / 1000;

const cases: [name: string, sql: string[], found: string[]][] = [
  ['used across the boundary after its expiry was processed', [], ['boundary 2026-08-06T03:00:00.000Z']],
  ['its expiry was not processed', [`UPDATE sessions SET expiry_finalized = 0 WHERE id = '${session}'`], []],
  ['processed, and no message since', [`UPDATE messages SET timestamp = ${at('2026-08-05T20:30:00Z')} WHERE session_id = '${session}'`], []],
  ['ended, and a message hours later', [`UPDATE sessions SET ended_at = ${at('2026-08-06T03:00:30Z')}, end_reason = 'agent_close' WHERE id = '${session}'`], ['end 2026-08-06T03:00:30.000Z']],
  ['ended, and the agent flushed within two minutes', [`UPDATE sessions SET ended_at = ${at('2026-08-06T07:59:00Z')}, end_reason = 'daily' WHERE id = '${session}'`], []],
];

describe('reset/resurrected', () => {
  it.each(cases)('%s', async (_name, sql, found) => {
    const store = copyOf(join(sampleData, 'hermes-resets/store'));
    const db = new Database(join(store, 'state.db'));
    for (const statement of sql) db.exec(statement);
    db.close();
    const { findings } = await scanUntouched(store, { check: ['reset/resurrected'], zone: 'Europe/Lisbon' });
    expect(findings.map((finding) => `${finding.evidence.by} ${finding.evidence.expiredAt}`)).toEqual(found);
    expect(findings.every((finding) => finding.session === session && finding.severity === 'warning')).toBe(true);
  });
});
