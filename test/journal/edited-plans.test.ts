import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPlan } from '../../src/journal/plan-file.ts';
import { FriendlyError } from '../../src/model/errors.ts';
import type { Plan } from '../../src/model/step.ts';
import { sha256Of } from '../../src/io/splice.ts';
import { everyWay } from '../faults/store.ts';
import { contentsOf, journalBench, planOf, type Bench } from '../helpers/journal.ts';
import { temporaryFolder } from '../helpers/paths.ts';

type Bed = { folder: string; plan: Plan; file: string; bench: Bench; before: string[] };

function bed(): Bed {
  const { folder, actions } = everyWay();
  const database = join(folder, 'inner', 'd.db');
  actions.push(
    { kind: 'edit-json-line', path: join(folder, 'a.jsonl'), line: 3, sha256: sha256Of('{"id":"b","parentId":"x"}'), edits: [{ op: 'set', path: ['parentId'], before: 'x', after: 's' }] },
    { kind: 'insert-lines', path: join(folder, 'a.jsonl'), line: 4, lines: ['{"id":"z"}'] },
    { kind: 'create-file', path: join(folder, 'new.json'), content: '{}', mode: 0o600 },
    { kind: 'map-ids', database, mapping: { two: 'deux' }, columns: [{ table: 't', column: 'v' }] },
    { kind: 'clone-rows', database, table: 't', keyColumn: 'id', rows: [2], set: { v: 'four' } },
  );
  return { folder, plan: planOf(folder, actions), file: join(temporaryFolder(), 'plan.json'), bench: journalBench(), before: contentsOf(folder) };
}

/** Reads the file as apply does and rehearses it: what a person is told, or `holds`. */
async function told({ file, bench }: Bed, dryRun = true): Promise<{ code: number; message: string }> {
  try {
    const { plan } = readPlan(file);
    await bench.apply(plan, { dryRun });
    return { code: 0, message: 'holds' };
  } catch (error) {
    if (error instanceof FriendlyError) return { code: error.exitCode, message: error.message };
    return { code: -1, message: String(error instanceof Error ? error.stack : error) };
  }
}

/** Every place inside a value, from the root. */
function* placesIn(value: unknown, at: (string | number)[] = []): Iterable<(string | number)[]> {
  if (at.length > 0) yield at;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* placesIn(inner, [...at, Array.isArray(value) ? Number(name) : name]);
}

function changed(plan: Plan, at: readonly (string | number)[], value: unknown): unknown {
  const copy: unknown = structuredClone(plan);
  let holder: unknown = copy;
  for (const part of at.slice(0, -1)) holder = Reflect.get(Object(holder), part);
  const last = at.at(-1) ?? '';
  if (value === undefined) Reflect.deleteProperty(Object(holder), last);
  else Reflect.set(Object(holder), last, value);
  return copy;
}

type Edit = [name: string, edit: (plan: Plan, bed: Bed) => unknown, code: number, names: RegExp];

const edits: Edit[] = [
  ['a step that is taken out', (plan) => ({ ...plan, steps: [] }), 0, /holds/],
  ['a before-value', (plan) => JSON.parse(JSON.stringify(plan).replace('"before":{"v":"one"}', '"before":{"v":"uno"}')), 3, /t row 1: v is no longer what the plan saw/],
  ['a hash', (plan) => JSON.parse(JSON.stringify(plan).replace(sha256Of('archive'), sha256Of('other'))), 3, /b\.deleted is no longer what the plan saw/],
  ['a hash that is none', (plan) => JSON.parse(JSON.stringify(plan).replace(sha256Of('archive'), 'abc')), 2, /step 1\.actions\[1\] \(rename-file\)\.sha256 is not a sha256/],
  ['a line number', (plan) => changed(plan, ['steps', 0, 'actions', 0, 'line'], 77), 3, /a\.jsonl has no line 77/],
  ['two steps of one id', (plan) => ({ ...plan, steps: [...plan.steps, ...plan.steps] }), 2, /two steps are called 1/],
  ['one step twice under two ids', (plan) => ({ ...plan, steps: [...plan.steps, ...plan.steps.map((step) => ({ ...step, id: '2' }))] }), 3, /two (steps|changes)/],
  ['a step of a store that was taken out', (plan) => ({ ...plan, stores: [] }), 2, /step 1 names a store that the plan does not have/],
  ['a null in the place of a step', (plan) => ({ ...plan, steps: [null] }), 2, /steps\[0\] has no id/],
  ['a misspelt action', (plan) => changed(plan, ['steps', 0, 'actions', 3, 'kind'], 'update-row'), 2, /step 1\.actions\[3\] is an action update-row, which does not exist/],
  ['a key of another type', (plan) => changed(plan, ['steps', 0, 'actions', 3, 'rows', 0, 'key'], 1), 2, /step 1\.actions\[3\] \(update-rows\)\.rows\[0\]\.key is not an object/],
  ['a schema version', (plan) => ({ ...plan, schemaVersion: 2 }), 2, /version 2/],
  ['a plan of another version of the program', (plan) => ({ ...plan, tool: { ...plan.tool, version: '9.9.9' } }), 3, /made by sessionfsck 9\.9\.9/],
  ['a fingerprint', (plan) => changed(plan, ['stores', 0, 'fingerprint', 'digest'], 'x'), 3, /changed since the plan/],
  ['a path that is a link', (plan, { folder }) => {
    const outside = join(temporaryFolder(), 'target');
    writeFileSync(outside, 'archive');
    rmSync(join(folder, 'b.deleted'));
    symlinkSync(outside, join(folder, 'b.deleted'));
    return { ...plan, stores: planOf(folder, []).stores };
  }, 3, /b\.deleted is not a plain file/],
];

describe('a plan that a person edited', () => {
  it.each(edits)('%s', async (_name, edit, code, names) => {
    const made = bed();
    writeFileSync(made.file, JSON.stringify(edit(made.plan, made)));
    const before = contentsOf(made.folder);
    const result = await told(made, false);
    expect(result).toMatchObject({ code, message: expect.stringMatching(names) });
    expect(contentsOf(made.folder)).toEqual(before);
  });

  it('broken JSON is told with line and column', () => {
    const made = bed();
    const lines = JSON.stringify(made.plan, null, 2).split('\n');
    const at = lines.findIndex((line) => line.includes('"retire-file"'));
    lines[at] = lines[at]?.replace(',', '') ?? '';
    writeFileSync(made.file, lines.join('\n'));
    expect(() => readPlan(made.file)).toThrow(new RegExp(`plan\\.json is not JSON: line ${at + 2}, column \\d+: `));
    writeFileSync(made.file, readFileSync(made.file).subarray(0, 100));
    expect(() => readPlan(made.file)).toThrow(/plan\.json is not JSON: line \d+, column \d+: /);
  });

  it('half of a step is taken back when the finding is still there', async () => {
    const made = bed();
    made.plan.steps[0]?.actions.splice(2);
    const finding = { ...(made.plan.stores[0]?.findings[0] ?? { checkId: '', severity: 'error' as const, fingerprint: '', session: null, sessionKey: null }), store: made.plan.stores[0]?.id ?? '' };
    const result = await made.bench.apply(made.plan, {}, [finding]);
    expect(result.rolledBack?.reason).toContain('still there: area/fault');
    expect(contentsOf(made.folder)).toEqual(made.before);
  });

  it('whatever is put in the place of whatever: it holds or is refused in words, and a dry run writes nothing', { timeout: 600_000 }, async () => {
    const made = bed();
    const junk: unknown[] = [undefined, null, -1, 'x', [], {}, [null]];
    const places = [...placesIn(made.plan)].filter((at) => at[0] !== 'left');
    expect(places.length).toBeGreaterThan(100);
    const crashes: unknown[] = [];
    for (const [index, at] of places.entries()) {
      // Each place meets two kinds of junk; neighbours meet the others.
      for (const value of [junk[index % junk.length], junk[(index + 3) % junk.length]]) {
        writeFileSync(made.file, JSON.stringify(changed(made.plan, at, value)));
        const result = await told(made);
        if (result.code === -1) crashes.push({ at: at.join('.'), value, message: result.message });
      }
    }
    expect(crashes).toEqual([]);
    expect(contentsOf(made.folder)).toEqual(made.before);
  });
});
