import { describe, expect, it } from 'vitest';
import { checkCases, findingsOf, sessionId, type Case } from '../../helpers/check-cases.ts';
import { header, talk, type Row } from '../../helpers/openclaw-transcripts.ts';

const check = 'transcript/duplicate-id';
const t = talk();
t.chat(3);

function withId(row: number, id: string): Row[] {
  return t.rows.map((each, i) => (i === row ? { ...each, id } : each));
}
const third = String(t.rows[2]!.id);

const cases: Case[] = [
  ['two different rows', { rows: withId(4, third) }, [{ severity: 'error', line: 6, evidence: { id: third, lineNumbers: [4, 6], identical: false } }]],
  ['one row three times', { rows: [...t.rows, t.rows[2]!, t.rows[2]!] }, [{ severity: 'warning', line: 9, evidence: { id: third, lineNumbers: [4, 9, 10], identical: true } }]],
  ['once the same and once not', { rows: [...t.rows, t.rows[2]!, { ...t.rows[2]!, label: 'x' }] }, [{ severity: 'error', evidence: { lineNumbers: [4, 9, 10], identical: false } }]],
  ['two ids', { rows: [...t.rows, t.rows[1]!, t.rows[2]!] }, [{ evidence: { lineNumbers: [3, 9] } }, { evidence: { lineNumbers: [4, 10] } }]],

  ['every id once', { rows: t.rows }, []],
  ['ids of two lengths, an abandoned sibling', { rows: [...t.rows, { ...t.rows[6]!, id: '8818cd78-904c-4dba-8c6b-f4b66a6e0275' }] }, []],
  ['rows without ids, version 1', { header: { type: 'session', id: sessionId }, rows: [{ type: 'message' }, { type: 'message' }] }, []],
  ['equal ids in version 1: its reader numbers rows anew', { header: header(sessionId, { version: 1 }), rows: withId(4, third) }, []],
  ['equal text under two ids', { rows: [...t.rows, { ...t.rows[2]!, id: 'b0000001' }] }, []],
  ['ids that differ in case', { rows: withId(4, third.toUpperCase()) }, []],
  ['in an archive', { key: null, file: `${sessionId}.jsonl.reset.2026-06-10T04-00-01.000Z`, rows: withId(4, third) }, []],
  ['the id of the session', { rows: withId(4, sessionId) }, []],
];

describe(check, () => {
  checkCases(check, cases);

  it('sums up a transcript that was pasted into itself', async () => {
    const long = talk();
    long.chat(150);
    const found = await findingsOf(check, [{ id: sessionId, rows: [...long.rows, ...long.rows] }]);
    expect(found).toHaveLength(101);
    expect(found.find((finding) => finding.evidence.id === null)).toMatchObject({ severity: 'warning', evidence: { ids: 201, identical: true } });
  });
});
