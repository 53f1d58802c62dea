import type { MessageRow } from '../../stores/opencode/types.ts';
import { newestFor, type OrderRules } from './rules.ts';

/** The rows the run loop looks at. */
export type Latest = {
  user: MessageRow | null;
  assistant: MessageRow | null;
  /** The newest assistant row with a finish reason. */
  finished: MessageRow | null;
};

/** The newest prompt, reply and finished reply as this build sees them. */
export function latest(rows: readonly MessageRow[], rules: OrderRules): Latest {
  const replies = rows.filter((row) => row.role === 'assistant');
  return {
    user: newestFor(rows.filter((row) => row.role === 'user'), rules),
    assistant: newestFor(replies, rules),
    finished: newestFor(replies.filter((row) => hasFinish(row)), rules),
  };
}

export function hasFinish(row: MessageRow): boolean {
  return row.finish !== null && row.finish !== '';
}
