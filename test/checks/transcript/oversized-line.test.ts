import { describe } from 'vitest';
import { checkCases, type Case } from '../../helpers/check-cases.ts';
import { talk } from '../../helpers/openclaw-transcripts.ts';

const check = 'transcript/oversized-line';
const limit = 64 * 1024 * 1024;

function rowOf(bytes: number): Buffer {
  const frame = '{"type":"custom","id":"big","parentId":null,"data":""}';
  return Buffer.concat([Buffer.from(frame.slice(0, -2)), Buffer.alloc(bytes - frame.length, 'x'), Buffer.from(frame.slice(-2))]);
}

const t = talk();
t.chat(2);

const cases: Case[] = [
  ['one byte above the limit', { rows: [...t.rows, rowOf(limit + 1), '{"type":"label"}'] }, [{ severity: 'warning', line: 7, evidence: { lineNumbers: [7], bytes: [limit + 1] } }]],
  ['exactly the limit', { rows: [...t.rows, rowOf(limit)] }, []],
  ['many short lines', { rows: t.rows }, []],
];

describe(check, () => {
  checkCases(check, cases);
});
