import { isDeepStrictEqual } from 'node:util';
import { RefusedError } from '../model/errors.ts';
import type { JsonEdit, JsonPath } from '../model/step.ts';
import { readNode, type JsonMember, type JsonNode, type JsonSpan } from './json-text.ts';
import { orderSplices, type Splice } from './splice.ts';

const bom = '\u00ef\u00bb\u00bf';

function refuse(where: string, path: JsonPath, what: string): never {
  throw new RefusedError(`${where}: ${pathText(path)} ${what}`, 'the store changed since the plan, or the plan was edited: make a new plan');
}

/** `a["b c"][0]`, as a person would write it. */
export function pathText(path: readonly (string | number)[]): string {
  if (path.length === 0) return 'the root';
  return path.map((part, index) => (typeof part === 'string' && /^[A-Za-z_$][\w$]*$/.test(part) ? (index === 0 ? part : `.${part}`) : `[${JSON.stringify(part)}]`)).join('');
}

function only(node: JsonNode, key: string | number, where: string, path: JsonPath): JsonMember | null {
  const found = node.members.filter((member) => member.key === key);
  if (found.length > 1) refuse(where, path, `stands ${found.length} times`);
  return found[0] ?? null;
}

function valueAt(text: string, span: JsonSpan): unknown {
  return JSON.parse(Buffer.from(text.slice(span.start, span.end), 'latin1').toString('utf8'));
}

const encode = (text: string): Buffer => Buffer.from(text, 'utf8');

function addition(text: string, node: JsonNode, key: string | number, after: unknown): Splice {
  const last = node.members.at(-1);
  const name = node.kind === 'object' ? JSON.stringify(key) : '';
  if (!last) return { offset: node.span.start + 1, length: 0, bytes: encode(`${name}${name ? ':' : ''}${JSON.stringify(after)}`) };
  // The same white space as before the last member and around its colon.
  const index = node.members.length - 1;
  const from = index === 0 ? node.span.start + 1 : (node.members[index - 1]?.value.end ?? node.span.start) + 1;
  const lead = text.slice(from, last.start).replace(/^\s*,/, '');
  const colon = node.kind === 'object' ? text.slice(last.start, last.value.start).replace(/^"(?:[^"\\]|\\.)*"/, '') : '';
  return { offset: last.value.end, length: 0, bytes: Buffer.concat([Buffer.from(`,${/^\s*$/.test(lead) ? lead : ''}`, 'latin1'), encode(name), Buffer.from(colon, 'latin1'), encode(JSON.stringify(after))]) };
}

/**
 * The byte ranges that change when `edits` are made in a JSON text (given as latin1, one character a byte). Throws
 * RefusedError where a before-value does not hold; `where` names the text in messages.
 */
export function jsonSplices(text: string, edits: readonly JsonEdit[], where: string): Splice[] {
  const start = text.startsWith(bom) ? bom.length : 0;
  const splices: Splice[] = [];
  for (const group of groupByParent(edits)) {
    const node = descend(text, start, group.parent, where);
    const gone = new Set<JsonMember>();
    for (const edit of group.edits) {
      const key = edit.path.at(-1);
      if (key === undefined) {
        if (edit.op === 'remove' || edit.before === undefined) refuse(where, edit.path, 'cannot be removed or added');
        if (!isDeepStrictEqual(valueAt(text, node.span), edit.before)) refuse(where, edit.path, 'is no longer what the plan saw');
        splices.push({ offset: node.span.start, length: node.span.end - node.span.start, bytes: encode(JSON.stringify(edit.after)) });
        continue;
      }
      const member = only(node, key, where, edit.path);
      if (edit.before === undefined) {
        if (member) refuse(where, edit.path, 'exists already');
        if (edit.op === 'set') splices.push(addition(text, node, key, edit.after));
        continue;
      }
      if (!member) refuse(where, edit.path, 'is not there any more');
      if (!isDeepStrictEqual(valueAt(text, member.value), edit.before)) refuse(where, edit.path, 'is no longer what the plan saw');
      if (edit.op === 'set') splices.push({ offset: member.value.start, length: member.value.end - member.value.start, bytes: encode(JSON.stringify(edit.after)) });
      else gone.add(member);
    }
    splices.push(...removals(node, gone));
  }
  return orderSplices(splices, where);
}

/** Several members of one object may go at once: runs of neighbours are cut as one. */
function removals(node: JsonNode, gone: ReadonlySet<JsonMember>): Splice[] {
  if (gone.size === 0) return [];
  if (gone.size === node.members.length) return [{ offset: node.span.start + 1, length: node.span.end - node.span.start - 2, bytes: encode('') }];
  const splices: Splice[] = [];
  let index = 0;
  while (index < node.members.length) {
    const first = node.members[index];
    if (!first || !gone.has(first)) {
      index++;
      continue;
    }
    let end = index;
    while (end + 1 < node.members.length && gone.has(node.members[end + 1] as JsonMember)) end++;
    const next = node.members[end + 1];
    const previous = node.members[index - 1];
    const last = node.members[end] as JsonMember;
    if (next) splices.push({ offset: first.start, length: next.start - first.start, bytes: encode('') });
    else if (previous) splices.push({ offset: previous.value.end, length: last.value.end - previous.value.end, bytes: encode('') });
    index = end + 1;
  }
  return splices;
}

function descend(text: string, start: number, path: JsonPath, where: string): JsonNode {
  let node = readNode(text, start);
  for (const [depth, part] of path.entries()) {
    const member = only(node, part, where, path.slice(0, depth + 1));
    if (!member) refuse(where, path.slice(0, depth + 1), 'is not there any more');
    node = readNode(text, member.value.start);
  }
  return node;
}

function groupByParent(edits: readonly JsonEdit[]): { parent: JsonPath; edits: JsonEdit[] }[] {
  const groups = new Map<string, { parent: JsonPath; edits: JsonEdit[] }>();
  for (const edit of edits) {
    const parent = edit.path.slice(0, -1);
    const key = JSON.stringify([edit.path.length === 0, parent]);
    const group = groups.get(key) ?? { parent, edits: [] };
    group.edits.push(edit);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** A JSON text with edits made; bytes that no edit names stay as they are. */
export function editJson(text: string, edits: readonly JsonEdit[], where: string): string {
  const latin1 = Buffer.from(text, 'utf8').toString('latin1');
  let out = '';
  let position = 0;
  for (const { offset, length, bytes } of jsonSplices(latin1, edits, where)) {
    out += latin1.slice(position, offset) + bytes.toString('latin1');
    position = offset + length;
  }
  return Buffer.from(out + latin1.slice(position), 'latin1').toString('utf8');
}
