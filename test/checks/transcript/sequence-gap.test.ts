import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { talk, writeAgentDatabase } from '../../helpers/agent-database.ts';
import { temporaryFolder } from '../../helpers/paths.ts';
import { scanUntouched } from '../../helpers/untouched.ts';

const sessionId = '11111111-2222-4333-8444-555555555555';
const sessionKey = 'agent:main:main';
const start = Date.parse('2026-09-10T08:00:00Z');

describe('transcript/sequence-gap', () => {
  it.each([
    ['a gap in the middle', [0, 1, 2, 5, 6, 7, 8], { events: 7, firstSeq: 0, lastSeq: 8, missing: 2 }],
    ['the beginning is gone', [3, 4, 5, 6, 7, 8, 9], { events: 7, firstSeq: 3, lastSeq: 9, missing: 3 }],
    ['numbered from 0', [0, 1, 2, 3, 4, 5, 6], null],
  ] as const)('%s', async (_name, seqs, evidence) => {
    const state = temporaryFolder();
    writeAgentDatabase(join(state, 'agents/main/agent/openclaw-agent.sqlite'), [{ sessionId, sessionKey, createdAt: start, events: talk(sessionId, start, 6), seqs: [...seqs] }]);
    const { findings } = await scanUntouched(state, { check: ['transcript/sequence-gap'] });
    expect(findings.map((finding) => [finding.session, finding.sessionKey, finding.evidence])).toEqual(evidence ? [[sessionId, sessionKey, evidence]] : []);
  });

  it('finds a transcript that does not begin with a header, also when it begins with a reset', async () => {
    for (const [first, firstEvent] of [[{ ...talk(sessionId, start, 1)[1], id: 'first' }, 'message'], [{ type: 'reset', id: 'r', parentId: null, timestamp: '2026-09-10T08:00:00.000Z', reason: 'reset' }, 'reset']] as const) {
      const state = temporaryFolder();
      writeAgentDatabase(join(state, 'agents/main/agent/openclaw-agent.sqlite'), [{ sessionId, sessionKey, createdAt: start, events: [first, ...talk(sessionId, start, 3).slice(1)] }]);
      const { findings } = await scanUntouched(state, { check: ['transcript/sequence-gap', 'transcript/missing-header'] });
      expect(findings.map((finding) => [finding.checkId, finding.session, finding.evidence])).toEqual([['transcript/sequence-gap', sessionId, { events: 4, firstSeq: 0, lastSeq: 3, missing: 0, firstEvent }]]);
    }
  });

  it('counts compressed events and says nothing of a window without events', async () => {
    const state = temporaryFolder();
    const packed = Buffer.from('28b52ffd04586500003068656c6c6f0a0100e14a11ef0812e1', 'hex');
    writeAgentDatabase(join(state, 'agents/main/agent/openclaw-agent.sqlite'), [
      { sessionId, sessionKey, createdAt: start, events: [...talk(sessionId, start, 2), packed] },
      { sessionId: '22222222-2222-4333-8444-555555555555', sessionKey: 'agent:main:other', createdAt: start, events: [] },
    ]);
    const { findings } = await scanUntouched(state, { check: ['transcript/sequence-gap'] });
    expect(findings).toEqual([]);
  });
});
