import { isAbsolute, normalize } from 'node:path';
import { products } from '../model/product.ts';
import type { Action } from '../model/step.ts';
import { isObject } from '../model/values.ts';
import { anything, either, fields, flag, fromOne, is, list, number, record, text, whole, type Shape } from './shapes.ts';

const absolute = is('an absolute, plain path', (value) => typeof value === 'string' && isAbsolute(value) && normalize(value) === value && !value.includes('\0'));
const hash = is('a sha256', (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value));
const mode = is('a file mode', (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 0o7777);
const textOrNull = either('a text or null', text, is('null', (value) => value === null));
const oneOf = (words: readonly string[]): Shape => is(`one of ${words.join(', ')}`, (value) => typeof value === 'string' && words.includes(value));

const plainCell = either(
  'a value of a cell',
  textOrNull,
  number,
  fields({ $integer: is('digits', (value) => typeof value === 'string' && /^-?\d{1,19}$/.test(value)) }),
  fields({ $blob: is('base64', (value) => typeof value === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(value)) }),
);
const cells = record(plainCell);
const matching = { table: text, where: cells };
const newCells = record(either('a value of a cell', plainCell, fields({ $count: fields(matching) }), fields({ $arrayLengths: fields({ ...matching, column: text }) }), fields({ $token: oneOf(['hex32']) })));

const path = list(either('a name or an index', text, whole));
const edits = list((value, at) => fields({ op: oneOf(['set', 'remove']), path, ...(isObject(value) && value.op === 'set' ? { after: anything } : { before: anything }) })(value, at));
const packed = fields({ column: text, bytes: text, clear: list(text) });

/** The fields that the engine relies on, by kind of action. */
const actions: { [K in Action['kind']]: Shape } = {
  'edit-json-file': fields({ path: absolute, edits }),
  'edit-json-line': fields({ path: absolute, line: fromOne, sha256: hash, edits }),
  'remove-lines': fields({ path: absolute, line: fromOne, count: fromOne, sha256: hash, sidecar: absolute }),
  'insert-lines': fields({ path: absolute, line: fromOne, lines: list(text) }),
  'rename-file': fields({ path: absolute, to: absolute, sha256: hash }),
  'create-file': fields({ path: absolute, content: text, mode }),
  'replace-file': fields({ path: absolute, sha256: hash, content: text }, { sidecar: absolute }),
  'mirror-rows': fields({ path: absolute, sha256: hash, source: absolute, table: text, keyColumn: text, valueColumn: text, where: cells, keys: list(text), contentSha256: hash, bytes: whole }, { sidecar: absolute }),
  'retire-file': fields({ path: absolute, sha256: hash }),
  'update-rows': fields({ database: absolute, table: text, rows: list(fields({ key: cells, before: cells, after: newCells })) }),
  'edit-json-cell': fields({ database: absolute, table: text, key: cells, column: text, edits }, { packed }),
  'shift-rows': fields({ database: absolute, table: text, where: cells, column: text, shifts: list(fields({ from: whole, by: whole })), rows: whole }),
  'insert-rows': fields({ database: absolute, table: text, rows: list(cells) }),
  'clone-rows': fields({ database: absolute, table: text, keyColumn: text, rows: list(whole), set: cells }),
  'delete-rows': fields({ database: absolute, table: text, rows: list(fields({ key: cells, before: cells })) }),
  'map-ids': fields({ database: absolute, mapping: record(text), columns: list(fields({ table: text, column: text }, { path, embedded: flag, where: cells })) }),
  'drop-triggers': fields({ database: absolute, triggers: list(fields({ name: text, sql: text })) }),
};

const action: Shape = (value, at) => {
  const kind = isObject(value) ? value.kind : undefined;
  if (typeof kind !== 'string') return `${at} has no kind`;
  if (!Object.hasOwn(actions, kind)) return `${at} is an action ${kind}, which does not exist`;
  return actions[kind as Action['kind']](value, `${at} (${kind})`);
};

const stepFields = fields({
  fix: text, class: oneOf(['safe', 'judgement']), store: text, target: text, session: textOrNull, sessionKey: textOrNull, title: text, consequences: list(text), alternatives: list(text),
  findings: list(fields({ checkId: text, fingerprint: text })), actions: list(action),
});

const step: Shape = (value, at) => {
  if (!isObject(value) || typeof value.id !== 'string') return `${at} has no id`;
  if (Array.isArray(value.actions) && value.actions.length === 0) return `step ${value.id} does nothing`;
  return stepFields(value, `step ${value.id}`);
};

const finding = fields({ checkId: text, severity: oneOf(['error', 'warning', 'info']), fingerprint: text, session: textOrNull, sessionKey: textOrNull }, { steps: whole });

const store = fields(
  { id: text, product: oneOf(products), layout: text, path: absolute, label: text, home: absolute, fingerprint: fields({ digest: text, files: whole, bytes: whole }), findings: list(finding) },
  { config: text, only: list(text) },
);

/** A plan as the engine needs it; kind and version are known already. */
export const planShape: Shape = (value, at) =>
  fields({
    tool: fields({ version: text }),
    scan: fields({ zone: text, zoneGiven: flag, now: text, readers: list(text), check: list(text), skip: list(text), deep: flag }),
    stores: list(store),
    steps: list(step),
    left: anything,
  })(value, at);
