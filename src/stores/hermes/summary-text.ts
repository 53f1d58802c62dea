/** How compactions begin their summaries: the current head, the older one, and that of a summary merged into a kept turn (Hermes format notes §3.4). */
const heads = ['[CONTEXT COMPACTION', '[CONTEXT SUMMARY]', '[PRIOR CONTEXT'];
const endMarker = '--- END OF CONTEXT SUMMARY';
/** A text that wraps another one names the summary only after this. */
const mergedMarker = '[END OF PRIOR CONTEXT';

export type SummaryText = { head: boolean; textAfter: boolean };

const none: SummaryText = { head: false, textAfter: false };

/**
 * Whether a text begins as a summary does, and whether somebody's words follow its end marker. A modern head without the end
 * marker, or a merged head without its second part, is a quotation.
 */
export function summaryText(text: string): SummaryText {
  if (!/^\s*\[/.test(text)) return none;
  const start = text.trimStart();
  const head = heads.find((candidate) => start.startsWith(candidate));
  if (head === undefined) return none;
  if (head === '[PRIOR CONTEXT' && !start.includes(mergedMarker)) return none;
  const end = start.lastIndexOf(endMarker);
  if (head === '[CONTEXT COMPACTION' && end === -1 && start.length < 200) return none;
  if (end === -1) return { head: true, textAfter: false };
  const lineEnd = start.indexOf('\n', end);
  return { head: true, textAfter: lineEnd !== -1 && start.slice(lineEnd).trim() !== '' };
}
