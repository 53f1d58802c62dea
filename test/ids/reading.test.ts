import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochStart, formatOfId, readId, readingsOf, timeCandidates, timeNear } from '../../src/ids/index.ts';

const at = (text: string): number => Date.parse(text);

describe('recognising', () => {
  it.each([
    ['v1, as released', 'msg_0006de009001lT6zAjRDhLNfbh', ['v1', 'ms48']],
    ['v1 whose tail begins with hex digits', 'msg_ffd191fba0018dBLqQ503dNUNs', ['v1', 'ms48', 'hex14']],
    ['v1 session', 'ses_01a08f729ffeWTJzTV0JExjSPA', ['v1', 'ms48']],
    ['v2', 'msg_g001a0cf745102001P11hofJYM', ['v2']],
    ['v2 session', 'ses_-ffe5f308baf58ffe5shdXCeZA', ['v2']],
    ['14 hex', 'msg_1a0cf745102001P11hofJYMxyz', ['v1', 'ms48', 'hex14']],
    ['16 hex, 26 long', 'msg_001a0cf745102001P11hofJYMx', ['v1', 'ms48', 'hex14', 'hex16']],
    ['16 hex, 28 long', 'msg_001a0cf745102001P11hofJYMxyz', ['hex16']],
    ['a uuid', 'msg_3f2504e0-4f89-11d3-9a0c-0305e82c3301', []],
    ['a converter', 'ses_469F438DD75A4346ADE5', []],
    ['upper-case hex', 'msg_0006DE009001lT6zAjRDhLNfbh', []],
    ['one character short', 'msg_0006de009001lT6zAjRDhLNfb', []],
    ['a line break at the end', 'msg_0006de009001lT6zAjRDhLNfbh\n', []],
    ['no prefix', '0006de009001lT6zAjRDhLNfbh', []],
    ['nothing', '', []],
  ])('%s', (_name, id, formats) => {
    expect(readingsOf(id).map((reading) => reading.format)).toEqual(formats);
  });

  it.each([
    ['v1 by its row', 'msg_ffd191fba0018dBLqQ503dNUNs', at('2026-08-13T21:48:30.010Z'), 'v1'],
    ['14 hex by its row', 'msg_1a0cf745102001P11hofJYMxyz', 0x1a0cf745102, 'hex14'],
    ['16 hex by its row', 'msg_001a0cf745102001P11hofJYMx', 0x1a0cf745102, 'hex16'],
    ['plain ms by its row', 'msg_01a0cf745102P11hofJYMxyzab', 0x1a0cf745102, 'ms48'],
    ['a fork whose times are months older stays v1', 'msg_1a0cf745102001P11hofJYMxyz', at('2025-01-01T00:00:00Z'), 'v1'],
    ['a row at time 0', 'msg_0006de009001lT6zAjRDhLNfbh', 0, 'v1'],
    ['a row in year 9999', 'msg_0006de009001lT6zAjRDhLNfbh', at('9999-12-31T23:59:59Z'), 'v1'],
    ['opaque', 'msg_x', 0, 'opaque'],
  ])('decides %s', (_name, id, time, format) => {
    expect(formatOfId(id, time)).toBe(format);
  });

  it('without a row takes a wider clock only when its date is plausible', () => {
    const now = at('2026-12-01T00:00:00Z');
    expect(readId('msg_ffd191fba0018dBLqQ503dNUNs', null, now)?.format).toBe('v1');
    expect(readId('msg_1a0cf745102001P11hofJYMxyz', null, now)?.format).toBe('hex14');
    expect(readId('msg_001a0cf745102001P11hofJYMx', null, now)?.format).toBe('hex16');
    expect(readId('msg_1a0cf745102001P11hofJYMxyz', null, at('2026-08-01T00:00:00Z'))?.format).toBe('v1');
  });

  it('never fails on any string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.double(), (text, time) => {
        for (const id of [text, `msg_${text}`, `msg_0006de009001${text}`]) expect(['v1', 'v2', 'hex14', 'hex16', 'ms48', 'opaque']).toContain(formatOfId(id, time));
      }),
    );
  });
});

describe('decoding', () => {
  const reading = readId('msg_ffd191fba0018dBLqQ503dNUNs', at('2026-08-13T21:48:30.010Z'));
  if (reading === null) throw new Error('not recognised');

  it('gives clock and counter', () => {
    expect(reading).toMatchObject({ clock: 68_670_791_610, counter: 1, hex: 'ffd191fba001', suffix: '8dBLqQ503dNUNs', direction: 'ascending' });
  });

  it('gives a candidate for every epoch', () => {
    expect(timeCandidates(reading, 24, 26).map(({ epoch, time }) => [epoch, new Date(time).toISOString()])).toEqual([
      [24, '2024-06-09T13:03:53.274Z'],
      [25, '2026-08-13T21:48:30.010Z'],
      [26, '2028-10-17T06:33:06.746Z'],
    ]);
  });

  it.each([25, 26, 27, 28])('takes the candidate nearest to the row on both sides of boundary %i', (epoch) => {
    const wrap = epochStart(epoch);
    const last = readId('msg_fffffffff001AAAAAAAAAAAAAA', wrap);
    const first = readId('msg_000000000001AAAAAAAAAAAAAA', wrap);
    for (const seconds of [-5000, 0, 5000]) {
      expect(last && timeNear(last, wrap + seconds)).toBe(wrap - 1);
      expect(first && timeNear(first, wrap + seconds)).toBe(wrap);
    }
  });

  it('inverts descending ids', () => {
    const before = readId('ses_000000000ffeAAAAAAAAAAAAAA', epochStart(26));
    const after = readId('ses_fffffffffffeAAAAAAAAAAAAAA', epochStart(26));
    expect(before).toMatchObject({ clock: 2 ** 36 - 1, counter: 1, direction: 'descending' });
    expect(after).toMatchObject({ clock: 0, counter: 1, direction: 'descending' });
    expect(readId('ses_-ffe5fffffffffffeAAAAAAAAA')).toMatchObject({ clock: epochStart(26), counter: 1, direction: 'descending' });
  });
});
