import { hashSeed, hashText, hashValue } from './content-hash.ts';
import { rowFlag, rowRoles, stopReasons, type ToolCall } from './digest-types.ts';

/** Block types that are tool calls (format notes §2.3). */
const callTypes = new Set(['toolCall', 'toolUse', 'functionCall', 'tool_use', 'tool_call', 'function_call']);

const roleCodes = new Map<unknown, number>(rowRoles.map((role, code) => [role, code]));
const userRole = rowRoles.indexOf('user');
const assistantRole = rowRoles.indexOf('assistant');
const resultRole = rowRoles.indexOf('toolResult');
const otherRole = rowRoles.indexOf('other');
const stopCodes = new Map<unknown, number>([
  ...stopReasons.map((reason, code): [string, number] => [reason, code]),
  ['end_turn', stopReasons.indexOf('stop')],
  ['tool_use', stopReasons.indexOf('toolUse')],
  ['toolCalls', stopReasons.indexOf('toolUse')],
  ['max_tokens', stopReasons.indexOf('length')],
]);
const otherStop = stopReasons.indexOf('other');

const syntheticStart = '[openclaw] missing tool result in session history';

/** What a message says of itself; one object is reused. */
export type MessageFacts = { role: number; stop: number; flags: number; time: number; hash: number; length: number; keyHash: number; /** The text of a user row, else empty. */ userText: string; resultId: string | null; resultName: string | null; isResult: boolean };

export const facts: MessageFacts = { role: 0, stop: 0, flags: 0, time: NaN, hash: 0, length: 0, keyHash: 0, userText: '', resultId: null, resultName: null, isResult: false };

type Fields = Record<string, unknown>;

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** ms; some channels gave seconds. */
function messageTime(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value > 0 && value < 1e11 ? value * 1000 : value;
  return typeof value === 'string' ? Date.parse(value) : NaN;
}

/** The call that a result names, in any of the spellings that 2026.7.1-2 accepts. */
function resultIdOf(message: Fields): string | null {
  for (const id of [message.toolCallId, message.toolUseId, message.tool_call_id, message.tool_use_id, message.callId, message.call_id]) {
    if (typeof id === 'string' && id.trim() !== '') return id.trim();
  }
  return null;
}

/** Reads a message into `facts` and adds its tool calls to `calls`. */
export function readMessage(message: Fields, row: number, calls: ToolCall[]): void {
  const name = message.role;
  // Most rows have one of three roles: comparing is faster than hashing a fresh string.
  const role = name === 'user' ? userRole : name === 'assistant' ? assistantRole : name === 'toolResult' ? resultRole : (roleCodes.get(name) ?? (name === undefined ? 0 : otherRole));
  facts.role = role;
  facts.flags = 0;
  facts.stop = message.stopReason === undefined || message.stopReason === null ? 0 : (stopCodes.get(message.stopReason) ?? otherStop);
  facts.time = messageTime(message.timestamp);
  facts.userText = '';
  facts.isResult = false;
  facts.keyHash = typeof message.idempotencyKey === 'string' ? hashText(hashSeed, message.idempotencyKey) >>> 0 || 1 : 0;
  if (message.display === false || message.excludeFromContext === true) facts.flags |= rowFlag.hidden;
  const { content } = message;
  let hash = Math.imul(hashSeed ^ role, 16777619);
  let length = 0;
  let firstText = '';
  if (typeof content === 'string') {
    hash = hashText(hash, content);
    length = content.length;
    firstText = content;
  } else if (Array.isArray(content)) {
    for (let i = 0; i < content.length; i++) {
      const block: unknown = content[i];
      if (typeof block === 'string') {
        hash = hashText(hash, block);
        length += block.length;
        if (firstText === '') firstText = block;
        else if (name === 'user') firstText += block;
        continue;
      }
      if (typeof block !== 'object' || block === null) continue;
      const fields = block as Fields;
      const { type, text } = fields;
      if (typeof text === 'string') {
        hash = hashText(hash, text);
        length += text.length;
        if (firstText === '') firstText = text;
        else if (name === 'user') firstText += text;
      } else if (typeof type === 'string' && callTypes.has(type)) {
        const toolName = textOrNull(fields.name);
        calls.push({ row, id: textOrNull(fields.id) || null, name: toolName });
        hash = hashValue(hashText(hash, toolName ?? ''), fields.arguments ?? fields.input ?? null);
        length += toolName?.length ?? 0;
      } else {
        const value = fields.thinking ?? fields.data ?? fields.content ?? null;
        if (typeof value === 'string') length += value.length;
        hash = hashValue(hash, value);
      }
    }
  }
  facts.hash = hash >>> 0;
  facts.length = length;
  if (name === 'user') {
    facts.userText = firstText;
    const { provenance } = message;
    if (typeof provenance === 'object' && provenance !== null) {
      const { kind } = provenance as Fields;
      if (typeof kind === 'string' && kind !== 'external_user') facts.flags |= rowFlag.internal;
    }
  } else if (name === 'assistant') {
    if (message.model === 'delivery-mirror' || message.model === 'gateway-injected') facts.flags |= rowFlag.mirror;
  } else if (name === 'toolResult' || name === 'tool') {
    facts.isResult = true;
    facts.resultId = resultIdOf(message);
    facts.resultName = textOrNull(message.toolName) ?? textOrNull(message.name);
    if (message.isError === true) facts.flags |= rowFlag.failed;
    if (firstText.startsWith(syntheticStart)) facts.flags |= rowFlag.synthetic;
  }
}

/** What the product says to the agent after a bare /new or /reset, in place of the command. */
const startupPrompt = 'A new session was started via /new or /reset';

/** Whether a user's text is a reset command, or stands for one: a trigger alone or before a space, behind an envelope like `[Mon 09:00] `. */
export function isCommand(text: string, triggers: readonly string[]): boolean {
  let from = 0;
  while (from < text.length && text.charCodeAt(from) <= 32) from++;
  const first = text.charCodeAt(from);
  if (first === 91) {
    const close = text.indexOf('] ', from);
    if (close !== -1 && close - from < 200) from = close + 2;
  }
  if (text.startsWith(startupPrompt, from)) return true;
  for (const trigger of triggers) {
    if (text.length - from < trigger.length || text.slice(from, from + trigger.length).toLowerCase() !== trigger.toLowerCase()) continue;
    const next = text.charCodeAt(from + trigger.length);
    if (Number.isNaN(next) || next <= 32 || next === 64) return true;
  }
  return false;
}
