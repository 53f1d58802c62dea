const start = /^#(\S{1,64}) (.{1,256}?): /;

/**
 * The channel message ids of an ambient user row: `#<id> <sender>: <body>`, one line an item, several when messages were
 * coalesced (format notes §2.4). A body may imitate such a line, so ids that do not ascend are left out and `suspect` is set.
 * Null when the first line is none.
 */
export function ambientIds(text: string): { ids: string[]; suspect: boolean } | null {
  if (text.charCodeAt(0) !== 35) return null;
  const first = start.exec(text);
  if (first === null || first[0].includes('\n')) return null;
  const ids = [first[1]!];
  let suspect = false;
  for (let at = text.indexOf('\n#'); at !== -1; at = text.indexOf('\n#', at + 1)) {
    const next = start.exec(text.slice(at + 1, at + 400));
    if (next === null || next[0].includes('\n')) continue;
    if (compareChannelIds(next[1]!, ids.at(-1)!) > 0) ids.push(next[1]!);
    else suspect = true;
  }
  return { ids, suspect };
}

const numeric = /^(0|[1-9][0-9]*)$/;

/** Orders channel message ids: as whole numbers of any length where both are, else as text. */
export function compareChannelIds(a: string, b: string): number {
  if (numeric.test(a) && numeric.test(b)) {
    if (a.length !== b.length) return a.length - b.length;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}
