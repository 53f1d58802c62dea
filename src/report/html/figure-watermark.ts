import type { Finding } from '../../model/finding.ts';
import { count, groupDigits, shorten } from '../printable.ts';
import { countsAt, numberAt, textAt } from './read-evidence.ts';
import { label, line, picture, pictureWidth, rect } from './svg.ts';

/** What a watermark hides: archived messages up to it, in archive order, then what the agent sees. null without hidden rows. */
export function watermarkFigure(finding: Finding): string | null {
  const archives = countsAt(finding.evidence, 'hiddenByArchive').sort(([a], [b]) => (archiveTime(a) < archiveTime(b) ? -1 : 1));
  const hidden = numberAt(finding.evidence, 'hiddenRows') ?? 0;
  if (hidden === 0) return null;
  const parts: [string, number][] = archives.length > 0 ? archives : [['before the last reset', hidden]];
  const inside = archives.length > 0 ? 'in ' : '';
  const seenWidth = 150;
  const width = pictureWidth - seenWidth - 12;
  const total = parts.reduce((sum, [, rows]) => sum + rows, 0);
  const shapes: string[] = [];
  let x = 0;
  for (const [index, [name, rows]] of parts.entries()) {
    const part = (rows / total) * width;
    shapes.push(rect(x, 34, part - 2, 40, index % 2 === 0 ? 'lost' : 'lost second', `${count(rows, 'message')} ${inside}${name}`));
    if (part > 34) shapes.push(label(x + 8, 59, groupDigits(rows), 'onlost'));
    shapes.push(label(0, 112 + index * 18, `${groupDigits(rows)} ${inside}${shorten(name, 96)}`, 'small'));
    x += part;
  }
  const mark = textAt(finding.evidence, 'watermark');
  const first = textAt(finding.evidence, 'firstVisible');
  shapes.push(
    label(0, 24, `hidden from the agent: ${groupDigits(hidden)}`, 'name'),
    line(width + 2, 8, width + 2, 86, 'mark'),
    label(width - 4, 92, mark === null ? 'watermark' : `watermark: message ${shorten(mark, 24)}`, 'small', 'end'),
    rect(width + 7, 34, seenWidth, 40, 'new', 'what the agent sees'),
    label(width + 14, 24, 'visible', 'name'),
    label(width + 14, 59, first === null ? '' : `from ${shorten(first, 14)} on`, 'onnew'),
  );
  return picture(`The watermark hides ${count(hidden, 'message')} in ${count(parts.length, 'place')}; the agent sees only what comes after it`, 100 + parts.length * 18, shapes);
}

function archiveTime(name: string): string {
  return /\.(\d{4}-\d\d-\d\dT[\d-]+)/.exec(name)?.[1] ?? name;
}
