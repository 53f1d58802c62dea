import type { SqliteDatabase } from '../../io/sqlite.ts';
import { field, number, text, textOrNull, type Tables } from './tables.ts';
import type { SettledTurn } from './types.ts';

/** Prompts that MiMo-Code's turn queue settled with success (opencode format notes §3.1, §5.1). */
export function* readSettledTurns(db: SqliteDatabase, tables: Tables): Iterable<SettledTurn> {
  if (!tables.has('turn_receipt', 'id', 'session_id', 'state', 'outcome', 'intent')) return;
  const column = (name: string): string => (tables.has('turn_receipt', name) ? name : 'NULL');
  const prompt = `coalesce(CASE WHEN ${field('intent', '$.kind')} IS NULL OR ${field('intent', '$.kind')} = 'prompt' THEN ${field('intent', '$.messageID')} END, ${column('delivery_message_id')})`;
  const statement = db
    .prepare<[], unknown[]>(
      `SELECT id, session_id, ${tables.has('turn_receipt', 'agent_id') ? 'agent_id' : "'main'"}, ${prompt}, ${column('message_id')}, ${column('time_updated')}
       FROM turn_receipt WHERE state = 'settled' AND outcome = 'success'`,
    )
    .raw();
  for (const [id, sessionId, agent, promptId, replyId, time] of statement.iterate()) {
    if (promptId === null) continue;
    yield { id: text(id), sessionId: text(sessionId), agent: text(agent), promptId: text(promptId), replyId: textOrNull(replyId), time: number(time) };
  }
}
