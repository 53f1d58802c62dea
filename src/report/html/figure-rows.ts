import type { Finding } from '../../model/finding.ts';
import { rowRanges } from '../generations.ts';
import { count, groupDigits, shorten } from '../printable.ts';
import { numberAt, numbersAt } from './read-evidence.ts';
import { arc, label, picture, pictureWidth, rect } from './svg.ts';

/** Generations of a compaction: what the summary carries, what it left behind, the carrier. Rows by their numbers. */
export function strandedFigure(finding: Finding): string | null {
  const rows = numbersAt(finding.evidence, 'rows');
  const carrier = numberAt(finding.evidence, 'carrier');
  const newest = numberAt(finding.evidence, 'newestCarriedOriginal');
  if (rows.length === 0 || carrier === null) return null;
  const carriedWidth = 210;
  const carrierWidth = 120;
  const strandedWidth = pictureWidth - carriedWidth - carrierWidth - 20;
  const shapes = [
    label(0, 16, 'held by the compressor', 'name'),
    rect(0, 24, carriedWidth, 34, 'old', 'rows that went into the summary'),
    label(8, 46, newest === null ? 'older rows' : `… up to row ${newest}`, 'onold'),
    label(carriedWidth + 10, 16, `archived unseen: ${groupDigits(rows.length)}`, 'name'),
  ];
  const cells = Math.min(rows.length, 24);
  const cell = strandedWidth / cells;
  for (let i = 0; i < cells; i++) {
    const x = carriedWidth + 10 + i * cell;
    const inside = rows.slice(Math.floor((i * rows.length) / cells), Math.floor(((i + 1) * rows.length) / cells));
    shapes.push(rect(x, 24, cell - 2, 34, 'lost', `${inside.length === 1 ? 'row' : 'rows'} ${rowRanges(inside)}`));
    if (inside.length === 1 && cell > 12 + 7 * String(inside[0]).length) shapes.push(label(x + cell / 2 - 1, 46, String(inside[0]), 'onlost', 'middle'));
  }
  const x = pictureWidth - carrierWidth;
  shapes.push(
    label(x, 16, 'live', 'name'),
    rect(x, 24, carrierWidth, 34, 'new', `summary, row ${carrier}`),
    label(x + 8, 46, String(carrier).length < 6 ? `summary ${carrier}` : `row ${shorten(String(carrier), 11)}`, 'onnew'),
    arc(carriedWidth / 2, x + carrierWidth / 2, 60, 'flow', -56),
    label(carriedWidth + 10 + strandedWidth / 2, 76, `in no summary: ${rows.length === 1 ? 'row' : 'rows'} ${shorten(rowRanges(rows), 34)}`, 'small', 'middle'),
    label((carriedWidth / 2 + x + carrierWidth / 2) / 2, 118, 'in the summary', 'small', 'middle'),
  );
  return picture(`Summary row ${carrier} carries rows up to ${newest ?? 'an earlier one'}; ${count(rows.length, 'row')} after that were archived without it`, 126, shapes);
}

/** First copies and their later twins, joined by arcs. */
export function twinsFigure(finding: Finding): string | null {
  const later = numbersAt(finding.evidence, 'rows');
  const first = numbersAt(finding.evidence, 'firstCopies');
  const widest = [...first.slice(0, 10), ...later.slice(0, 10)].reduce((most, row) => Math.max(most, String(row).length), 1);
  const pairs = Math.min(later.length, first.length, 10, Math.max(1, Math.floor((pictureWidth / 2 - 6) / (widest * 8 + 12))));
  if (later.length === 0 || first.length === 0) return null;
  const step = (pictureWidth / 2 - 6) / pairs;
  const shapes = [label(0, 14, 'first copies', 'name'), label(pictureWidth / 2 + 6, 14, 'written again', 'name')];
  for (let i = 0; i < pairs; i++) {
    const a = i * step;
    const b = pictureWidth / 2 + 6 + i * step;
    const width = Math.min(step, 90) - 4;
    shapes.push(rect(a, 56, width, 28, 'old', `row ${first[i]}`), rect(b, 56, width, 28, 'lost', `row ${later[i]}`), label(a + width / 2, 75, String(first[i]), 'onold', 'middle'), label(b + width / 2, 75, String(later[i]), 'onlost', 'middle'));
    shapes.push(arc(a + width / 2, b + width / 2, 54, 'flow'));
  }
  if (later.length > pairs) shapes.push(label(0, 104, `and ${groupDigits(later.length - pairs)} more`, 'small'));
  return picture(`${count(later.length, 'live row')} repeat earlier ones`, later.length > pairs ? 110 : 90, shapes);
}

/** Two or more summaries that are live at once. */
export function summariesFigure(finding: Finding): string | null {
  const all = numbersAt(finding.evidence, 'carriers');
  const carriers = all.slice(0, 6);
  if (carriers.length < 2) return null;
  const same = finding.evidence.sameText === true;
  const shapes = [label(0, 14, same ? 'live at the same time, the same text' : 'live at the same time; at most one is right', 'name')];
  // Which of different summaries is right nobody knows from here: no colour takes sides.
  const kindAt = (index: number): string => (same && index > 0 ? 'lost' : index % 2 === 0 ? 'old' : 'old third');
  for (const [index, carrier] of carriers.entries()) {
    shapes.push(rect(index * 118, 22, 112, 30, kindAt(index), `row ${carrier}`), label(index * 118 + 56, 42, String(carrier).length < 6 ? `summary ${carrier}` : `row ${shorten(String(carrier), 11)}`, 'onlost', 'middle'));
  }
  if (all.length > carriers.length) shapes.push(label(0, 72, `and ${groupDigits(all.length - carriers.length)} more`, 'small'));
  return picture(`${count(all.length, 'live summary', 'live summaries')}: rows ${carriers.join(', ')}${all.length > carriers.length ? ' …' : ''}`, all.length > carriers.length ? 78 : 60, shapes);
}

/** How much of something is left: messages of a session, bytes of a file. */
export function shareFigure(finding: Finding): string | null {
  const { evidence, checkId } = finding;
  if (checkId === 'history/dropped-messages') {
    const dropped = numberAt(evidence, 'droppedMessages');
    const left = numberAt(evidence, 'messagesLeft');
    return dropped === null || left === null ? null : share(left, dropped, `${count(left, 'message')} left`, `${groupDigits(dropped)} dropped, still in the index`);
  }
  if (checkId === 'db/corrupt') {
    const bytes = numberAt(evidence, 'fileBytes');
    const whole = (numberAt(evidence, 'pageSize') ?? 0) * (numberAt(evidence, 'pageCount') ?? 0);
    return bytes === null || whole <= bytes ? null : share(bytes, whole - bytes, `${groupDigits(bytes)} bytes are there`, `${groupDigits(whole - bytes)} are missing`);
  }
  if (checkId === 'migration/unimported-rows') {
    const rows = numberAt(evidence, 'rowsInFile');
    const missing = numberAt(evidence, 'missingRows');
    return rows === null || missing === null || missing > rows ? null : share(rows - missing, missing, `${groupDigits(rows - missing)} imported`, `${groupDigits(missing)} only in the file`);
  }
  return null;
}

function share(kept: number, lost: number, keptName: string, lostName: string): string {
  const total = kept + lost;
  if (total === 0) return '';
  const width = Math.max(kept > 0 ? 4 : 0, (kept / total) * pictureWidth);
  return picture(`${keptName}; ${lostName}`, 64, [
    label(0, 14, keptName, 'name'),
    label(pictureWidth, 14, lostName, 'name', 'end'),
    rect(0, 24, width, 30, 'old', keptName),
    rect(Math.min(width, pictureWidth - 4), 24, pictureWidth - width, 30, 'lost', lostName),
  ]);
}
