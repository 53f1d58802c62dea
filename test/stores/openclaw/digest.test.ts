import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ambientIds, compareChannelIds } from '../../../src/stores/openclaw/ambient.ts';
import { digestBuilder } from '../../../src/stores/openclaw/digest-builder.ts';
import { parentNone, parentUnknown, rowFlag, rowKinds, rowRoles, stopReasons, type TranscriptDigest } from '../../../src/stores/openclaw/digest-types.ts';
import { idTable } from '../../../src/stores/openclaw/id-table.ts';
import { entryTime } from '../../../src/stores/openclaw/iso-time.ts';
import { summarise } from '../../../src/stores/openclaw/summary.ts';
import { readTranscript, sameBytes } from '../../../src/stores/openclaw/transcript.ts';
import { digestOf, transcriptFile } from '../../helpers/openclaw-digest.ts';
import { night } from '../../helpers/openclaw-state.ts';
import type { Row } from '../../helpers/openclaw-transcripts.ts';
import { temporaryFolder } from '../../helpers/paths.ts';

const header: Row = { type: 'session', version: 3, id: 'a', timestamp: '2026-07-03T03:46:02.310Z', cwd: '/srv/größe' };
const message = (id: string, parentId: string | null, fields: Row, more: Row = {}): Row => ({ type: 'message', id, parentId, timestamp: '2026-07-03T03:46:02.670Z', message: fields, ...more });

function readBytes(bytes: Buffer | string): TranscriptDigest {
  const path = join(temporaryFolder(), 'a.jsonl');
  writeFileSync(path, bytes);
  return readTranscript(digestBuilder({ triggers: ['/new', '/reset'], sameBytes }), transcriptFile('a.jsonl', path), 'agent:main:main');
}

const lines = (rows: readonly (Row | string)[], newline = '\n'): string => rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}${newline}`).join('');

describe('a digest', () => {
  it('has line, offset and length of each row, so that a finding points at bytes', () => {
    const text = `\ufeff${lines([header, '', message('a1', null, { role: 'user', content: 'é' }), 'x', message('a2', 'a1', { role: 'user', content: 'ü' })], '\r\n')}`;
    const bytes = Buffer.from(text);
    const digest = readBytes(bytes);
    const { rows } = digest;
    expect(digest.header).toMatchObject({ line: 1, id: 'a', version: 3, cwd: '/srv/größe', time: Date.parse('2026-07-03T03:46:02.310Z') });
    expect(digest).toMatchObject({ lines: 5, bytes: bytes.length, byteOrderMark: true, crlf: true, terminated: true, rejected: 1, damaged: [{ kind: 'malformed', line: 4, bytes: 2 }] });
    expect([...rows.line.subarray(0, rows.length)]).toEqual([3, 5]);
    for (let row = 0; row < rows.length; row++) {
      const start = rows.offset[row] ?? 0;
      expect(JSON.parse(bytes.toString('utf8', start, start + (rows.bytes[row] ?? 0))).id).toBe(rows.id[row]);
    }
  });

  it.each<[string, Buffer | string, Partial<TranscriptDigest>]>([
    ['an empty file', '', { header: null, lines: 0, terminated: true, rejected: 0 }],
    ['a last line without newline', lines([header]).trimEnd(), { terminated: false, rejected: 0 }],
    ['a cut last line', `${lines([header])}{"type"`, { terminated: false, rejected: 1, damaged: [{ kind: 'unfinished', line: 2, offset: lines([header]).length + 1, bytes: 7, nul: false }] }],
    ['NUL bytes', `${lines([header])}\0\0\0\n`, { rejected: 1, damaged: [expect.objectContaining({ kind: 'malformed', nul: true })] as unknown as TranscriptDigest['damaged'] }],
    ['JSON that is no object', lines([header, '7', 'null', '[]', 'undefined']), { rejected: 4 }],
    ['bytes that are not UTF-8: the row is kept', Buffer.concat([Buffer.from(lines([header])), Buffer.from('{"type":"label","id":"a1","parentId":null,"label":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}\n')]), { rejected: 0, badEncodingLines: 1 }],
  ])('%s', (_name, bytes, expected) => {
    const digest = readBytes(bytes);
    expect({ ...digest, damaged: digest.damaged.map((one) => (one.kind === 'unfinished' ? { ...one, offset: lines([header]).length + 1 } : one)) }).toMatchObject(expected);
  });

  it('keeps ids as they are meant, also beyond ASCII', () => {
    const { rows, controls } = readBytes(lines([header, message('größe', null, { role: 'user', content: 'x' }), message('b', 'größe', { role: 'user', content: 'ø' }), { type: 'leaf', id: 'l', parentId: 'b', targetId: 'größe' }]));
    expect(rows.id).toEqual(['größe', 'b', 'l']);
    expect([...rows.parent.subarray(0, 3)]).toEqual([parentNone, 0, 1]);
    expect(controls).toMatchObject([{ targetId: 'größe' }]);
  });

  it('finds parents before and after a row, and tells absent from null from unknown', () => {
    const { rows } = digestOf([header, message('a', null, {}), message('b', 'd', {}), { type: 'message', id: 'c' }, message('d', 'zz', {}), message('e', 'a', {})]);
    expect([...rows.parent.subarray(0, 5)]).toEqual([parentNone, 3, parentNone, parentUnknown, 0]);
    expect([...rows.flags.subarray(0, 5)].map((flags) => (flags & rowFlag.hasParent) !== 0)).toEqual([true, true, false, true, true]);
  });

  it('tells identical copies of an id from different rows', () => {
    const row = message('a', null, { role: 'user', content: 'one' });
    const digest = readBytes(lines([header, row, message('b', 'a', {}), row, message('a', null, { role: 'user', content: 'two' })]));
    expect(digest.duplicates).toEqual([
      { id: 'a', first: 0, row: 2, identical: true },
      { id: 'a', first: 0, row: 3, identical: false },
    ]);
    expect(digest.rowOf('a')).toBe(0);
  });

  it('knows every spelling of a tool call, and whom a result answers', () => {
    const spellings = ['toolCall', 'toolUse', 'functionCall', 'tool_use', 'tool_call', 'function_call'];
    const digest = digestOf([
      header,
      message('a', null, { role: 'assistant', content: spellings.map((type, at) => ({ type, id: `c${at}`, name: 'exec', arguments: { at } })), stopReason: 'toolUse' }),
      message('b', 'a', { role: 'toolResult', toolCallId: 'c0', toolName: 'exec', content: [], isError: true }),
      message('c', 'b', { role: 'tool', tool_call_id: 'c1' }),
      message('d', 'c', { role: 'toolResult', toolCallId: 'c2', content: [{ type: 'text', text: '[openclaw] missing tool result in session history; inserted' }] }),
    ]);
    expect(digest.toolCalls).toEqual(spellings.map((_type, at) => ({ row: 0, id: `c${at}`, name: 'exec' })));
    expect(digest.toolResults.map((result) => [result.row, result.id])).toEqual([[1, 'c0'], [2, 'c1'], [3, 'c2']]);
    expect([...digest.rows.flags.subarray(1, 4)].map((flags) => [(flags & rowFlag.failed) !== 0, (flags & rowFlag.synthetic) !== 0])).toEqual([[true, false], [false, false], [false, true]]);
  });

  it.each<[string, Row, number]>([
    ['/new', {}, rowFlag.command],
    ['/reset please', {}, rowFlag.command],
    ['/NEW', {}, rowFlag.command],
    ['/new@my_bot', {}, rowFlag.command],
    ['[Mon 2026-11-30 17:52 UTC] /new', {}, rowFlag.command],
    ['/newspaper', {}, 0],
    ['say /new', {}, 0],
    ['hello', { provenance: { kind: 'internal_system' } }, rowFlag.internal],
    ['hello', { provenance: { kind: 'external_user' } }, 0],
    ['hello', { display: false }, rowFlag.hidden],
  ])('a user row %j %j', (content, more, flags) => {
    const { rows } = digestOf([header, message('a', null, { role: 'user', content, ...more })]);
    expect((rows.flags[0] ?? 0) & ~rowFlag.hasParent).toBe(flags);
  });

  it('codes kinds, roles and stop reasons, and names what it does not know other', () => {
    const { rows } = digestOf([header, message('a', null, { role: 'assistant', stopReason: 'aborted', model: 'delivery-mirror' }), message('b', 'a', { role: 'elf', stopReason: 'bored' }), { type: 'future', id: 'c', parentId: 'b' }, { type: 'compaction', id: 'd', parentId: 'c' }]);
    expect([...rows.kind.subarray(0, 4)].map((code) => rowKinds[code])).toEqual(['message', 'message', 'other', 'compaction']);
    expect([...rows.role.subarray(0, 4)].map((code) => rowRoles[code])).toEqual(['assistant', 'other', 'none', 'none']);
    expect([...rows.stop.subarray(0, 4)].map((code) => stopReasons[code])).toEqual(['aborted', 'other', 'none', 'none']);
    expect((rows.flags[0] ?? 0) & rowFlag.mirror).toBe(rowFlag.mirror);
  });

  it('hashes content alike whatever ids and times, and differently for other content', () => {
    const long = 'tide '.repeat(4000);
    const hash = (content: Row['x'], more: Row = {}): number => digestOf([header, message('a', null, { role: 'user', content, ...more })]).rows.contentHash[0] ?? 0;
    expect(hash('one', { timestamp: 1, idempotencyKey: 'a' })).toBe(hash('one', { timestamp: 2, idempotencyKey: 'b' }));
    expect(hash('one')).not.toBe(hash('two'));
    expect(hash(long)).not.toBe(hash(`${long}.`));
    expect(hash([{ type: 'toolCall', id: 'x', name: 'exec', arguments: { command: 'ls' } }])).toBe(hash([{ type: 'toolCall', id: 'y', name: 'exec', arguments: { command: 'ls' } }]));
    expect(hash([{ type: 'toolCall', name: 'exec', arguments: { command: 'ls' } }])).not.toBe(hash([{ type: 'toolCall', name: 'exec', arguments: { command: 'cd' } }]));
  });

  it('is summed up by first and last rows, commands, resets and ambient ids', () => {
    const digest = digestOf([
      header,
      message('a', null, { role: 'user', content: '#7 mira: x\n#8 otto: y', timestamp: night }),
      message('b', 'a', { role: 'assistant', content: 'ok', stopReason: 'error', timestamp: night + 1 }),
      { type: 'reset', id: 'r', parentId: 'b', reason: 'idle', timestamp: '2026-07-03T05:00:00.000Z', firstKeptEntryId: 'b' },
      message('c', 'r', { role: 'user', content: '/new' }, { timestamp: '2026-07-03T06:00:00Z' }),
    ]);
    expect(summarise(digest, true)).toMatchObject({
      rows: 4,
      messageRows: 3,
      userRows: 2,
      firstUser: { id: 'a', messageTime: night },
      lastMessage: { id: 'c', command: true },
      lastTime: Date.parse('2026-07-03T06:00:00Z'),
      commands: [{ id: 'c' }],
      resets: [{ id: 'r', reason: 'idle', firstKeptEntryId: 'b' }],
      ambientIds: ['7', '8'],
    });
    expect(summarise(digest, false).ambientIds).toBeNull();
  });
});

describe('ambient rows', () => {
  it.each<[string, string[] | null, boolean?]>([
    ['#413 otto: harbour', ['413'], false],
    ['#413 Otto van der Meer: harbour: ferry', ['413'], false],
    ['#413 otto: one\ntwo\n#414 mira: three', ['413', '414'], false],
    ['#413 otto: one\n#12 mira: quoted', ['413'], true],
    ['#413 otto: one\n#413 otto: one', ['413'], true],
    ['#413 otto\nmira: x', null],
    ['#413', null],
    ['#413 otto:', null],
    ['otto: harbour', null],
    [' #413 otto: x', null],
    ['', null],
  ])('%j', (text, ids, suspect) => {
    expect(ambientIds(text)).toEqual(ids === null ? null : { ids, suspect });
  });

  it('orders ids as whole numbers of any length', () => {
    const ids = ['9', '10', '9007199254740993', '9007199254740992', '100'];
    expect(ids.sort(compareChannelIds)).toEqual(['9', '10', '100', '9007199254740992', '9007199254740993']);
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: 2n ** 80n }), fc.bigInt({ min: 0n, max: 2n ** 80n }), (a, b) => Math.sign(compareChannelIds(String(a), String(b))) === (a < b ? -1 : a > b ? 1 : 0)));
  });
});

describe('small tools', () => {
  it('reads times as Date.parse does', () => {
    fc.assert(fc.property(fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => entryTime(date.toISOString()) === date.getTime()));
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(entryTime(text)).toEqual(Date.parse(text));
      }),
    );
    expect([entryTime(7), entryTime(null), entryTime('2026-07-03T04:23:05+02:00')]).toEqual([7, NaN, Date.parse('2026-07-03T02:23:05Z')]);
  });

  it('finds ids as a Map does', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 200 }), (ids) => {
        const table = idTable();
        const map = new Map<string, number>();
        for (const [row, id] of ids.entries()) {
          expect(table.set(ids, row)).toBe(map.get(id) ?? -1);
          map.set(id, row);
        }
        for (const [id, row] of map) expect(table.get(ids, id)).toBe(row);
        expect(table.get(ids, 'none of them')).toBe(-1);
      }),
    );
  });
});
