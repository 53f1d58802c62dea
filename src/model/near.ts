/** How many letters differ between two words: insertions, deletions, exchanges, and two neighbours swapped. */
function difference(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let least = Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (previous[column - 1] ?? 0) + (same ? 0 : 1));
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) least = Math.min(least, (before[column - 2] ?? 0) + 1);
      current.push(least);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** The words that a mistyped one may mean, nearest first: at most three, none when nothing is near. */
export function nearWords(word: string, known: readonly string[]): string[] {
  const asked = word.slice(0, 100).toLowerCase();
  const limit = Math.max(1, Math.floor(asked.length / 4));
  const last = asked.split('/').at(-1) ?? asked;
  const scored = known.map((candidate) => ({ candidate, score: last.length >= 4 && candidate.includes(last) ? 1 : difference(asked, candidate.toLowerCase()) }));
  return scored.filter(({ score }) => score <= limit).sort((a, b) => a.score - b.score).slice(0, 3).map(({ candidate }) => candidate);
}

/** `; did you mean a or b?`, or nothing. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearWords(word, known);
  return near.length === 0 ? '' : `; did you mean ${near.length === 1 ? near[0] : `${near.slice(0, -1).join(', ')} or ${near.at(-1)}`}?`;
}
