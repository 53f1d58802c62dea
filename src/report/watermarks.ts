import type { ReadError } from '../model/finding.ts';
import type { WatermarkRow } from '../model/watermark.ts';
import { count, printable, wrap } from './printable.ts';
import { readerText } from './reader-text.ts';
import { chatName } from './session-name.ts';
import { styleFor, type TextOptions } from './style.ts';

const body = '         ';

function binding(line: WatermarkRow): string {
  if (line.boundTo === null) return 'not bound to a session';
  return line.boundTo === line.session ? 'bound to this session' : `bound to session ${line.boundTo.slice(0, 8)}…`;
}

function sightOf(line: WatermarkRow): string {
  if (line.visible === 0) return 'the transcript shows no channel message';
  return `the transcript shows messages ${line.firstVisible}–${line.lastVisible} (${line.visible})`;
}

function describe(line: WatermarkRow): string {
  switch (line.state) {
    case 'sound':
      return `Message ${line.messageId}, ${binding(line)}: it vouches for ${count(line.vouchesFor, 'visible message')}; ${sightOf(line)}.`;
    case 'malformed':
      return `Cannot be read (${line.wrong.join(', ')}): no reader finds it.`;
    case 'orphaned': {
      const effect = line.honoured ? `hides ${count(line.hiddenRows, 'message')}` : `a build before 2026.7.1 would hide ${count(line.hiddenRows, 'message')}; ${line.reader.endsWith('@unknown') ? 'the build that wrote it' : readerText(line.reader)} ignores it`;
      return `Message ${line.messageId}, ${binding(line)} (${line.reason}): ${effect}; ${sightOf(line)}.`;
    }
  }
}

/** The watermarks as text for people: worst first. */
export function renderWatermarks(lines: readonly WatermarkRow[], errors: readonly ReadError[], stores: number, options: TextOptions): string {
  const style = styleFor(options.color);
  const out: string[] = [];
  const rank = (line: WatermarkRow): number => (line.state === 'orphaned' ? (line.honoured ? 0 : 1) : line.state === 'malformed' ? 2 : 3);
  const shown = [...lines].sort((a, b) => rank(a) - rank(b)).filter((line) => !options.quiet || line.state !== 'sound');
  for (const line of shown) {
    const tag = line.state === 'sound' ? style.good('OK   ') : line.state === 'orphaned' && line.honoured ? style.error('HIDES') : style.warning(line.state === 'malformed' ? 'WRONG' : 'STALE');
    out.push(`  ${tag}  ${style.strong(chatName(line.sessionKey, line.session))}`);
    for (const text of wrap(printable(describe(line)), options.width - body.length)) out.push(`${body}${text}`);
    for (const [name, number] of Object.entries(line.hiddenByArchive)) out.push(`${body}  ${number} in ${printable(name)}`);
    out.push('');
  }
  for (const error of errors) out.push(...wrap(printable(`UNREAD   ${error.message}`), options.width), '');
  if (options.quiet) return out.length === 0 ? '' : `${out.join('\n').trimEnd()}\n`;
  const orphaned = lines.filter((line) => line.state === 'orphaned');
  if (stores === 0 && errors.length === 0) out.push('No OpenClaw store was found: only OpenClaw has watermarks.');
  else if (lines.length === 0 && (stores > 0 || errors.length === 0)) out.push(`No chat${errors.length > 0 ? ' that could be read' : ''} has an ambient watermark.`);
  else {
    const hidden = orphaned.filter((line) => line.honoured).reduce((sum, line) => sum + line.hiddenRows, 0);
    out.push(`${count(lines.length, 'watermark')}, ${orphaned.length} orphaned, ${count(hidden, 'message')} hidden from the agent.`);
    if (orphaned.length > 0) out.push(`Next:  sessionfsck plan${options.paths.map((path) => ` ${printable(path)}`).join('')} --check watermark/orphaned -o plan.json`);
  }
  return `${out.join('\n')}\n`;
}
