import type { Block } from '../../readers/hermes/blocks.ts';
import { coverageOf, substantial, type Coverage } from '../../readers/hermes/coverage.ts';
import type { HermesSnapshot, SessionDigest } from '../../stores/hermes/types.ts';
import { idsOf } from './hermes.ts';

/** How many rows are read again to see whether their words stand in a merged copy. */
const askLimit = 2000;

/** What a commit covered, and the indexes of the rows that it archived although its compressor did not hold them. */
export function strandedBy(digest: SessionDigest, snapshot: HermesSnapshot, block: Block): { coverage: Coverage; stranded: number[] } {
  const coverage = coverageOf(digest.messages, block, digest.absorbed, digest.session.rewindCount);
  const asked = substantial(digest.messages, coverage.uncovered);
  if (asked.length === 0) return { coverage, stranded: [] };
  const merged = snapshot.textsWithin(idsOf(digest, asked.slice(0, askLimit)), holdersOf(digest, coverage));
  return { coverage, stranded: substantial(digest.messages, coverage.uncovered.filter((index) => !merged.has(digest.messages.ids[index] ?? 0))) };
}

/** Rows of the block that may hold the words of several others: the carrier, and copies that are not word for word. */
function holdersOf(digest: SessionDigest, { block }: Coverage): number[] {
  const holders: number[] = [];
  for (let row = block.start; row <= block.end; row++) {
    const origin = block.origins[row - block.start] ?? -1;
    if (origin === -1 || digest.messages.texts[origin] !== digest.messages.texts[row]) holders.push(row);
  }
  return idsOf(digest, holders);
}
