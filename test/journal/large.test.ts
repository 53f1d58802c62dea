import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePlan, rescanAs } from '../../src/commands/planning.ts';
import { buildStore, day, minute, wrap } from '../helpers/opencode-store.ts';
import { contentsOf, journalBench } from '../helpers/journal.ts';
import { temporaryFolder } from '../helpers/paths.ts';
import { applyPlan } from '../../src/journal/apply.ts';

describe('a session of 10 000 messages', () => {
  it('is re-keyed whole and undone, in memory that does not hold it many times over', { timeout: 600_000 }, async () => {
    const folder = temporaryFolder();
    const store = buildStore(join(folder, 'opencode.db'));
    const session = store.session(wrap - 10 * day);
    store.talk(session, wrap - 9 * day, 4990);
    store.talk(session, wrap + minute, 10);
    store.close();
    const bench = journalBench();
    const options = { zone: 'UTC', now: Date.parse('2026-12-01T12:00:00Z') };
    const before = contentsOf(folder).length;
    const memory = process.memoryUsage().rss;
    const { plan } = await makePlan([folder], options, []);
    const result = await applyPlan(plan, JSON.stringify(plan), { journals: bench.journals, allowJudgement: true, steps: null, dryRun: false, waitMs: 0 }, rescanAs(plan.scan, undefined));
    await bench.undo(result.journal ?? '');
    expect(plan.steps.map((step) => step.fix)).toEqual(['rekey-prewrap-ids']);
    expect(result.rolledBack).toBeNull();
    expect(contentsOf(folder)).toHaveLength(before);
    expect(process.memoryUsage().rss - memory).toBeLessThan(400e6);
  });
});
