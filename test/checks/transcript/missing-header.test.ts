import { describe } from 'vitest';
import { checkCases, sessionId, type Case } from '../../helpers/check-cases.ts';
import { header, talk } from '../../helpers/openclaw-transcripts.ts';

const check = 'transcript/missing-header';
const t = talk();
t.chat(2);
const rowsFound = { severity: 'error', line: 1, evidence: { rows: 5, headerLine: null } };

const cases: Case[] = [
  ['the first row is another one', { header: null, rows: t.rows }, [rowsFound]],
  ['the header line is damaged', { header: '{"type":"session","ver', rows: t.rows }, [rowsFound]],
  ['the header stands further down', { header: null, rows: [t.rows[0]!, header(sessionId), ...t.rows.slice(1)] }, [{ evidence: { rows: 6, headerLine: 2 } }]],
  ['the header has no id', { header: { type: 'session', version: 3, timestamp: '2026-06-09T12:00:00.000Z' }, rows: t.rows }, [{ severity: 'error' }]],
  ['an empty file of a session that was in use', { header: null, rows: [], ending: '' }, [{ severity: 'error', confidence: 'likely', evidence: { bytes: 0 } }]],
  ['in an archive: an info', { key: null, file: `${sessionId}.jsonl.reset.2026-06-10T04-00-01.000Z`, header: null, rows: t.rows }, [{ severity: 'info' }]],

  ['version 3', { rows: t.rows }, []],
  ['version 4', { header: header(sessionId, { version: 4 }), rows: t.rows }, []],
  ['version 2', { header: header(sessionId, { version: 2 }), rows: t.rows }, []],
  ['version 1: no version', { header: { type: 'session', id: sessionId, timestamp: '2026-06-09T12:00:00.000Z', cwd: '/' }, rows: [{ type: 'message', message: { role: 'user', content: 'hi' } }] }, []],
  ['a byte order mark', { header: `\ufeff${JSON.stringify(header(sessionId))}`, rows: t.rows }, []],
  ['CRLF line ends', { rows: t.rows, newline: '\r\n' }, []],
  ['only a header', { rows: [] }, []],
  ['an empty file of a session that was never used', { header: null, rows: [], ending: '', entry: { lastInteractionAt: Date.parse('2026-06-09T12:00:00Z') } }, []],
  ['an empty file that waits for its first row', { header: null, rows: [], ending: '', entry: { initializationPending: true } }, []],
  ['an empty file that no entry names', { key: null, header: null, rows: [], ending: '' }, []],
  ['a checkpoint', { key: null, file: `${sessionId}.checkpoint.034e1913-7851-4de8-a1dc-b646171754e3.jsonl`, header: null, rows: t.rows }, []],
  ['a runtime trace', { key: null, file: `${sessionId}.trajectory.jsonl`, header: null, rows: t.rows }, []],
];

describe(check, () => {
  checkCases(check, cases);
});
