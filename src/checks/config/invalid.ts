import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import { readResetConfig } from '../../readers/openclaw/reset-config.ts';
import type { HermesSnapshot, ResetPolicyFacts } from '../../stores/hermes/types.ts';
import type { OpenclawSnapshot } from '../../stores/openclaw/types.ts';
import { defineCheck } from '../check.ts';

const assumed = 'Until it is mended, the default policy is assumed here; the product may refuse to start, or run with its last good copy.';

function* inOpenclaw({ config }: OpenclawSnapshot): Iterable<FindingDraft> {
  const location = { path: config.path };
  if (config.state === 'invalid') {
    const place = /line:column (\d+):/.exec(config.error ?? '');
    yield {
      session: null,
      message: `The configuration cannot be read: ${config.error ?? 'it is not JSON5'}.`,
      details: [assumed, 'Good copies lie beside it: openclaw.json.last-good, openclaw.json.bak.'],
      location: place ? { ...location, line: Number(place[1]) } : location,
      evidence: { reason: 'not-parsed', error: config.error },
      record: 'file',
    };
    return;
  }
  const { problems } = readResetConfig(config.session);
  if (problems.length === 0) return;
  yield {
    session: null,
    message: `The reset policy has ${problems.length === 1 ? 'a value' : `${problems.length} values`} that the product does not take: ${problems.slice(0, 5).map((problem) => problem.place).join(', ')}.`,
    details: [...problems.slice(0, 20).map((problem) => `${problem.place}: ${problem.found}, wanted ${problem.wanted}`), assumed],
    location,
    evidence: { reason: 'wrong-types', places: problems.map((problem) => problem.place) },
    record: 'file',
  };
}

function* inHermes({ config }: HermesSnapshot): Iterable<FindingDraft> {
  for (const file of config.files) {
    if (file.problem === null) continue;
    yield {
      session: null,
      message: `The configuration cannot be read: ${file.problem.message}.`,
      details: [assumed],
      location: file.problem.line === null ? { path: file.path } : { path: file.path, line: file.problem.line },
      evidence: { reason: 'not-parsed', error: file.problem.message },
      record: file.path,
    };
  }
  const { reset } = config;
  const places = (name: string, facts: ResetPolicyFacts | null): string[] => (facts?.wrong ?? []).map((field) => (field === name ? name : `${name}.${field}`));
  const wrong = [
    ...places('session_reset', reset.standard),
    ...Object.entries(reset.byPlatform).flatMap(([platform, facts]) => places(`reset_by_platform.${platform}`, facts)),
    ...Object.entries(reset.byType).flatMap(([type, facts]) => places(`reset_by_type.${type}`, facts)),
  ];
  if (wrong.length === 0) return;
  yield {
    session: null,
    message: `The reset policy has ${wrong.length === 1 ? 'a value' : `${wrong.length} values`} of a wrong type or out of range: ${wrong.slice(0, 5).join(', ')}.`,
    details: [assumed],
    location: { path: reset.path },
    evidence: { reason: 'wrong-types', places: wrong },
    record: reset.path,
  };
}

export default defineCheck({
  meta: {
    id: 'config/invalid',
    severity: 'warning',
    title: 'the configuration cannot be read, or its reset policy has wrong types',
    products: ['openclaw', 'hermes'],
    fix: noFix,
    affects: 'every reader: defaults are assumed for what cannot be read',
  },
  openclaw: { store: inOpenclaw },
  hermes: { store: inHermes },
});
