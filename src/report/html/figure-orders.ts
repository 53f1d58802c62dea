import type { Finding } from '../../model/finding.ts';
import { count } from '../printable.ts';
import { numberAt } from './read-evidence.ts';
import { label, line, picture, pictureWidth, pointer, rect } from './svg.ts';

type Block = { rows: number; kind: 'old' | 'new' | 'waiting' | 'lost'; name: string };

const left = 150;
const barWidth = pictureWidth - left - 20;
const barHeight = 26;

/**
 * The two orders of a session around an id boundary, one above the other: as it happened and as a reader by id sorts it.
 * Needs the numbers of an id-wrap-inversion of the same session; null without them.
 */
export function ordersFigure(finding: Finding, siblings: readonly Finding[]): string | null {
  const inversion = [finding, ...siblings].find((candidate) => candidate.checkId === 'order/id-wrap-inversion' && candidate.session === finding.session);
  if (!inversion) return null;
  const before = numberAt(inversion.evidence, 'preWrap');
  const later = numberAt(inversion.evidence, 'v2Rows');
  if (later !== null) return newFormatFigure(before, numberAt(inversion.evidence, 'misplacedRows') ?? 0, later);
  const after = numberAt(inversion.evidence, 'postWrap');
  if (before === null || after === null || before + after === 0) return null;
  const waiting = Math.min(after, numberAt(finding.evidence, 'unansweredPrompts') ?? 0);
  const old: Block = { rows: before, kind: 'old', name: 'before the boundary' };
  const recent: Block[] = [{ rows: after - waiting, kind: 'new', name: 'after it' }, { rows: waiting, kind: 'waiting', name: waiting === 1 ? 'unanswered prompt' : 'unanswered prompts' }];
  const byTime = [old, ...recent];
  const byId = [...recent, old];
  const revert = finding.checkId === 'order/armed-revert' ? numberAt(finding.evidence, 'rowsDeletedByIdOrder') : null;
  const undone = numberAt(finding.evidence, 'rowsAfterRevertByTime') ?? 0;
  const shapes = [...bar('as it happened', byTime, 24), ...bar('as this reader sorts', byId, 82), ...tail(24, 'newest row'), ...tail(82, 'what the reader takes for the newest')];
  let height = 124;
  if (revert !== null) {
    const total = before + after;
    shapes.push(...deletion('meant to be undone', undone, total, 146), ...deletion('the next prompt deletes', revert, total, 172));
    height = 206;
  }
  shapes.push(...legend(byTime, height));
  return picture(`Two orders of the same ${count(before + after, 'row')}: by time, ${before} before the id boundary and then ${after} after it; by id, the ${after} come first`, height + 22, shapes);
}

function newFormatFigure(before: number | null, misplaced: number, later: number): string | null {
  if (misplaced + later === 0) return null;
  const earlier: Block = { rows: before ?? Math.max(1, later), kind: 'old', name: before === null ? 'earlier (not to scale)' : 'before the boundary' };
  const old: Block = { rows: misplaced, kind: 'waiting', name: 'after it in the old format' };
  const rest: Block = { rows: later, kind: 'new', name: 'in the new format' };
  const shapes = [...bar('as it happened', [earlier, old, rest], 24), ...bar('as this reader sorts', [old, earlier, rest], 82), ...legend([earlier, old, rest], 124)];
  return picture(`${count(misplaced, 'row')} written after the id boundary in the old format sort before ${before === null ? 'all older ones' : `the ${before} older ones`}`, 146, shapes);
}

function bar(name: string, blocks: readonly Block[], y: number): string[] {
  const total = blocks.reduce((sum, block) => sum + block.rows, 0);
  const shapes = [label(0, y + 17, name, 'name')];
  let x = left;
  for (const block of blocks) {
    if (block.rows === 0) continue;
    const width = (block.rows / total) * barWidth;
    const cells = Math.min(block.rows, Math.max(1, Math.floor(width / 9)));
    const gap = width / cells > 4 ? 1.5 : 0;
    for (let i = 0; i < cells; i++) shapes.push(rect(x + (i * width) / cells, y, width / cells - gap, barHeight, block.kind, i === 0 ? `${count(block.rows, 'row')} ${block.name}` : ''));
    x += width;
  }
  return shapes;
}

function tail(y: number, name: string): string[] {
  const x = left + barWidth - 4;
  return [pointer(x, y - 1, 'pointer'), label(x - 9, y - 4, name, 'small', 'end')];
}

function deletion(name: string, rows: number, total: number, y: number): string[] {
  const width = (Math.min(rows, total) / total) * barWidth;
  return [label(0, y + 13, name, 'name'), rect(left, y, barWidth, 16, 'empty'), rect(left + barWidth - width, y, width, 16, 'lost', count(rows, 'row')), label(left + 4, y + 12, `${rows} of ${total}`, 'small')];
}

function legend(blocks: readonly Block[], y: number): string[] {
  const shapes: string[] = [line(0, y - 6, pictureWidth, y - 6, 'rule')];
  let x = 0;
  for (const block of blocks) {
    if (block.rows === 0) continue;
    const text = `${block.rows} ${block.name}`;
    shapes.push(rect(x, y + 3, 11, 11, block.kind), label(x + 16, y + 13, text, 'small'));
    x += 16 + text.length * 6.4 + 18;
  }
  return shapes;
}
