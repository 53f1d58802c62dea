import type { Finding } from '../../model/finding.ts';
import { count, groupDigits, shorten } from '../printable.ts';
import { countsAt, numberAt, textAt } from './read-evidence.ts';
import { label, line, picture, pictureWidth, rect } from './svg.ts';

/** Archives that are named under the bar; the rest is counted. */
const namedArchives = 8;
/** Parts that the bar has at most; beyond that, neighbours are drawn as one. */
const drawnArchives = 40;

/**
 * What a watermark hides: archived messages up to it, in archive order, then what the agent sees. Where the reader ignores the
 * watermark (a warning) the same in calm colours, as what an older build would hide. null without hidden rows.
 */
export function watermarkFigure(finding: Finding): string | null {
  const hidden = numberAt(finding.evidence, 'hiddenRows') ?? 0;
  if (hidden === 0) return null;
  const honoured = finding.severity === 'error';
  const [even, odd] = honoured ? ['lost', 'lost second'] : ['old', 'old third'];
  const archives = countsAt(finding.evidence, 'hiddenByArchive').sort(([a], [b]) => (archiveTime(a) < archiveTime(b) ? -1 : 1));
  const all: [name: string, rows: number][] = archives.length > 0 ? archives.map(([name, rows]) => [`in ${name}`, rows]) : [['before the last reset', hidden]];
  const parts = merged(all);
  const seenWidth = 150;
  const width = pictureWidth - seenWidth - 12;
  const total = parts.reduce((sum, [, rows]) => sum + rows, 0);
  const shapes: string[] = [];
  let x = 0;
  for (const [index, [name, rows]] of parts.entries()) {
    const part = (rows / total) * width;
    shapes.push(rect(x, 34, part - 2, 40, index % 2 === 0 ? even : odd, `${count(rows, 'message')} ${name}`));
    if (part > 14 + 7 * groupDigits(rows).length) shapes.push(label(x + 8, 59, groupDigits(rows), 'onlost'));
    x += part;
  }
  for (const [index, [name, rows]] of all.slice(0, namedArchives).entries()) shapes.push(label(0, 112 + index * 18, `${groupDigits(rows)} ${shorten(name, 96)}`, 'small', 'start', name));
  const unnamed = all.slice(namedArchives);
  if (unnamed.length > 0) shapes.push(label(0, 112 + namedArchives * 18, `${groupDigits(unnamed.reduce((sum, [, rows]) => sum + rows, 0))} in ${count(unnamed.length, 'more archive')}`, 'small'));
  const mark = textAt(finding.evidence, 'watermark');
  const first = textAt(finding.evidence, 'firstVisible');
  shapes.push(
    label(0, 24, `${honoured ? 'hidden from the agent' : 'an older build would hide'}: ${groupDigits(hidden)}`, 'name'),
    line(width + 2, 8, width + 2, 86, honoured ? 'mark' : 'mark faint'),
    label(width - 4, 92, mark === null ? 'watermark' : `watermark: message ${shorten(mark, 24)}`, 'small', 'end'),
    rect(width + 7, 34, seenWidth, 40, 'new', first === null ? 'no channel message is visible' : 'what the agent sees'),
    label(width + 14, 24, 'visible', 'name'),
    label(width + 14, 59, first === null ? 'none of them' : `from ${shorten(first, 10)} on`, 'onnew'),
  );
  const places = archives.length > 0 ? `in ${count(archives.length, 'archive')}` : 'before the last reset';
  const says = honoured ? `The watermark hides ${count(hidden, 'message')} ${places}; the agent sees only what comes after it` : `An older build would hide ${count(hidden, 'message')} ${places}; this one ignores the watermark`;
  return picture(says, 100 + Math.min(all.length, namedArchives + 1) * 18, shapes);
}

/** At most `drawnArchives` parts, in order: neighbours beyond that are one part. */
function merged(all: readonly [name: string, rows: number][]): [name: string, rows: number][] {
  if (all.length <= drawnArchives) return [...all];
  const size = Math.ceil(all.length / drawnArchives);
  const parts: [string, number][] = [];
  for (let i = 0; i < all.length; i += size) {
    const group = all.slice(i, i + size);
    parts.push([`in ${count(group.length, 'archive')}`, group.reduce((sum, [, rows]) => sum + rows, 0)]);
  }
  return parts;
}

function archiveTime(name: string): string {
  return /\.(\d{4}-\d\d-\d\dT[\d-]+)/.exec(name)?.[1] ?? name;
}
