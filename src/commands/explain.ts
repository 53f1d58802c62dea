import type { Command } from 'commander';
import { exitCodeHelp, formatOf, globalOptions } from './options.ts';
import { printData } from './output.ts';
import { wrap } from '../report/printable.ts';

const help = `
A fix such as rekey-prewrap-ids is explained by the pages of the checks whose
findings it settles; an area such as order lists its checks.
`;

export function define(program: Command): void {
  program
    .command('explain')
    .argument('[CHECK]', 'a check such as order/wedged-session, an area or a fix; without one, all are listed')
    .description('what a check means, how it decides, what its fix does')
    .addHelpText('after', help + exitCodeHelp)
    .action(async (id: string | undefined, _options: unknown, command: Command) => {
      const format = formatOf(globalOptions(command), ['text', 'json']);
      const { allChecks } = await import('../checks/index.ts');
      const metas = allChecks.map((check) => check.meta);
      const chosen = id === undefined ? metas : metas.filter((meta) => meta.id.startsWith(`${id}/`));
      if (chosen.length > 0) return printData(format === 'json' ? await json({ checks: chosen }) : listOf(chosen));
      const meta = metas.find((candidate) => candidate.id === id);
      if (meta) return printData(format === 'json' ? await json({ ...meta, page: await page(meta.id) }) : await page(meta.id));
      const { allFixes } = await import('../fixes/index.ts');
      const fix = allFixes.find((candidate) => candidate.meta.id === id)?.meta;
      if (fix) return printData(format === 'json' ? await json({ ...fix }) : await fixPage(fix));
      const { UsageError } = await import('../model/errors.ts');
      const { didYouMean } = await import('../model/near.ts');
      const word = id ?? '';
      throw new UsageError(`no check, area or fix is called ${word}${didYouMean(word, [...metas.map((known) => known.id), ...allFixes.map((known) => known.meta.id)])}`, 'sessionfsck explain lists all checks');
    });
}

async function json(value: object): Promise<string> {
  return `${(await import('../report/printable.ts')).safeJson({ schemaVersion: 1, ...value }, 2)}\n`;
}

async function page(checkId: string): Promise<string> {
  return (await import('node:fs')).readFileSync(new URL(`../../docs/checks/${checkId}.md`, import.meta.url), 'utf8');
}

function listOf(metas: readonly { id: string; severity: string; title: string }[]): string {
  const widest = Math.max(...metas.map((meta) => meta.id.length));
  const lines = metas.flatMap((meta) => {
    const line = `${meta.id.padEnd(widest)}  ${meta.severity.padEnd(7)}  `;
    return wrap(meta.title, Math.max(30, 80 - line.length)).map((text, index) => `${index === 0 ? line : ' '.repeat(line.length)}${text}\n`);
  });
  return lines.join('');
}

/** What a fix does, by the pages of its checks: their sections "What to do". */
async function fixPage(fix: { id: string; class: string; title: string; checks: readonly string[] }): Promise<string> {
  const parts = [`# ${fix.id}\n\n${fix.title} (${fix.class}).\n`];
  for (const check of fix.checks) {
    const section = /\n## What to do\n([\s\S]*?)(?=\n## |$)/.exec(await page(check))?.[1]?.trim() ?? '';
    parts.push(`\n## For ${check}\n\n${section}\n`);
  }
  return parts.join('');
}
