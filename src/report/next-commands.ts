import type { ScanResult } from '../model/finding.ts';

/** The commands that help next, each with why; the plan first. `paths` are the PATH words as typed. */
export function nextCommands(result: Pick<ScanResult, 'findings'>, paths: readonly string[]): [command: string, why: string][] {
  const words = paths.length > 0 ? ` ${paths.map(shellQuote).join(' ')}` : '';
  const has = (area: string): boolean => result.findings.some((finding) => finding.checkId.startsWith(area));
  const commands: [string, string][] = [];
  if (result.findings.some((finding) => finding.fix.class !== 'none')) commands.push([`sessionfsck plan${words} -o plan.json`, 'see what would be done']);
  if (has('history/') || has('migration/') || has('store/quarantined-copy') || has('watermark/orphaned') || has('db/orphan-rows') || has('compaction/stranded-rows')) commands.push([`sessionfsck recover${words} -o recovered`, 'write out hidden messages']);
  if (has('reset/')) commands.push([`sessionfsck resets${words}`, 'who ended which chat']);
  if (has('order/')) commands.push([`sessionfsck wraps${words}`, 'sessions around the id wrap']);
  const first = result.findings[0];
  if (first) commands.push([`sessionfsck explain ${first.checkId}`, 'what this means']);
  return commands;
}

function shellQuote(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
