import { describe, expect, it } from 'vitest';
import { findRepeatedTurns, type TurnRow } from '../../../src/checks/shared/repeated-turns.ts';

/** Content, then `t` said, `k` key, `p` parent, `i` id length: `u:hello-there,t5,k1`. Rows are 10 s apart unless `t` says otherwise. */
function talk(text: string): [TurnRow[], Parameters<typeof findRepeatedTurns>[1]] {
  const words = text.split(' ').map((word) => word.split(/[:,]/));
  const field = (word: string[], letter: string, otherwise: number): number => {
    const part = word.slice(2).find((piece) => piece.startsWith(letter));
    return part === undefined ? otherwise : Number(part.slice(1));
  };
  const codes = [...new Set(words.map((word) => word[1]))];
  return [
    words.map((word, row) => ({ row, role: word[0] === 'u' ? 'user' : 'assistant' })),
    {
      hash: words.map((word) => codes.indexOf(word[1]) + 1),
      length: words.map((word) => word[1]!.length),
      said: words.map((word, row) => field(word, 't', row * 10_000)),
      appended: words.map((word, row) => field(word, 't', row * 10_000)),
      key: words.map((word) => field(word, 'k', 0)),
      parent: words.map((word, row) => field(word, 'p', row - 1)),
      idLength: (row) => field(words[row]!, 'i', 8),
    },
  ];
}

describe('repeated turns', () => {
  const cases: [string, string, [number, number, string][]][] = [
    ['people say "ok" often', 'u:ok a:fine u:ok a:fine u:ok a:fine u:ok a:fine', []],
    ['a heartbeat asks the same and hears the same', 'u:read-heartbeat-md a:HEARTBEAT_OK '.repeat(9).trim(), []],
    ['two jobs in turn', 'u:check-the-mail a:no-mail-today u:check-the-news a:no-news-today '.repeat(9).trim(), []],
    ['three jobs that all hear nothing', 'u:check-the-mail a:NO_REPLY u:check-the-news a:NO_REPLY u:check-the-port a:NO_REPLY '.repeat(5).trim(), []],
    ['a block of short words', 'u:yes a:one u:no a:two u:go a:three u:yes a:one u:no a:two u:go a:three', []],
    ['the same text sent again as a sibling, a minute later', 'u:hello-there,p0,t1000 u:hello-there,p0,t61000', []],
    ['siblings of one format within a second', 'u:hello-there,p0,t1000,k1 u:hello-there,p0,t1900,k2', []],
    ['late media at the same time under its own key', 'u:media-here,t5,k1 u:media-here,t5,k2', []],
    ['empty rows', 'u:,t5 u:,t5', []],
    ['the same key', 'u:hello-there,k7 a:hi u:hello-there,k7', [[2, 0, 'key']]],
    ['the same key for other words', 'u:hello-there,k7 a:hi u:hello-again,k7', []],
    ['the same millisecond', 'u:hello-there,t5 a:hi u:hello-there,t5 a:ho u:hello-there,t5', [[2, 0, 'time'], [4, 0, 'time']]],
    ['an answer written twice', 'u:hello a:well-well,t5 a:well-well,t5', [[2, 1, 'time']]],
    ['one message persisted twice', 'u:hello-there,p0,t1000,k1,i8 u:hello-there,p0,t1400,k2,i36', [[1, 0, 'sibling']]],
    [
      'a block again',
      'u:question-one a:answer-one u:question-two a:answer-two u:question-six a:answer-six u:between a:more u:question-one a:answer-one u:question-two a:answer-two u:question-six a:answer-six',
      [8, 9, 10, 11, 12, 13].map((row) => [row, row - 8, 'block']),
    ],
    ['two turns again are too few', 'u:question-one a:answer-one u:question-two a:answer-two u:other-thing a:other-words u:question-one a:answer-one u:question-two a:answer-two', []],
    ['the same questions with other answers', 'u:question-one a:answer-1 u:question-two a:answer-2 u:question-six a:answer-3 u:question-one a:answer-4 u:question-two a:answer-5 u:question-six a:answer-6', []],
  ];
  it.each(cases)('%s', (_name, text, repeated) => {
    expect(findRepeatedTurns(...talk(text)).map(({ row, first, why }) => [row, first, why])).toEqual(repeated);
  });
});
