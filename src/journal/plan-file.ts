import { lstatSync, rmSync } from 'node:fs';
import { replaceWith, removeIfThere, writeNewFile } from '../io/atomic.ts';
import { kindOf, readSmallFile } from '../io/files.ts';
import { UsageError, errorCode, errorMessage } from '../model/errors.ts';
import { pathsOf, type Action, type Plan, type Step } from '../model/step.ts';
import { isAbsolute, normalize } from 'node:path';
import { isObject } from '../model/values.ts';

/** Bytes of plan that are read at most. */
const largestPlan = 512 * 1024 * 1024;

/** Writes a plan (0600: it names chats) from its pieces. Refuses to overwrite unless `force`. */
export function writePlan(path: string, pieces: Iterable<string>, force: boolean): void {
  if (!force && exists(path)) throw new UsageError(`${path} exists already`, '--force writes it anew');
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    removeIfThere(temporary);
    writeNewFile(temporary, 0o600, (sink) => {
      for (const piece of pieces) sink(Buffer.from(piece, 'utf8'));
    });
    replaceWith(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new UsageError(`${path} could not be written: ${errorMessage(error)}`);
  }
}

function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw new UsageError(`${path} cannot be looked at: ${errorMessage(error)}`);
  }
}

const kinds: Record<Action['kind'], readonly string[]> = {
  'edit-json-file': ['path', 'edits'],
  'edit-json-line': ['path', 'line', 'sha256', 'edits'],
  'remove-lines': ['path', 'line', 'count', 'sha256', 'sidecar'],
  'insert-lines': ['path', 'line', 'lines'],
  'rename-file': ['path', 'to', 'sha256'],
  'create-file': ['path', 'content', 'mode'],
  'replace-file': ['path', 'sha256', 'content'],
  'retire-file': ['path', 'sha256'],
  'update-rows': ['database', 'table', 'rows'],
  'edit-json-cell': ['database', 'table', 'key', 'column', 'edits'],
  'shift-rows': ['database', 'table', 'where', 'column', 'shifts'],
  'insert-rows': ['database', 'table', 'rows'],
  'clone-rows': ['database', 'table', 'keyColumn', 'rows', 'set'],
  'delete-rows': ['database', 'table', 'rows'],
  'map-ids': ['database', 'mapping', 'columns'],
  'drop-triggers': ['database', 'triggers'],
};

const fieldTypes: { [field: string]: (value: unknown) => boolean } = {
  path: isText, to: isText, sidecar: isText, database: isText, table: isText, column: isText, keyColumn: isText, content: isText,
  sha256: (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
  line: isCount, count: isCount, mode: (value) => Number.isInteger(value),
  edits: Array.isArray, lines: Array.isArray, shifts: Array.isArray, rows: Array.isArray, columns: Array.isArray, triggers: Array.isArray,
  key: isObject, where: isObject, set: isObject, mapping: isObject,
};

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1;
}

function checkStep(step: Step): string | null {
  for (const field of ['id', 'fix', 'class', 'store', 'target', 'title'] as const) if (typeof step[field] !== 'string') return `a step without ${field}`;
  if (step.class !== 'safe' && step.class !== 'judgement') return `step ${step.id} of class ${String(step.class)}`;
  if (!Array.isArray(step.actions) || step.actions.length === 0) return `step ${step.id} does nothing`;
  if (!Array.isArray(step.findings) || !Array.isArray(step.consequences) || !Array.isArray(step.alternatives)) return `step ${step.id} is incomplete`;
  for (const action of step.actions) {
    const fields = Object.hasOwn(kinds, action.kind) ? kinds[action.kind] : undefined;
    if (fields === undefined) return `step ${step.id} has an action ${String(action.kind)}, which does not exist`;
    for (const field of fields) {
      const value: unknown = Reflect.get(action, field);
      if (!fieldTypes[field]?.(value)) return `step ${step.id}: ${action.kind} without a usable ${field}`;
    }
    if (action.kind === 'replace-file' && action.sidecar !== undefined && !isText(action.sidecar)) return `step ${step.id}: replace-file without a usable sidecar`;
    for (const path of pathsOf(action)) if (!isAbsolute(path) || normalize(path) !== path || path.includes('\0')) return `step ${step.id}: ${path} is no absolute, plain path`;
  }
  return null;
}

/** Reads a plan file. Throws UsageError where it is none or was edited into something that cannot be done. */
export function readPlan(path: string): { plan: Plan; text: string } {
  if (kindOf(path) === 'missing') throw new UsageError(`${path} does not exist`, 'make one with sessionfsck plan PATH -o plan.json');
  const text = readSmallFile(path, largestPlan).toString('utf8');
  let plan: Plan;
  try {
    plan = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${errorMessage(error)}`, 'sessionfsck plan makes a new one');
  }
  if (typeof plan !== 'object' || plan === null || plan.kind !== 'sessionfsck-plan') throw new UsageError(`${path} is not a plan`, 'sessionfsck plan PATH -o plan.json makes one');
  if (plan.schemaVersion !== 1) throw new UsageError(`${path} is a plan of version ${String(plan.schemaVersion)}; this program reads version 1`);
  if (!Array.isArray(plan.steps) || !Array.isArray(plan.stores) || !Array.isArray(plan.left) || !isObject(plan.scan)) throw new UsageError(`${path} is not a whole plan`, 'sessionfsck plan makes a new one');
  for (const store of plan.stores) {
    if (![store.id, store.path, store.home, store.label].every(isText) || !isObject(store.fingerprint) || !Array.isArray(store.findings)) throw new UsageError(`${path} is not a whole plan: a store is incomplete`, 'sessionfsck plan makes a new one');
  }
  const seen = new Set<string>();
  for (const step of plan.steps) {
    const problem = checkStep(step) ?? (seen.has(step.id) ? `two steps are called ${step.id}` : null);
    if (problem !== null) throw new UsageError(`${path} cannot be done: ${problem}`, 'sessionfsck plan makes a new one');
    seen.add(step.id);
  }
  return { plan, text };
}
