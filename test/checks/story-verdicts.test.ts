import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectSessions } from '../../src/checks/collect-sessions.ts';
import { sampleData } from '../helpers/paths.ts';
import { untouched } from '../helpers/untouched.ts';

const now = Date.parse('2026-12-01T12:00:00Z');

async function verdicts(store: string, session: string, zone: string): Promise<string[]> {
  const path = join(sampleData, store, 'store');
  const { sessions, errors } = await untouched(path, () => collectSessions(session, [path], { zone, now }));
  expect(errors).toEqual([]);
  return sessions.flatMap((story) => story.segments.map(({ end, details }) => `${end} ${details.verdict ?? '-'} ${details.cause ?? '-'}`));
}

describe('the life of a session tells why each stretch ended', () => {
  it.each([
    ['UTC', ['deleted explained delete', 'reset explained daily', 'live - -']],
    ['Europe/Berlin', ['deleted explained delete', 'reset zone-mismatch daily', 'live - -']],
  ])('the night of the report in %s', async (zone, expected) => {
    expect(await verdicts('reset-night', '-1001764402291', zone)).toEqual(expected);
  });

  it('a Hermes session that was closed and not taken up again', async () => {
    expect(await verdicts('hermes-resets', '20260806_100000_c03cb6', 'Europe/Lisbon')).toEqual([expect.stringMatching(/\(agent_close\) unexplained -$/)]);
  });
});
