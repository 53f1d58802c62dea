import { v1Digits, v2Digits } from '../../src/ids/index.ts';
import type { MessageRow } from '../../src/stores/opencode/types.ts';

export const wrap = 1_786_706_395_136;
export const now = Date.parse('2026-12-01T12:00:00Z');
let serial = 0;

type Given = Partial<MessageRow> & { v2?: boolean; mintedAt?: number };

function row(role: MessageRow['role'], time: number, given: Given): MessageRow {
  const { v2, mintedAt = time, ...rest } = given;
  const tail = String(serial++).padStart(14, 'T');
  const id = v2 ? `msg_${v2Digits(mintedAt, 1)}${tail.slice(5)}` : `msg_${v1Digits(mintedAt, 1)}${tail}`;
  return { id, agent: 'main', time, role, finish: null, parentId: null, completed: role === 'assistant', error: null, summary: false, ...rest };
}

/** A prompt; `mintedAt` is the time in its id where that differs. Times in ms. */
export const prompt = (time: number, given: Given = {}): MessageRow => row('user', time, given);

/** A finished reply to `parent`. */
export const reply = (time: number, parent: MessageRow | null, given: Given = {}): MessageRow => row('assistant', time, { finish: 'stop', parentId: parent?.id ?? null, ...given });

/** A prompt and its reply, a second apart. */
export function exchange(time: number, given: Given = {}): MessageRow[] {
  const asked = prompt(time, given);
  return [asked, reply(time + 1000, asked, given)];
}
