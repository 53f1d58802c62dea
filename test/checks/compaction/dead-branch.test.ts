import { describe } from 'vitest';
import { checkCases, sessionId, type Case } from '../../helpers/check-cases.ts';
import { header, talk, type Row } from '../../helpers/openclaw-transcripts.ts';

const check = 'compaction/dead-branch';

function compacted(parents: (rows: Row[]) => (Row['parentId'] | undefined)[], headerless = false): Row[] {
  const t = talk();
  t.chat(2);
  for (const [i, parentId] of parents(t.rows).entries()) {
    t.row({ type: 'compaction', id: `c${i}`, summary: 'so far', firstKeptEntryId: t.rows[1]!.id!, tokensBefore: 9000, ...(parentId === undefined ? {} : { parentId }) });
  }
  t.chat(1);
  return headerless ? t.rows.map(({ id: _id, parentId: _parentId, ...rest }) => rest) : t.rows;
}

const cases: Case[] = [
  ['a retry beside the first try', { rows: compacted((rows) => [rows[4]!.id, rows[4]!.id]) }, [{ severity: 'info', line: 8, evidence: { parents: ['a0000004'], compactions: ['c0', 'c1'] } }]],
  ['three tries', { rows: compacted((rows) => [rows[4]!.id, rows[4]!.id, rows[4]!.id]) }, [{ evidence: { parents: ['a0000004'], compactions: ['c0', 'c1', 'c2'] } }]],

  ['one compaction', { rows: compacted(() => [undefined]) }, []],
  ['the same row written twice', { rows: compacted((rows) => [rows[4]!.id, rows[4]!.id]).map((row) => (row.id === 'c1' ? { ...row, id: 'c0' } : row)) }, []],
  ['one after the other', { rows: compacted(() => [undefined, undefined]) }, []],
  ['beside an abandoned user row', { rows: [...compacted(() => []), { type: 'compaction', id: 'c9', parentId: 'a0000004', summary: '', firstKeptEntryId: 'a0000001', tokensBefore: 1 }] }, []],
  ['version 1: no parents', { header: header(sessionId, { version: 1 }), rows: compacted(() => [undefined, undefined], true) }, []],
  ['in an archive', { key: null, file: `${sessionId}.jsonl.reset.2026-06-10T04-00-01.000Z`, rows: compacted((rows) => [rows[4]!.id, rows[4]!.id]) }, []],
];

describe(check, () => {
  checkCases(check, cases);
});
