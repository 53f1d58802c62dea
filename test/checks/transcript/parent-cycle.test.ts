import { describe } from 'vitest';
import { checkCases, sessionId, type Case } from '../../helpers/check-cases.ts';
import { header, talk, type Row } from '../../helpers/openclaw-transcripts.ts';
import type { Reader } from '../../../src/model/version.ts';

const check = 'transcript/parent-cycle';
const newer: Reader[] = [{ product: 'openclaw', version: '2026.9.6', source: 'option' }];

function rowsOf(change: (rows: Row[], t: ReturnType<typeof talk>) => void): Row[] {
  const t = talk();
  t.chat(4);
  change(t.rows, t);
  return t.rows;
}
const ring = rowsOf((rows) => { rows[3]!.parentId = rows[6]!.id!; });

const cases: Case[] = [
  ['four rows in a ring', { rows: ring }, [{ severity: 'error', line: 5, evidence: { rows: ['a0000003', 'a0000006', 'a0000005', 'a0000004'] } }]],
  ['the newest row is in it', { rows: rowsOf((rows) => { rows[7]!.parentId = rows[8]!.id!; }) }, [{ severity: 'error', evidence: { rows: ['a0000007', 'a0000008'] } }]],
  ['a row that is its own parent', { rows: rowsOf((rows) => { rows[4]!.parentId = rows[4]!.id!; }) }, [{ severity: 'error', evidence: { rows: ['a0000004'] } }]],
  ['two rings', { rows: rowsOf((rows) => { rows[2]!.parentId = rows[3]!.id!; rows[6]!.parentId = rows[7]!.id!; }) }, [{ evidence: { rows: ['a0000002', 'a0000003'] } }, { evidence: { rows: ['a0000006', 'a0000007'] } }]],
  ['beside the branch that is followed', { rows: rowsOf((rows) => { rows.splice(4, 0, { ...rows[4]!, id: 'b1', parentId: 'b2' }, { ...rows[4]!, id: 'b2', parentId: 'b1' }); }) }, [{ severity: 'warning', evidence: { rows: ['b1', 'b2'] } }]],
  ['for a reader that takes a parent to come for an unknown one', { rows: ring }, [{ severity: 'warning' }], { readers: newer }],

  ['a talk', { rows: rowsOf(() => {}) }, []],
  ['a parent that comes later in the file', { rows: rowsOf((rows) => { rows.push(rows.splice(3, 1)[0]!); }) }, []],
  ['a leaf control that goes back to its parent', { rows: rowsOf((_rows, t) => { const last = t.lastId(); t.row({ type: 'leaf', targetId: last, appendParentId: last }); t.chat(1); }) }, []],
  ['a leaf control that names itself', { rows: rowsOf((_rows, t) => { t.row({ type: 'leaf', id: 'leaf1', targetId: null }); t.user('on', {}, { parentId: 'leaf1' }); }) }, []],
  ['an id that stands twice is another check', { rows: rowsOf((rows) => { rows[7]!.id = rows[2]!.id!; rows[2]!.parentId = rows[6]!.id!; }) }, []],
  ['version 1: its reader links rows anew', { header: header(sessionId, { version: 1 }), rows: ring }, []],
  ['in an archive', { key: null, file: `${sessionId}.jsonl.deleted.2026-06-10T04-00-01.000Z`, rows: ring }, []],
];

describe(check, () => {
  checkCases(check, cases);
});
