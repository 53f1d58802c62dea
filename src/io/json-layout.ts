import { readNode } from './json-text.ts';

const indent = '  ';

/** Escapes all beyond ASCII, as Python does by default. In a JSON text such characters stand inside strings only. */
function ascii(text: string): string {
  return text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function layOut(text: string, depth: number): string {
  const node = readNode(text, 0);
  if (node.kind === 'scalar') return text.slice(node.span.start, node.span.end);
  const [open, close] = node.kind === 'object' ? ['{', '}'] : ['[', ']'];
  if (node.members.length === 0) return `${open}${close}`;
  const inner = indent.repeat(depth + 1);
  const lines = node.members.map(({ start, value }) => {
    const key = node.kind === 'object' ? `${text.slice(start, value.start).replace(/\s*:\s*$/, '')}: ` : '';
    return `${inner}${key}${layOut(text.slice(value.start, value.end), depth + 1)}`;
  });
  return `${open}\n${lines.join(',\n')}\n${indent.repeat(depth)}${close}`;
}

/**
 * Lays a JSON text out as Python's `json.dump(…, indent=2)` does, which Hermes uses; `depth` is how deep it will stand. Numbers
 * and texts keep their tokens, so that no float loses its point and no large number its digits. Throws where it is no JSON.
 */
export function pythonLayout(text: string, depth = 0): string {
  return layOut(ascii(text), depth);
}

/** A JSON object of JSON texts under their keys, in the same layout. */
export function pythonObject(entries: readonly { key: string; json: string }[]): string {
  if (entries.length === 0) return '{}';
  return `{\n${entries.map(({ key, json }) => `${indent}${ascii(JSON.stringify(key))}: ${pythonLayout(json, 1)}`).join(',\n')}\n}`;
}
