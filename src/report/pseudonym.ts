import { createHmac } from 'node:crypto';
import { isInnerKey, isSendable, keyWords } from './bundle-words.ts';

const shapes: readonly RegExp[] = [
  /^\d{4}-\d\d-\d\d(T[\d:.]+Z?)?$/, // times
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, // session ids of OpenClaw
  /^(ses|msg|prt|evt|per|wrk)_[0-9A-Za-z-]{10,40}$/, // ids of opencode and MiMo-Code
  /^\d{8}_\d{6}_[0-9a-f]{6,8}$/, // session ids of Hermes
  /^(?=.*[a-f])[0-9a-f]{8,16}$/, // entry ids; digits alone may be a phone or a chat
  /^\d{1,6}$/, // row and message numbers; longer ones may be a phone or a chat
];

const archiveName = /^([0-9a-f-]{36})(-topic-[^.]+)?(\.jsonl(?:\.(?:reset|deleted|bak)\.[\dTZ.-]+)?(?:\.[0-9a-f]{32})?(?:\.zst)?)$/i;

export type Pseudonymiser = {
  /** The same name for the same text under the same salt; says nothing of it. */
  name(text: string): string;
  /** A chat key with its structure, its people and places replaced. */
  key(key: string): string;
  /** A value of evidence: times, ids and words of the check stay, any other text becomes a name. */
  value(value: unknown, key?: string): unknown;
  /** A file name: ids and endings stay. */
  file(name: string): string;
};

/** Names instead of personal texts, the same for the same text as long as `salt` is the same. Unknown texts are replaced, known shapes are kept. */
export function createPseudonymiser(salt: string): Pseudonymiser {
  const name = (text: string): string => `x-${createHmac('sha256', salt).update(text).digest('hex').slice(0, 8)}`;
  const text = (value: string): string => (shapes.some((shape) => shape.test(value)) ? value : archiveName.test(value) ? file(value) : name(value));
  const file = (value: string): string => {
    const archive = archiveName.exec(value);
    if (archive) return `${archive[1]}${archive[2] === undefined ? '' : `-topic-${name(archive[2])}`}${archive[3]}`;
    const dot = value.indexOf('.');
    const stem = dot <= 0 ? value : value.slice(0, dot);
    const rest = dot <= 0 ? '' : value.slice(dot);
    if (['sessions.json', 'openclaw.json', 'config.yaml', 'state.db', 'opencode.db', 'mimocode.db', 'openclaw-agent.sqlite', 'sessions'].includes(value)) return value;
    return `${shapes.some((shape) => shape.test(stem)) ? stem : name(stem)}${/^(\.(jsonl|json|db|sqlite|lock|zst|trajectory|bak|wal|shm))*$/.test(rest) ? rest : ''}`;
  };
  const key = (value: string): string =>
    value
      .split(':')
      .map((word) => (keyWords.has(word) || shapes[1]?.test(word) ? word : name(word)))
      .join(':');
  const value = (input: unknown, under = ''): unknown => {
    if (typeof input === 'string') return isSendable(input, under) ? input : text(input);
    if (Array.isArray(input)) return input.map((item) => value(item, under));
    if (typeof input === 'object' && input !== null) return Object.fromEntries(Object.entries(input).map(([inner, item]) => [isInnerKey(inner) ? inner : text(inner), value(item, inner)]));
    return input;
  };
  return {
    name,
    key,
    file,
    value: (input, under) => (under === undefined && typeof input === 'object' && input !== null && !Array.isArray(input) ? Object.fromEntries(Object.entries(input).map(([inner, item]) => [/^[A-Za-z]\w{0,40}$/.test(inner) ? inner : name(inner), value(item, inner)])) : value(input, under)),
  };
}
