import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../helpers/opencode-cases.ts';
import { day, hour, minute, v1, wrap, type StoreBuilder } from '../../helpers/opencode-store.ts';

const id = 'order/armed-revert';
const undoAt = (messageID: string, partID?: string): { revert: string } => ({ revert: JSON.stringify({ messageID, ...(partID ? { partID } : {}) }) });

function straddling(store: StoreBuilder, revert: { revert: string }): void {
  const session = store.session(wrap - day, revert);
  store.talk(session, wrap - day, 3);
  store.talk(session, wrap + hour, 3);
}

describe(id, () => {
  it('counts what each way of counting would delete', async () => {
    const findings = await findingsOf(id, 'opencode', (store) => straddling(store, undoAt(v1(wrap + hour + minute))));
    expect(findings).toMatchObject([
      {
        severity: 'error',
        fix: { id: 'disarm-revert', class: 'judgement' },
        evidence: { revertMessage: v1(wrap + hour + minute), rowsDeletedByIdOrder: 10, rowsAfterRevertByTime: 4, wronglyDeleted: 6, messages: 12 },
      },
    ]);
  });

  it('sees newer rows that would survive an undo of before the wrap', async () => {
    const findings = await findingsOf(id, 'mimocode', (store) => straddling(store, undoAt(v1(wrap - day + minute))));
    expect(findings).toMatchObject([{ evidence: { rowsDeletedByIdOrder: 4, rowsAfterRevertByTime: 10, wronglyDeleted: 0 } }]);
  });

  it('works when the row of the undo point is gone', async () => {
    const findings = await findingsOf(id, 'opencode', (store) => straddling(store, undoAt(v1(wrap + hour + minute + 1))));
    expect(findings).toMatchObject([{ evidence: { rowsDeletedByIdOrder: 9, rowsAfterRevertByTime: 3 } }]);
  });

  it('is an info for a reader that deletes by position', async () => {
    expect(await findingsOf(id, 'opencode', (store) => straddling(store, undoAt(v1(wrap + hour))), { version: '1.18.15' })).toMatchObject([{ severity: 'info', fix: { class: 'none' } }]);
  });

  const innocent: [string, (store: StoreBuilder) => void][] = [
    [
      'an undo inside one epoch',
      (store) => {
        store.talk(store.session(wrap + day, undoAt(v1(wrap + day + minute))), wrap + day, 3);
      },
    ],
    [
      'an undo point without a row in a session whose ids agree with its times',
      (store) => {
        store.talk(store.session(wrap + day, undoAt(v1(wrap + day + 30_000))), wrap + day, 3);
      },
    ],
    ['no undo', (store) => straddling(store, { revert: 'null' })],
    ['an undo that is not JSON', (store) => straddling(store, { revert: '{"messageID":' })],
  ];
  it.each(innocent)('says nothing about %s', async (_name, fill) => {
    expect(await findingsOf(id, 'opencode', fill)).toEqual([]);
  });
});
