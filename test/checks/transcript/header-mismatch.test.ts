import { describe, expect, it } from 'vitest';
import { checkCases, findingsOf, sessionId, type Case } from '../../helpers/check-cases.ts';
import { header, talk } from '../../helpers/openclaw-transcripts.ts';

const check = 'transcript/header-mismatch';
const other = '0efb1ee3-6d38-48ab-8c71-19f4769e29af';
const t = talk();
t.chat(2);

const cases: Case[] = [
  ['the header names another session', { header: header(other), rows: t.rows }, [{ severity: 'warning', line: 1, evidence: { headerId: other, fileId: sessionId } }]],
  ['also where no entry names the file', { key: null, header: header(other), rows: t.rows }, [{ evidence: { headerId: other, fileId: sessionId } }]],
  ['the entry moved on to a new id and kept the old file', { file: `${other}.jsonl`, header: header(other), rows: t.rows }, [{ evidence: { headerId: other, fileId: other, entrySessionId: sessionId } }]],
  ['also in a file named by its time', { file: `2026-06-09T12-00-00-606Z_${sessionId}.jsonl`, header: header(other), rows: t.rows }, [{ evidence: { headerId: other, fileId: sessionId } }]],

  ['all three agree', { rows: t.rows }, []],
  ['a topic variant', { file: `${sessionId}-topic-17.jsonl`, rows: t.rows }, []],
  ['a fork or a branch of a checkpoint, named by its time', { file: `2026-06-09T12-00-00-606Z_${sessionId}.jsonl`, rows: t.rows }, []],
  ['an id that is no UUID', { id: 'boot-2026-06-09_12-00-00', rows: t.rows }, []],
  ['a fork: its parent is another session', { header: header(sessionId, { parentSession: `/srv/sessions/${other}.jsonl` }), rows: t.rows }, []],
  ['an absolute path of the host that wrote it', { entry: { sessionFile: `/home/claw/.openclaw/agents/main/sessions/${sessionId}.jsonl` }, rows: t.rows }, []],
  ['no header at all is another check', { header: null, rows: t.rows }, []],
  ['in an archive', { key: null, file: `${sessionId}.jsonl.reset.2026-06-10T04-00-01.000Z`, header: header(other), rows: t.rows }, []],
  ['in a checkpoint', { key: null, file: `${sessionId}.checkpoint.034e1913-7851-4de8-a1dc-b646171754e3.jsonl`, header: header(other), rows: t.rows }, []],
];

describe(check, () => {
  checkCases(check, cases);

  it('leaves an entry with a file of its own to index/stale-session-file', async () => {
    const found = await findingsOf(check, [
      { id: sessionId, entry: { sessionFile: `${other}.jsonl` }, rows: t.rows },
      { id: other, rows: t.rows },
    ]);
    expect(found).toEqual([]);
  });
});
