import { Flag, type MessageColumns } from '../../stores/hermes/digest-types.ts';
import { isCarrier, type Block } from './blocks.ts';
import { stateOf } from './view.ts';

/**
 * Summaries that the model gets at the same time, when there are two or more. Left out: a marker of a micro-compaction (no
 * head of a summary), a quotation (without the flag, where the store has one), and an older summary that the newer commit carries
 * along as a head copy (Hermes format notes §4c).
 */
export function liveSummaries(m: MessageColumns, blocks: readonly Block[], hasFlag: boolean): number[] {
  const inherited = new Set<number>();
  for (const block of blocks) {
    for (let row = block.start; row < block.carrier; row++) {
      const origin = block.origins[row - block.start] ?? -1;
      if (origin !== -1 && stateOf(m.flags[origin] ?? 0) !== 'live') inherited.add(row);
    }
  }
  const found: number[] = [];
  for (let i = 0; i < m.count; i++) {
    const flags = m.flags[i] ?? 0;
    if (stateOf(flags) !== 'live' || !(flags & Flag.summaryHead) || inherited.has(i)) continue;
    if (hasFlag ? flags & Flag.summary : isCarrier(m, i)) found.push(i);
  }
  return found.length > 1 ? found : [];
}
