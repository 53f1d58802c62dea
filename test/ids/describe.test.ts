import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeId, epochStart, v1Digits } from '../../src/ids/index.ts';

const now = Date.parse('2026-11-30T12:00:00Z');
const iso = (ms: number): string => new Date(ms).toISOString();

describe('describeId', () => {
  it('gives the last two times that are not in the future, and the next', () => {
    expect(describeId('msg_ffd191fba0018dBLqQ503dNUNs', now).candidates.map(({ epoch, time, future }) => [epoch, iso(time), future])).toEqual([
      [24, '2024-06-09T13:03:53.274Z', false],
      [25, '2026-08-13T21:48:30.010Z', false],
      [26, '2028-10-17T06:33:06.746Z', true],
    ]);
    expect(describeId('msg_0006de009001lT6zAjRDhLNfbh', now).candidates.map(({ epoch, future }) => [epoch, future])).toEqual([
      [25, false],
      [26, false],
      [27, true],
    ]);
  });

  it.each([
    ['before the wrap', 'msg_ffd191fba0018dBLqQ503dNUNs', 'after'],
    ['after the wrap', 'msg_0006de009001lT6zAjRDhLNfbh', 'among'],
    ['the first of the epoch', 'msg_00000000000100000000000000', 'among'],
    ['this very ms', `msg_${v1Digits(now, 0xfff)}zzzzzzzzzzzzzz`, 'among'],
    ['a ms later', `msg_${v1Digits(now + 1, 0)}00000000000000`, 'after'],
    ['v2', 'msg_g001a0cf745102001P11hofJYM', 'after'],
    ['a session from before the wrap', 'ses_01a08f729ffeWTJzTV0JExjSPA', 'before'],
    ['a session from after it', `ses_${v1Digits(now - 1000, 1, 'descending')}00000000000000`, 'among'],
    ['a v2 session', 'ses_-ffe5f308baf58ffe5shdXCeZA', 'before'],
    ['an import', 'msg_x', 'after'],
    ['nothing', '', 'before'],
  ])('places %s', (_name, id, place) => {
    expect(describeId(id, now).place).toBe(place);
  });

  it('says where the wraps lie', () => {
    expect(describeId('msg_x', now)).toMatchObject({ format: 'opaque', lastWrap: epochStart(26), nextWrap: epochStart(27), candidates: [] });
    expect(describeId('msg_x', epochStart(27))).toMatchObject({ lastWrap: epochStart(27), nextWrap: epochStart(28) });
  });

  it('takes any string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (id) => {
        expect(describeId(id, now).id).toBe(id);
      }),
    );
  });
});
