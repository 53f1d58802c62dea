import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkCases, sessionId, type Case } from '../../helpers/check-cases.ts';
import { header, talk, transcriptBytes, writeOpenclawStore } from '../../helpers/openclaw-transcripts.ts';
import { temporaryFolder } from '../../helpers/paths.ts';
import { scanUntouched } from '../../helpers/untouched.ts';

const check = 'transcript/truncated-tail';
const t = talk();
t.chat(2);
const cut = '{"type":"message","id":"a0000009","par';

const cases: Case[] = [
  ['a row that was never finished', { rows: [...t.rows, cut], ending: '' }, [{ severity: 'warning', line: 7, evidence: { lineNumber: 7, bytes: cut.length } }]],
  ['NUL bytes after the last newline', { rows: [...t.rows, Buffer.alloc(512)], ending: '' }, [{ evidence: { lineNumber: 7, bytes: 512 } }]],
  ['half a UTF-8 character', { rows: [...t.rows, Buffer.from('{"type":"label","label":"\u00e9').subarray(0, -1)], ending: '' }, [{ evidence: { lineNumber: 7, bytes: 26 } }]],
  ['half a header', { header: null, rows: ['{"type":"session","ver'], ending: '' }, [{ evidence: { lineNumber: 1, bytes: 22 } }]],
  ['in an archive: an info', { key: null, file: `${sessionId}.jsonl.deleted.2026-06-10T04-00-01.000Z`, rows: [...t.rows, cut], ending: '' }, [{ severity: 'info' }]],

  ['a complete last line without its newline', { rows: t.rows, ending: '' }, []],
  ['the same with CRLF line ends', { rows: t.rows, newline: '\r\n', ending: '' }, []],
  ['only a header', { rows: [] }, []],
  ['only a header without its newline', { rows: [], ending: '' }, []],
  ['an empty file', { header: null, rows: [], ending: '' }, []],
  ['blanks at the end', { rows: t.rows, ending: '\n  ' }, []],
  ['a malformed line that a newline ends', { rows: [...t.rows, cut] }, []],
];

describe(check, () => {
  checkCases(check, cases);

  const now = Date.now();
  const live: [string, { lock?: object; modified: number; lastRow: number }, number][] = [
    ['a lock whose process lives', { lock: { pid: process.pid, createdAt: new Date(now).toISOString() }, modified: now - 3_600_000, lastRow: now - 3_600_000 }, 0],
    ['written this second', { modified: now - 1000, lastRow: now - 60_000 }, 0],
    ['a copy made this second of an old file', { modified: now - 1000, lastRow: now - 30 * 86_400_000 }, 1],
    ['a lock whose process is gone', { lock: { pid: 2 ** 31 + 5, createdAt: new Date(now).toISOString() }, modified: now - 3_600_000, lastRow: now - 3_600_000 }, 1],
    ['written an hour ago', { modified: now - 3_600_000, lastRow: now - 3_600_000 }, 1],
    ['a time in the future', { modified: now + 3_600_000, lastRow: now }, 1],
  ];
  it.each(live)('%s', async (_name, { lock, modified, lastRow }, count) => {
    const store = writeOpenclawStore(temporaryFolder(), [{ id: sessionId, rows: [] }]);
    const sessions = join(store, 'agents/main/sessions');
    const path = join(sessions, `${sessionId}.jsonl`);
    mkdirSync(sessions, { recursive: true });
    const row = { type: 'label', id: 'a0', parentId: null, timestamp: new Date(lastRow).toISOString() };
    writeFileSync(path, transcriptBytes({ id: sessionId, header: header(sessionId), rows: [row, cut], ending: '' }));
    utimesSync(path, modified / 1000, modified / 1000);
    if (lock) writeFileSync(`${path}.lock`, JSON.stringify(lock));
    const result = await scanUntouched(store, { check: [check], now });
    expect(result.findings).toHaveLength(count);
  });
});
