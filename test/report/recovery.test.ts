import { describe, expect, it } from 'vitest';
import { renderRecovery, type RecoveryRow, type RecoverySummary } from '../../src/report/recovery.ts';

const row = (fields: Partial<RecoveryRow>): RecoveryRow => ({
  checkId: 'store/quarantined-copy', store: 'hermes:/h/state.db', session: null, sessionKey: null, source: 'state.db.retired-wal-1', expected: 0, rows: 7, present: 7, repeated: 0, sessions: 0, notes: [], problem: null, written: 0, texts: 0, notFound: 0, unit: 'row', jsonl: null, markdown: null,
  ...fields,
});

function render(summary: Partial<RecoverySummary>): string {
  return renderRecovery({ rows: [], unsearched: [], folder: '/out', ...summary }, { color: false, verbose: false, quiet: false, width: 80, paths: [] }).replace(/\s+/g, ' ').trim();
}

describe('what recover says', () => {
  it.each<[string, Partial<RecoverySummary>, RegExp[], RegExp[]]>([
    ['nothing at all', {}, [/^Nothing is hidden that could be written out\.$/], []],
    ['a copy with rows that the store lacks: counts that add up, and what to do with them', { rows: [row({ expected: 3, written: 3, texts: 3, present: 4, sessions: 2, jsonl: '01.jsonl', markdown: '01.md' })] }, [/store\/quarantined-copy state\.db\.retired-wal-1 3 rows of 3 written from 2 sessions; 7 rows read, 4 of them are in the store/, /3 written to \/out/, /Next: read the \.md files/], [/no longer needed/]],
    ['a copy of which the store has everything', { rows: [row({})] }, [/^state\.db\.retired-wal-1 7 rows read, the store has all of them Nothing was written\./, /no longer needed/], [/read the \.md files/]],
    ['a copy whose rows an earlier one had', { rows: [row({ present: 5, repeated: 2 })] }, [/5 of them are in the store, 2 are written already/], []],
    ['a copy that cannot be read', { rows: [row({ rows: 0, present: 0, problem: 'the header holds only zero bytes', notes: ['It has no manifest.'] })] }, [/store\/quarantined-copy state\.db\.retired-wal-1 not readable: the header holds only zero bytes It has no manifest\./, /keep what is not readable/], [/no longer needed/]],
    ['rows that were not reached', { rows: [row({ expected: 3, written: 1, texts: 1, present: 4, notFound: 2, jsonl: 'a', markdown: 'b' })] }, [/1 row of 3 written, 2 have no text that could be found/], []],
    ['a damaged database', { unsearched: [{ path: '/h/state.db', reason: 'the file has 0 bytes' }] }, [/^state\.db damaged, so nothing could be looked for in it: the file has 0 bytes Nothing was written/, /explain db\/corrupt/], [/Nothing is hidden/]],
    ['stranded rows can be put back', { rows: [row({ checkId: 'compaction/stranded-rows', source: null, rows: undefined, expected: 2, written: 2, texts: 2, jsonl: 'a', markdown: 'b' })] }, [/2 rows of 2 written/, /reinstate-stranded-rows/], []],
    ['control characters stay out of the terminal', { rows: [row({ source: 'x\u001b[31m', problem: 'y\u0007' })] }, [/not readable/], [/[\u0007\u001b]/]],
  ])('%s', (_name, summary, wanted, absent) => {
    const text = render(summary);
    for (const pattern of wanted) expect(text).toMatch(pattern);
    for (const pattern of absent) expect(text).not.toMatch(pattern);
  });
});
