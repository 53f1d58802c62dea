import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../helpers/opencode-cases.ts';
import { minute, v1, wrap } from '../../helpers/opencode-store.ts';

const id = 'db/orphan-rows';

describe(id, () => {
  it('groups rows by the parent that is missing', async () => {
    const findings = await findingsOf(id, 'opencode', (store) => {
      const kept = store.session(wrap);
      store.talk(kept, wrap, 2);
      const gone = store.session(wrap + 1);
      store.talk(gone, wrap + 10, 1);
      store.db.prepare("INSERT INTO todo VALUES (?, 0, 'x')").run(gone);
      store.db.prepare('DELETE FROM session WHERE id = ?').run(gone);
      store.db.prepare('DELETE FROM message WHERE id = ?').run(v1(wrap + minute));
    });
    expect(findings).toMatchObject([
      { session: v1(wrap + 1, 1, 'ses'), evidence: { parentTable: 'session', rows: [v1(wrap + 10), v1(wrap + 4010)], tables: { message: 2, todo: 1 } } },
      { session: v1(wrap, 1, 'ses'), evidence: { parentTable: 'message', missing: v1(wrap + minute), tables: { part: 1 } } },
    ]);
  });

  it('says nothing about rows of the search index, an empty V2 table, or a session without a parent', async () => {
    expect(
      await findingsOf(id, 'mimocode', (store) => {
        const session = store.session(wrap, { parent_id: 'ses_gone' });
        store.talk(session, wrap, 1);
        store.db.prepare("INSERT INTO history_fts VALUES ('prt_x', ?, 'msg_x', 'p1', 'user_text', NULL, 'b', 1)").run(session);
      }),
    ).toEqual([]);
    expect(await findingsOf(id, 'opencode', (store) => store.talk(store.session(wrap), wrap, 3))).toEqual([]);
  });
});
