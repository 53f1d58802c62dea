import { describe } from 'vitest';
import { ambientTranscript, night, uuid } from '../../helpers/openclaw-state.ts';
import { stateCases, type StateCase } from '../../helpers/state-cases.ts';

const files = { [`${uuid(1)}.jsonl`]: ambientTranscript(uuid(1), night, [1]) };
const whole = JSON.stringify({ 'agent:main:main': { sessionId: uuid(1), updatedAt: night } });

const cases: StateCase[] = [
  ['no bytes', { index: '', files }, [{ bytes: 0, state: 'empty', liveTranscripts: 1 }]],
  ['only blanks', { index: ' \n ', files }, [{ bytes: 3, state: 'empty' }]],
  ['cut in the middle', { index: whole.slice(0, 40), files }, [{ bytes: 40, state: 'not-json' }]],
  ['NUL bytes', { index: '\0'.repeat(64), files }, [{ bytes: 64, state: 'not-json' }]],
  ['two objects, one after the other', { index: whole + whole, files }, [{ bytes: whole.length * 2, state: 'not-json' }]],
  ['an array', { index: '[]', files }, [{ bytes: 2, state: 'not-object' }]],
  ['older copies are named', { index: '', files: { ...files, 'sessions.json.41.0a1b.tmp': whole, 'sessions.json.bak.1': whole } }, [{ olderCopies: ['sessions.json.41.0a1b.tmp', 'sessions.json.bak.1'] }]],

  ['whole', { index: whole, files }, []],
  ['an empty object', { index: '{}', files }, []],
  ['a byte order mark', { index: `\ufeff${whole}`, files }, []],
  ['none at all', { index: null, files }, []],
];

describe('index/corrupt', () => {
  stateCases('index/corrupt', cases, { session: null, severity: 'error' });
});
