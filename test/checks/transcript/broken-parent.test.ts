import { describe } from 'vitest';
import { checkCases, sessionId, type Case } from '../../helpers/check-cases.ts';
import { header, talk, type RawRow, type Row } from '../../helpers/openclaw-transcripts.ts';
import type { Reader } from '../../../src/model/version.ts';

const check = 'transcript/broken-parent';
const newer: Reader[] = [{ product: 'openclaw', version: '2026.9.6', source: 'option' }];
const older: Reader[] = [{ product: 'openclaw', version: '2026.7.1-2', source: 'option' }];

function rowsOf(change: (rows: Row[], t: ReturnType<typeof talk>) => void): Row[] {
  const t = talk();
  t.chat(3);
  change(t.rows, t);
  return t.rows;
}
const broken = rowsOf((rows) => { rows[5]!.parentId = 'fffffff1'; });
const found = { line: 7, evidence: { missingParent: 'fffffff1', rows: ['a0000005'], messagesBefore: 4 } };
const lostLine = (): RawRow[] => {
  const rows: RawRow[] = rowsOf(() => {});
  rows[3] = JSON.stringify(rows[3]).slice(0, 40);
  return rows;
};

const cases: Case[] = [
  ['a parent that is no row', { rows: broken }, [{ severity: 'error', ...found }]],
  ['for 2026.7.1-2, which stops there', { rows: broken }, [{ severity: 'error', ...found }], { readers: older }],
  ['for a reader that links it to the row before', { rows: broken }, [{ severity: 'warning', ...found }], { readers: newer }],
  ['two rows with one missing parent', { rows: rowsOf((rows) => { rows[3]!.parentId = 'fffffff1'; rows[5]!.parentId = 'fffffff1'; }) }, [{ line: 5, evidence: { rows: ['a0000003', 'a0000005'] } }]],
  ['two missing parents', { rows: rowsOf((rows) => { rows[3]!.parentId = 'fffffff1'; rows[5]!.parentId = 'fffffff2'; }) }, [{ severity: 'error', evidence: { missingParent: 'fffffff1' } }, { severity: 'error', evidence: { missingParent: 'fffffff2' } }]],
  ['the parent was on a line that is damaged', { rows: lostLine() }, [{ line: 6, evidence: { missingParent: 'a0000003' } }]],
  ['the first row: the beginning is gone', { rows: rowsOf((rows) => { rows[0]!.parentId = 'fffffff1'; }) }, [{ severity: 'error', evidence: { messagesBefore: 0 } }]],
  ['on an abandoned branch: an info', { rows: rowsOf((rows) => { rows.splice(5, 0, { ...rows[5]!, id: 'b0000001', parentId: 'fffffff1', appendMode: 'side' }); }) }, [{ severity: 'info', evidence: { rows: ['b0000001'] } }]],

  ['every parent is there', { rows: rowsOf(() => {}) }, []],
  ['a root that names the session', { rows: rowsOf((rows) => { rows[0]!.parentId = sessionId; }) }, []],
  ['parents that come later in the file', { rows: rowsOf((rows) => { rows.push(rows.splice(2, 1)[0]!); rows.push({ ...rows[5]!, id: 'b0000001', parentId: String(rows[5]!.id) }); }) }, []],
  ['two children of one row', { rows: rowsOf((rows, t) => { t.user('instead', {}, { parentId: rows[4]!.id! }); }) }, []],
  ['a side append and a leaf control', { rows: rowsOf((_rows, t) => {
    const last = t.lastId();
    t.row({ type: 'custom', customType: 'note', data: {}, appendMode: 'side' });
    t.row({ type: 'leaf', targetId: last, appendParentId: last });
    t.chat(1);
  }) }, []],
  ['a leaf control to a row that is not there: it is ignored', { rows: rowsOf((_rows, t) => { const last = t.lastId(); t.row({ type: 'leaf', targetId: 'fffffff1', parentId: 'fffffff2' }); t.user('on', {}, { parentId: last }); }) }, []],
  ['a label of a row that is not there', { rows: rowsOf((_rows, t) => { t.row({ type: 'label', targetId: 'fffffff1', label: 'x' }); }) }, []],
  ['a compaction that keeps from a row that is not there', { rows: rowsOf((_rows, t) => { t.row({ type: 'compaction', summary: '', firstKeptEntryId: 'fffffff1', tokensBefore: 1 }); }) }, []],
  ['rows without parentId', { rows: rowsOf((rows) => { for (const row of rows) delete row.parentId; }) }, []],
  ['version 1: its reader links rows anew', { header: header(sessionId, { version: 1 }), rows: broken }, []],
  ['a truncated transcript, its first row linked to nothing', { rows: rowsOf((rows) => { rows.splice(0, 3); rows[0]!.parentId = null; }) }, []],
  ['in an archive', { key: null, file: `${sessionId}.jsonl.reset.2026-06-10T04-00-01.000Z`, rows: broken }, []],
  ['in a checkpoint', { key: null, file: `${sessionId}.checkpoint.034e1913-7851-4de8-a1dc-b646171754e3.jsonl`, rows: broken }, []],
];

describe(check, () => {
  checkCases(check, cases);
});
