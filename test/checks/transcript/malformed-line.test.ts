import { describe } from 'vitest';
import { checkCases, type Case } from '../../helpers/check-cases.ts';
import { talk, type RawRow } from '../../helpers/openclaw-transcripts.ts';

const check = 'transcript/malformed-line';

function withLine(line: RawRow, at = 3): RawRow[] {
  const t = talk();
  t.chat(3);
  return [...t.rows.slice(0, at), line, ...t.rows.slice(at)];
}

const healthy = withLine('').filter((row) => row !== '');
const found = (line: number): { severity: string; line: number; evidence: { lineNumbers: number[] } }[] => [{ severity: 'error', line, evidence: { lineNumbers: [line] } }];

const cases: Case[] = [
  ['a row cut in the middle', { rows: withLine('{"type":"message","id":"dead') }, found(5)],
  ['the literal undefined', { rows: withLine('undefined') }, found(5)],
  ['two objects glued together', { rows: withLine('{"type":"label","id":"x"}{"type":"label","id":"y"}') }, found(5)],
  ['a raw control character in a string', { rows: withLine('{"type":"label","id":"x\u0001"}') }, found(5)],
  ['NUL bytes', { rows: withLine(Buffer.alloc(40)) }, found(5)],
  ['an array', { rows: withLine('[1,2]') }, found(5)],
  ['a text', { rows: withLine('"type"') }, found(5)],
  ['null', { rows: withLine('null') }, found(5)],
  ['the header itself', { header: '{"type":"session","ver', rows: healthy }, found(1)],
  ['the last line, when a newline follows it', { rows: [...healthy, '{"type":"mess'] }, found(9)],
  ['two lines, one finding', { rows: withLine('x', 2).concat('y') }, [{ evidence: { lineNumbers: [4, 10], lines: 2 } }]],
  ['in an archive: an info, no reader meets it', { key: null, file: '5b1c7f5e-0000-4000-8000-000000000001.jsonl.reset.2026-06-10T04-00-01.000Z', rows: withLine('x') }, [{ severity: 'info' }]],

  ['a healthy talk', { rows: healthy }, []],
  ['in the copy that a repair put aside', { key: null, file: '5b1c7f5e-0000-4000-8000-000000000001.jsonl.bak-4121-1781010000000', rows: withLine('x') }, []],
  ['in a corrupt copy', { key: null, file: '5b1c7f5e-0000-4000-8000-000000000001.jsonl.corrupt-2026-06-10T04-00-01-000Z-0badcafe.jsonl', rows: withLine('x') }, []],
  ['in a runtime trace', { key: null, file: '5b1c7f5e-0000-4000-8000-000000000001.trajectory.jsonl', rows: withLine('x') }, []],
  ['CRLF line ends', { rows: healthy, newline: '\r\n' }, []],
  ['a byte order mark', { header: Buffer.from('\ufeff{"type":"session","version":3,"id":"5b1c7f5e-0000-4000-8000-000000000001","timestamp":"2026-06-09T12:00:00.000Z"}'), rows: healthy }, []],
  ['blank lines', { rows: withLine('') }, []],
  ['blanks around a row', { rows: withLine('  {"type":"label","id":"x","parentId":null}  ') }, []],
  ['a last line without its newline', { rows: healthy, ending: '' }, []],
  ['an unfinished last line', { rows: [...healthy, '{"type":"mess'], ending: '' }, []],
  ['a row type of the future', { rows: withLine('{"type":"hologram","id":"h","parentId":null,"payload":{"deep":[[[]]]}}') }, []],
  ['a row without a type', { rows: withLine('{"id":"x"}') }, []],
  ['a version 1 header, rows without ids', { header: '{"type":"session","id":"5b1c7f5e-0000-4000-8000-000000000001","timestamp":"2026-06-09T12:00:00.000Z"}', rows: [{ type: 'message', timestamp: '2026-06-09T12:00:01.000Z', message: { role: 'user', content: 'hi' } }] }, []],
  ['bytes that are not UTF-8 are another check', { rows: withLine(Buffer.from('7b226964223a22ff227d', 'hex')) }, []],
  ['only a header', { rows: [] }, []],
];

describe(check, () => {
  checkCases(check, cases);
});
