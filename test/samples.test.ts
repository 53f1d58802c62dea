import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import type { Evidence } from '../src/model/finding.ts';
import { projectRoot, sampleData } from './helpers/paths.ts';
import { scanUntouched } from './helpers/untouched.ts';

/** What a scan of `store/` must find: these findings and no others. Evidence keys that are named must be equal. */
type Expected = {
  zone: string;
  now: string;
  findings: { checkId: string; session: string | null; evidence: Evidence }[];
};

const cases = readdirSync(sampleData, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
formats.default(ajv);
const validate = ajv.compile(JSON.parse(readFileSync(join(projectRoot, 'docs/report.schema.json'), 'utf8')));

describe('sample-data', () => {
  it.each(cases)('%s: exactly the expected findings, and a valid report', async (name) => {
    const expected: Expected = JSON.parse(readFileSync(join(sampleData, name, 'expect.json'), 'utf8'));
    const result = await scanUntouched(join(sampleData, name, 'store'), { zone: expected.zone, now: Date.parse(expected.now) });
    const brief = (finding: { checkId: string; session: string | null }): string => `${finding.checkId} ${finding.session}`;
    expect(result.errors).toEqual([]);
    expect(result.findings.map(brief).sort()).toEqual(expected.findings.map(brief).sort());
    for (const wanted of expected.findings) {
      const candidates = result.findings.filter((finding) => brief(finding) === brief(wanted)).map((finding) => finding.evidence);
      expect(candidates).toContainEqual(expect.objectContaining(wanted.evidence));
    }
    validate(JSON.parse(JSON.stringify(result)));
    expect(validate.errors).toBeNull();
  });
});
