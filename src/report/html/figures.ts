import type { Finding } from '../../model/finding.ts';
import type { TimelineLane } from '../../model/timeline.ts';
import { nightFigure } from './figure-night.ts';
import { ordersFigure } from './figure-orders.ts';
import { shareFigure, strandedFigure, summariesFigure, twinsFigure } from './figure-rows.ts';
import { watermarkFigure } from './figure-watermark.ts';

/** The picture of a finding's evidence where one says it better than the numbers; null elsewhere. `siblings`: findings of its store. */
export function figureOf(finding: Finding, siblings: readonly Finding[], lane: TimelineLane | null, zone: string): string | null {
  switch (finding.checkId) {
    case 'order/id-wrap-inversion':
    case 'order/wedged-session':
    case 'order/armed-revert':
      return ordersFigure(finding, siblings);
    case 'watermark/orphaned':
      return watermarkFigure(finding);
    case 'reset/unexplained':
    case 'reset/zone-mismatch':
    case 'reset/intraday-repeat':
      return nightFigure(finding, siblings, lane, zone);
    case 'compaction/stranded-rows':
      return strandedFigure(finding);
    case 'compaction/live-duplicates':
      return twinsFigure(finding);
    case 'compaction/double-summary':
      return summariesFigure(finding);
    default:
      return shareFigure(finding);
  }
}
