import { describe } from 'vitest';
import { checkCases, sessionId, type Case } from '../../helpers/check-cases.ts';
import { talk, type Row } from '../../helpers/openclaw-transcripts.ts';

const check = 'transcript/duplicate-turns';

function rowsOf(write: (t: ReturnType<typeof talk>) => void): Row[] {
  const t = talk();
  write(t);
  return t.rows;
}
const again = (t: ReturnType<typeof talk>, row: Row, fields: Row = {}): void => {
  t.row({ ...row, id: `b${t.rows.length}`, parentId: t.lastId(), ...fields });
};

const cases: Case[] = [
  [
    'user rows written again after a compaction (#72780)',
    {
      rows: rowsOf((t) => {
        t.chat(3);
        const users = [t.rows[1]!, t.rows[3]!, t.rows[5]!];
        t.row({ type: 'compaction', summary: 'so far', firstKeptEntryId: t.rows[3]!.id!, tokensBefore: 9000 });
        for (const user of users) again(t, user);
        t.chat(1);
      }),
    },
    [{ severity: 'warning', confidence: 'certain', line: 10, evidence: { rows: ['b8', 'b9', 'b10'], firstCopies: ['a0000001', 'a0000003', 'a0000005'], copies: 3, talkRows: 11 } }],
  ],
  [
    'every inbound message persisted twice (#116409)',
    {
      rows: rowsOf((t) => {
        t.chat(1);
        const user = t.user('and what of the tide?', { idempotencyKey: 'run-1' });
        const message = user.message as Row;
        t.row({ ...user, id: '8818cd78-904c-4dba-8c6b-f4b66a6e0275', parentId: user.parentId!, message: { ...message, idempotencyKey: 'run-2', timestamp: Number(message.timestamp) + 300 } });
        t.reply('it turns at six');
      }),
    },
    [{ severity: 'warning', confidence: 'likely', evidence: { rows: ['8818cd78-904c-4dba-8c6b-f4b66a6e0275'], firstCopies: ['a0000003'], copies: 1 } }],
  ],
  [
    'a block of turns pasted again with new times',
    {
      rows: rowsOf((t) => {
        for (let i = 0; i < 2; i++) {
          for (const word of ['harbour', 'ferry', 'anchor']) {
            t.user(`tell me about the ${word}`);
            t.reply(`there is much to say about the ${word}`);
          }
        }
      }),
    },
    [{ confidence: 'likely', evidence: { copies: 6, rows: ['a0000007', 'a0000008', 'a0000009', 'a000000a', 'a000000b', 'a000000c'] } }],
  ],

  ['a talk', { rows: rowsOf((t) => t.chat(9)) }, []],
  ['"ok" again and again', { rows: rowsOf((t) => { for (let i = 0; i < 9; i++) { t.user('ok'); t.reply('good'); } }) }, []],
  ['a heartbeat', { rows: rowsOf((t) => { for (let i = 0; i < 9; i++) { t.user('Read HEARTBEAT.md and follow it.'); t.reply('HEARTBEAT_OK'); } }) }, []],
  ['a retry as a sibling, with other words', { rows: rowsOf((t) => { t.chat(1); const user = t.user('/new'); t.user('second topic', {}, { parentId: user.parentId! }); t.reply('fine'); }) }, []],
  ['the same words sent again a minute later', { rows: rowsOf((t) => { t.chat(1); const user = t.user('are you there?'); t.row({ type: 'label', label: 'x' }); t.chat(4); t.user('are you there?', {}, { parentId: user.parentId!, id: '8818cd78-904c-4dba-8c6b-f4b66a6e0275' }); }) }, []],
  ['late media', { rows: rowsOf((t) => { const user = t.user('[media]', { idempotencyKey: 'k' }); t.user('[media]', { idempotencyKey: 'k:late-media', timestamp: (user.message as Row).timestamp! }); t.reply('a gull'); }) }, []],
  ['a delivery mirror of a reply', { rows: rowsOf((t) => { t.user('say it'); const reply = t.reply('it'); t.row({ ...reply, id: 'm1', parentId: t.lastId(), message: { ...(reply.message as Row), model: 'delivery-mirror', provider: 'openclaw' } }); }) }, []],
  ['rows of one id are another check', { rows: rowsOf((t) => { t.chat(2); t.rows.push(t.rows[3]!); }) }, []],
  ['in an archive', { key: null, file: `${sessionId}.jsonl.reset.2026-06-10T04-00-01.000Z`, rows: rowsOf((t) => { t.chat(1); again(t, t.rows[1]!); }) }, []],
];

describe(check, () => {
  checkCases(check, cases);
});
