import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../helpers/opencode-cases.ts';
import { minute, v1, wrap } from '../../helpers/opencode-store.ts';

const id = 'db/dangling-reference';

describe(id, () => {
  it('names each column whose ids name nothing', async () => {
    const findings = await findingsOf(id, 'mimocode', (store) => {
      const session = store.session(wrap, { context_watermark: 'msg_gone1', last_checkpoint_message_id: v1(wrap), project_id: 'p9' });
      const ids = store.talk(session, wrap, 1);
      store.assistant(session, wrap + minute, 'msg_gone2');
      store.db.prepare('INSERT INTO external_import VALUES (?, ?, ?, ?)').run('cc', 'k1', session, JSON.stringify([...ids, 'msg_gone3', 'msg_gone4']));
    });
    expect(findings.map(({ evidence }) => [evidence.column, evidence.count, evidence.missing])).toEqual(
      expect.arrayContaining([
        ['session.context_watermark', 1, ['msg_gone1']],
        ['session.project_id', 1, ['p9']],
        ['message.data.parentID', 1, ['msg_gone2']],
        ['external_import.message_ids', 2, ['msg_gone3', 'msg_gone4']],
      ]),
    );
    expect(findings).toHaveLength(4);
  });

  it('says nothing about ids that have rows, NULL, and lists that are not JSON', async () => {
    const findings = await findingsOf(id, 'mimocode', (store) => {
      const session = store.session(wrap, { context_watermark: v1(wrap), revert: JSON.stringify({ messageID: v1(wrap) }) });
      store.talk(session, wrap, 2);
      store.db.prepare('INSERT INTO external_import VALUES (?, ?, ?, ?)').run('cc', 'k1', session, '["msg_');
    });
    expect(findings).toEqual([]);
  });
});
