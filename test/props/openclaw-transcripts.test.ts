import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/model/finding.ts';
import { talk, writeOpenclawStore, type RawRow, type Row } from '../helpers/openclaw-transcripts.ts';
import { temporaryFolder } from '../helpers/paths.ts';
import { scanUntouched } from '../helpers/untouched.ts';

const areas = ['transcript', 'tool', 'compaction'];

type Turn = { kind: 'chat' | 'tools' | 'aborted' | 'abandoned' | 'side' | 'compaction' | 'group' | 'mirror'; calls: number; text: string };

const turn: fc.Arbitrary<Turn> = fc.record({
  kind: fc.constantFrom('chat', 'tools', 'aborted', 'abandoned', 'side', 'compaction', 'group', 'mirror'),
  calls: fc.integer({ min: 1, max: 3 }),
  text: fc.string({ unit: 'grapheme', maxLength: 20 }),
});

/** Rows as a healthy gateway writes them, with everything that only looks like damage. */
function healthyRows(turns: readonly Turn[], prefix: string): Row[] {
  const t = talk(prefix);
  for (const [n, { kind, calls, text }] of turns.entries()) {
    const ids = Array.from({ length: calls }, (_, i) => `call_${n}_${i}`);
    const user = t.user(text);
    switch (kind) {
      case 'tools':
        t.calls(ids);
        for (const id of ids.toReversed()) t.result(id);
        break;
      case 'aborted':
        t.calls(ids, { stopReason: 'aborted' });
        continue;
      case 'abandoned':
        t.user(`${text} again`, {}, { parentId: user.parentId! });
        break;
      case 'side': {
        const last = t.lastId();
        t.row({ type: 'custom', customType: 'note', data: { n }, appendMode: 'side' });
        t.row({ type: 'leaf', targetId: last, appendParentId: last });
        break;
      }
      case 'compaction':
        t.reply(`${text}.`);
        t.row({ type: 'compaction', summary: text, firstKeptEntryId: user.id!, tokensBefore: 1 });
        continue;
      case 'group':
        t.calls(ids);
        t.user(`#${n} Ann: ${text}`);
        for (const id of ids) t.result(id);
        break;
      case 'mirror':
        t.reply(text, { model: 'delivery-mirror', provider: 'openclaw' });
        break;
      case 'chat':
        break;
    }
    t.reply(`${text}!`);
  }
  return t.rows;
}

/** One fault each, done to rows that have at least one exchange before and behind; what a scan must say of it. */
const faults: { check: string; harm: (rows: RawRow[], at: number) => void }[] = [
  { check: 'transcript/malformed-line', harm: (rows, at) => void rows.splice(at, 0, '{"type":"mess') },
  { check: 'transcript/missing-header', harm: () => {} },
  { check: 'transcript/duplicate-id', harm: (rows, at) => void rows.splice(at, 0, rows[at - 1]!) },
  { check: 'transcript/bad-encoding', harm: (rows, at) => void rows.splice(at, 0, Buffer.from('7b2274797065223a22637573746f6d222c2264617461223a22ff227d', 'hex')) },
];

const sessionOf = (n: number): string => `0badcafe-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
const brief = (findings: readonly Finding[]): string[] => findings.map((finding) => `${finding.checkId} ${finding.session}`).sort();

describe('random transcripts', () => {
  it('that are healthy yield nothing', { timeout: 180_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(turn, { maxLength: 12 }), { minLength: 1, maxLength: 4 }), fc.constantFrom('\n', '\r\n'), fc.boolean(), async (talks, newline, terminated) => {
        const store = writeOpenclawStore(temporaryFolder(), talks.map((turns, n) => ({ id: sessionOf(n), rows: healthyRows(turns, 'abcd'[n]!), newline, ending: terminated ? newline : '' })));
        const result = await scanUntouched(store, { check: areas });
        expect(result.errors).toEqual([]);
        expect(brief(result.findings)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('with one known fault each yield exactly these', { timeout: 180_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ turns: fc.array(turn, { minLength: 2, maxLength: 8 }), fault: fc.constantFrom(...faults), at: fc.nat() }), { minLength: 1, maxLength: 4 }), async (talks) => {
        const store = writeOpenclawStore(
          temporaryFolder(),
          talks.map(({ turns, fault, at }, n) => {
            const rows: RawRow[] = healthyRows(turns, 'abcd'[n]!);
            fault.harm(rows, 1 + (at % (rows.length - 1)));
            return { id: sessionOf(n), rows, ...(fault.check === 'transcript/missing-header' ? { header: null } : {}) };
          }),
        );
        const result = await scanUntouched(store, { check: areas });
        expect(brief(result.findings)).toEqual(talks.map(({ fault }, n) => `${fault.check} ${sessionOf(n)}`).sort());
      }),
      { numRuns: 30 },
    );
  });
});
