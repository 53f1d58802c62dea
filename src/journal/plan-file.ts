import { lstatSync } from 'node:fs';
import { removeIfThere, replaceWith, writeNewFile } from '../io/atomic.ts';
import { kindOf, readSmallFile } from '../io/files.ts';
import { reasonOf, removeQuietly } from '../io/output-file.ts';
import { UsageError, errorCode, errorMessage, syntaxProblem } from '../model/errors.ts';
import type { Plan } from '../model/step.ts';
import { planShape } from './plan-shape.ts';
import { resolve } from 'node:path';

/** Bytes of plan that are read at most. */
const largestPlan = 512 * 1024 * 1024;

/** Writes a plan (0600: it names chats) from its pieces. Refuses to overwrite unless `force`. */
export function writePlan(path: string, pieces: Iterable<string>, force: boolean): void {
  if (!force && exists(path)) throw new UsageError(`${path} exists already`, 'name another file with -o FILE, or write this one anew with --force');
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    removeIfThere(temporary);
    writeNewFile(temporary, 0o600, (sink) => {
      for (const piece of pieces) sink(Buffer.from(piece, 'utf8'));
    });
    replaceWith(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw new UsageError(`${path} could not be written: ${reasonOf(error, resolve(path))}`, 'name another place with -o FILE');
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

/** Where in the text JSON.parse gave up, as an editor counts: the message has an offset, or nothing where the text just ends. */
function parseProblem(text: string, error: unknown): string {
  const message = syntaxProblem(error);
  const offset = /at position (\d+)/.exec(message);
  const before = text.slice(0, offset === null ? text.length : Number(offset[1]));
  const line = before.split('\n').length;
  return `line ${line}, column ${before.length - before.lastIndexOf('\n')}: ${message.replace(/ (in JSON )?at position.*$/s, '')}`;
}

/** Reads a plan file. Throws UsageError where it is none or was edited into something that cannot be done. */
export function readPlan(path: string): { plan: Plan; text: string } {
  if (kindOf(path) === 'missing') throw new UsageError(`${path} does not exist`, 'make one with sessionfsck plan PATH -o plan.json');
  const text = readSmallFile(path, largestPlan).toString('utf8');
  let plan: Plan;
  try {
    plan = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${parseProblem(text, error)}`, 'sessionfsck plan makes a new one');
  }
  if (typeof plan !== 'object' || plan === null || plan.kind !== 'sessionfsck-plan') throw new UsageError(`${path} is not a plan`, 'sessionfsck plan PATH -o plan.json makes one');
  if (plan.schemaVersion !== 1) throw new UsageError(`${path} is a plan of version ${String(plan.schemaVersion)}; this program reads version 1`, 'sessionfsck plan makes a new one');
  const problem = planShape(plan, 'plan') ?? doubled(plan);
  if (problem !== null) throw new UsageError(`${path} cannot be done: ${problem.replace(/^plan\./, '')}`, 'put it right, take the step out, or make a new plan');
  return { plan, text };
}

function doubled(plan: Plan): string | null {
  const seen = new Set<string>();
  for (const { id } of plan.steps) {
    if (seen.has(id)) return `two steps are called ${id}`;
    seen.add(id);
  }
  const stores = new Set(plan.stores.map((store) => store.id));
  const stray = plan.steps.find((step) => !stores.has(step.store));
  return stray === undefined ? null : `step ${stray.id} names a store that the plan does not have`;
}
