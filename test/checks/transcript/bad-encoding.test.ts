import { describe } from 'vitest';
import { checkCases, sessionId, type Case } from '../../helpers/check-cases.ts';
import { talk } from '../../helpers/openclaw-transcripts.ts';

const check = 'transcript/bad-encoding';
const t = talk();
t.chat(2);
t.user('größe 港口 ⚓ 👩‍🚀 \u0000 \ud83d\ude00');

/** A row whose text holds these bytes. */
function rowWith(bytes: string): Buffer {
  return Buffer.concat([Buffer.from('{"type":"custom","id":"b","parentId":null,"data":"'), Buffer.from(bytes, 'hex'), Buffer.from('"}')]);
}
const found = [{ severity: 'warning', line: 8, evidence: { lineNumbers: [8], lines: 1 } }];

const cases: Case[] = [
  ['Latin-1', { rows: [...t.rows, rowWith('67f6df65')] }, found],
  ['a lone continuation byte', { rows: [...t.rows, rowWith('80')] }, found],
  ['an overlong form', { rows: [...t.rows, rowWith('c0af')] }, found],
  ['a surrogate written as UTF-8', { rows: [...t.rows, rowWith('eda080')] }, found],
  ['a cut character', { rows: [...t.rows, rowWith('e6b8')] }, found],
  ['in an archive: an info', { key: null, file: `${sessionId}.jsonl.reset.2026-06-10T04-00-01.000Z`, rows: [...t.rows, rowWith('ff')] }, [{ severity: 'info' }]],

  ['all of Unicode', { rows: t.rows }, []],
  ['a lone surrogate as an escape', { rows: [...t.rows, '{"type":"custom","id":"b","parentId":null,"data":"\\ud83d"}'] }, []],
  ['the replacement character itself', { rows: [...t.rows, rowWith('efbfbd')] }, []],
  ['a byte order mark', { header: `\ufeff{"type":"session","version":3,"id":"${sessionId}"}`, rows: t.rows }, []],
];

describe(check, () => {
  checkCases(check, cases);
});
