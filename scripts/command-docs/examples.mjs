// The section "Example" of each page below docs/checks: what a scan of a sample store prints for one finding of the check.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { allChecks } from '../../dist/checks/index.js';
import { scan } from '../../dist/checks/scan.js';
import { renderText } from '../../dist/report/text.js';

const usualSeverity = new Map(allChecks.map(({ meta }) => [meta.id, meta.severity]));
const now = Date.parse('2026-12-01T12:00:00Z');

/** The lines of one finding in the text of a scan, without the margin that all have. */
function blockOf(result, finding) {
  const store = result.stores.find((one) => one.id === finding.store);
  const text = renderText({ ...result, stores: [store], findings: [finding], errors: [], checksSkipped: [] }, { color: false, verbose: false, quiet: true, width: 80, paths: [] });
  const lines = text.split('\n');
  const from = lines.findIndex((line) => /^ {2}(ERROR|WARN|INFO) /.test(line));
  return lines.slice(from, lines.indexOf('', from)).map((line) => line.slice(2));
}

function section(sample, finding, result) {
  const deep = finding.deep ? ' --deep' : '';
  return `## Example\n\n\`sessionfsck scan sample-data/${sample}/store --zone UTC${deep}\` says:\n\n\`\`\`\n${blockOf(result, finding).join('\n')}\n\`\`\`\n`;
}

/** The pages of all checks as they should be: path below the project and text. A check that no sample shows has no example. */
export async function checkPages(root) {
  const samples = fileURLToPath(new URL('sample-data/', root));
  const found = new Map();
  for (const deep of [false, true]) {
    for (const sample of readdirSync(samples).sort()) {
      const store = `${samples}${sample}/store`;
      if (!existsSync(store)) continue;
      // Where the project lies is no part of an example: neither its name nor where lines break because of it.
      const result = JSON.parse(JSON.stringify(await scan([store], { zone: 'UTC', now, deep })).replaceAll(samples, 'sample-data/'));
      for (const finding of result.findings) {
        const known = found.get(finding.checkId);
        const usual = finding.severity === usualSeverity.get(finding.checkId);
        // Findings at one place come in the order of their fingerprints, which hold the path of the project.
        const place = JSON.stringify([sample, deep, finding.session, finding.location]);
        const earlier = known !== undefined && known.place === place && known.usual === usual && finding.message < known.message;
        if (known === undefined || (usual && !known.usual) || earlier) found.set(finding.checkId, { usual, place, message: finding.message, text: section(sample, { ...finding, deep }, result) });
      }
    }
  }
  const files = {};
  for (const { meta } of allChecks) {
    const path = `docs/checks/${meta.id}.md`;
    const page = readFileSync(new URL(path, root), 'utf8').replace(/\n## Example\n[\s\S]*?(?=\n## |$)/, '\n').trimEnd();
    const example = found.get(meta.id)?.text;
    files[path] = example === undefined ? `${page}\n` : `${page}\n\n${example}`;
  }
  return files;
}
