import { describe } from 'vitest';
import type { Json } from '../../../src/model/finding.ts';
import { ambientTranscript, night, uuid } from '../../helpers/openclaw-state.ts';
import { stateCases, type StateCase } from '../../helpers/state-cases.ts';

const good = '["telegram","default","-1001",""]';
const value = { sessionId: uuid(1), messageId: '7', timestampMs: night, updatedAt: night };
const files = { [`${uuid(1)}.jsonl`]: ambientTranscript(uuid(1), night, [7]) };
const marked = (watermarks: { [key: string]: Json }): StateCase[1] => ({ index: { 'agent:main:telegram:group:-1001': { sessionId: uuid(1), updatedAt: night, ambientTranscriptWatermarks: watermarks } }, files });

const cases: StateCase[] = [
  ['a key that is a word', marked({ telegram: value }), [{ watermarkKey: 'telegram', wrong: ['key'] }]],
  ['a key of three parts', marked({ '["telegram","default","-1001"]': value }), [{ wrong: ['key'] }]],
  ['a key with a number in it', marked({ '["telegram","default",-1001,""]': value }), [{ wrong: ['key'] }]],
  ['a key that is broken JSON', marked({ '["telegram': value }), [{ wrong: ['key'] }]],
  ['a value that is no object', marked({ [good]: '7' }), [{ watermarkKey: good, wrong: ['value'] }]],
  ['a numeric message id', marked({ [good]: { ...value, messageId: 7 } }), [{ wrong: ['messageId'] }]],
  ['no message id', marked({ [good]: { sessionId: uuid(1) } }), [{ wrong: ['messageId'] }]],
  ['times that are texts', marked({ [good]: { ...value, timestampMs: '2026', updatedAt: '2026' } }), [{ wrong: ['timestampMs', 'updatedAt'] }]],
  ['a session id that is a number', marked({ [good]: { ...value, sessionId: 1 } }), [{ wrong: ['sessionId'] }]],

  ['a good one', marked({ [good]: value }), []],
  ['without session id: early builds', marked({ [good]: { messageId: '7', updatedAt: night } }), []],
  ['without time', marked({ [good]: { sessionId: uuid(1), messageId: '7', updatedAt: night } }), []],
  ['no account, but a thread', marked({ '["telegram","","-1001","17"]': value }), []],
  ['the key of a fork', marked({ 'wat:telegram:default:-1001:': value }), []],
];

describe('watermark/malformed', () => {
  stateCases('watermark/malformed', cases, { severity: 'warning' });
});
