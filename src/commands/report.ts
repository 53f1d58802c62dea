import type { Command } from 'commander';
import type { CheckPage } from '../report/check-page.ts';
import type { ScanResult } from '../model/finding.ts';
import type { Timeline } from '../model/timeline.ts';
import { emit } from './emit.ts';
import { exitCodeHelp, formatOf, globalOptions, scanOptionsOf, type GlobalOptions } from './options.ts';
import { printNote, printUnread } from './output.ts';

export function define(program: Command): void {
  program
    .command('report')
    .argument('[PATH...]', "state folders, databases or transcripts (default: this user's stores)")
    .description('an HTML or Markdown report for people')
    .requiredOption('-o, --output <FILE>', 'where to write it; - for stdout')
    .addHelpText('after', '\nFormats: html (default), markdown. With --show-text the report also shows what\nthe rows of a finding say; keep it to yourself then.\n')
    .addHelpText('after', exitCodeHelp)
    .action(async (paths: string[], own: { output: string }, command: Command) => {
      const options = globalOptions(command);
      const format = formatOf({ ...options, format: options.format === 'text' ? 'html' : options.format }, ['html', 'markdown']);
      const { exitCodeOf, hostZone, scan, zoneOf } = await import('../checks/scan.ts');
      const { timelineOf } = await import('../checks/timeline.ts');
      const timelines = new Map<string, Timeline>();
      const { watched } = await import('./watch.ts');
      const texts = options.showText ? (await import('./excerpts.ts')).textCollector() : null;
      const scanned = await watched(scanOptionsOf(options), options, (watchedOptions) =>
        scan(paths, {
          ...watchedOptions,
          onScanned(opened, findings, reader) {
            const zone = zoneOf(watchedOptions, opened.snapshot.ref);
            const named = new Set(findings.flatMap((finding) => [finding.session, finding.sessionKey]).filter((name) => name !== null));
            const timeline = timelineOf(opened, { zone: zone ?? hostZone(), zoneGiven: zone !== undefined, now: options.now ?? Date.now(), version: reader.version }, named);
            if (timeline) timelines.set(timeline.store, timeline);
            texts?.see(opened, findings, reader);
          },
        }),
      );
      const result = texts ? texts.attach(scanned) : scanned;
      if (format === 'markdown') {
        await emit((await import('../report/markdown.ts')).renderMarkdown(result, paths), own.output);
      } else {
        await emit(await htmlOf(result, options, paths, timelines), own.output);
      }
      printUnread(result.errors);
      if (own.output !== '-' && !options.quiet) printNote(`written: ${own.output}`);
      process.exitCode = exitCodeOf(result, options.failOn);
    });
}

/** The result as an HTML page. */
export async function htmlOf(result: ScanResult, options: GlobalOptions, paths: readonly string[], timelines: ReadonlyMap<string, Timeline>): Promise<string> {
  const { allChecks } = await import('../checks/index.ts');
  const { hostZone } = await import('../checks/scan.ts');
  const { renderHtml } = await import('../report/html/page.ts');
  return renderHtml(result, {
    now: options.now ?? Date.now(),
    zone: options.zone ?? hostZone(),
    paths,
    checks: allChecks.map((check) => check.meta),
    pages: await pagesOf(result),
    timelines,
  });
}

/** The pages of the checks that have findings, as far as they are there. */
async function pagesOf(result: ScanResult): Promise<Map<string, CheckPage>> {
  const { readFileSync } = await import('node:fs');
  const { parseCheckPage } = await import('../report/check-page.ts');
  const pages = new Map<string, CheckPage>();
  for (const id of new Set(result.findings.map((finding) => finding.checkId))) {
    try {
      pages.set(id, parseCheckPage(readFileSync(new URL(`../../docs/checks/${id}.md`, import.meta.url), 'utf8')));
    } catch {
      // Without its page the finding still has its own words.
    }
  }
  return pages;
}
