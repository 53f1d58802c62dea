import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { renderJson } from '../../src/report/json.ts';
import { corpus, hasCorpus, projectRoot } from '../helpers/paths.ts';
import { scanUntouched } from '../helpers/untouched.ts';

const folders = hasCorpus
  ? readdirSync(corpus, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
  : [];

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
formats.default(ajv);
const validate = ajv.compile(JSON.parse(readFileSync(join(projectRoot, 'docs/report.schema.json'), 'utf8')));

describe.skipIf(!hasCorpus)('public transcripts (skipped where ../shared/corpus does not lie beside the project)', () => {
  it.each(folders)('%s: read whole, left alone, the same bytes twice, a valid report', { timeout: 600_000 }, async (name) => {
    const first = await scanUntouched(join(corpus, name));
    const second = await scanUntouched(join(corpus, name));
    expect(renderJson(second)).toBe(renderJson(first));
    expect(first.stores.every((store) => store.unchanged)).toBe(true);
    validate(JSON.parse(renderJson(first)));
    expect(validate.errors).toBeNull();
  });
});

describe('the corpus helper', () => {
  it('names a folder beside the project', () => {
    expect(corpus.endsWith(join('shared', 'corpus'))).toBe(true);
  });
});
