import type { ScanResult } from '../model/finding.ts';
import type { GlobalOptions } from './options.ts';
import { printData, textOptions } from './output.ts';

/** The formats of a scan's result. */
export const resultFormats = ['text', 'json', 'jsonl', 'sarif', 'prometheus', 'nagios', 'markdown'] as const;
export type ResultFormat = (typeof resultFormats)[number];

/** The result as text in one of the formats. Renderers are loaded when they are needed. */
export async function renderResult(result: ScanResult, format: ResultFormat, options: GlobalOptions, paths: readonly string[]): Promise<string> {
  switch (format) {
    case 'json':
      return (await import('../report/json.ts')).renderJson(result);
    case 'jsonl':
      return (await import('../report/json.ts')).renderJsonl(result);
    case 'text':
      return (await import('../report/text.ts')).renderText(result, textOptions(options, paths));
    case 'sarif': {
      const { allChecks } = await import('../checks/index.ts');
      return (await import('../report/sarif.ts')).renderSarif(result, allChecks.map((check) => check.meta));
    }
    case 'prometheus':
      return (await import('../report/prometheus.ts')).renderPrometheus(result, { now: options.now ?? Date.now() });
    case 'nagios':
      return (await import('../report/nagios.ts')).renderNagios(result, options.failOn);
    case 'markdown':
      return (await import('../report/markdown.ts')).renderMarkdown(result, paths);
  }
}

/** Writes text to `-o FILE`, whole or not at all, or to stdout. */
export async function emit(text: string, file: string | undefined): Promise<void> {
  if (file === undefined || file === '-') printData(text);
  else (await import('../io/output-file.ts')).writeOutputFile(file, text);
}

/** The exit code of a command that prints a scan's result: the monitoring plugins' own for nagios, else ours. */
export async function exitCodeFor(result: ScanResult, format: ResultFormat, options: Pick<GlobalOptions, 'failOn'>): Promise<number> {
  if (format === 'nagios') {
    const { nagiosExit, nagiosState } = await import('../report/nagios.ts');
    return nagiosExit[nagiosState(result, options.failOn)];
  }
  return (await import('../checks/scan.ts')).exitCodeOf(result, options.failOn);
}
