/** Where values lie in a JSON text. Offsets count bytes: the text is given as latin1, one character a byte. */
export type JsonSpan = { start: number; end: number };

export type JsonMember = {
  /** From the opening quote of the key (or the item itself in an array) to the end of the value. */
  start: number;
  key: string | number;
  value: JsonSpan;
};

export type JsonNode = { span: JsonSpan; kind: 'object' | 'array' | 'scalar'; members: JsonMember[] };

/** Thrown where a text is not JSON; `offset` in bytes. */
export class JsonTextError extends Error {
  readonly offset: number;
  constructor(offset: number) {
    super(`no JSON at byte ${offset}`);
    this.offset = offset;
  }
}

const space = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && space(text.charCodeAt(at))) at++;
  return at;
}

function skipString(text: string, from: number): number {
  if (text.charCodeAt(from) !== 34) throw new JsonTextError(from);
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) return at + 1;
    if (code === 92) at++;
  }
  throw new JsonTextError(from);
}

/** The end of the value that begins at `from`. Not recursive: depth costs no stack. */
export function skipValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  for (;;) {
    at = skipSpace(text, at);
    const code = text.charCodeAt(at);
    if (code === 34) at = skipString(text, at);
    else if (code === 123 || code === 91) {
      depth++;
      at++;
      continue;
    } else if (code === 125 || code === 93) {
      depth--;
      at++;
    } else if (code === 44 || code === 58) {
      if (depth === 0) throw new JsonTextError(at);
      at++;
      continue;
    } else {
      const begin = at;
      while (at < text.length && !/[\s,:\]}]/.test(text[at] ?? '')) at++;
      if (at === begin) throw new JsonTextError(at);
    }
    if (depth === 0) return at;
    if (depth < 0) throw new JsonTextError(at);
  }
}

function decodeKey(token: string): string {
  const key: unknown = JSON.parse(Buffer.from(token, 'latin1').toString('utf8'));
  return String(key);
}

/** The value at `from` with its direct members. Throws JsonTextError. */
export function readNode(text: string, from: number): JsonNode {
  const start = skipSpace(text, from);
  const open = text.charCodeAt(start);
  if (open !== 123 && open !== 91) return { span: { start, end: skipValue(text, start) }, kind: 'scalar', members: [] };
  const isObject = open === 123;
  const close = isObject ? 125 : 93;
  const members: JsonMember[] = [];
  let at = skipSpace(text, start + 1);
  if (text.charCodeAt(at) === close) return { span: { start, end: at + 1 }, kind: isObject ? 'object' : 'array', members };
  for (;;) {
    const begin = at;
    let key: string | number = members.length;
    if (isObject) {
      const end = skipString(text, at);
      key = decodeKey(text.slice(at, end));
      at = skipSpace(text, end);
      if (text.charCodeAt(at) !== 58) throw new JsonTextError(at);
      at = skipSpace(text, at + 1);
    }
    const end = skipValue(text, at);
    members.push({ start: begin, key, value: { start: at, end } });
    at = skipSpace(text, end);
    const code = text.charCodeAt(at);
    if (code === close) return { span: { start, end: at + 1 }, kind: isObject ? 'object' : 'array', members };
    if (code !== 44) throw new JsonTextError(at);
    at = skipSpace(text, at + 1);
  }
}
