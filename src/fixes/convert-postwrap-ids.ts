import { defineFix } from './fix.ts';
import { planRemint } from './opencode/remint.ts';

/** v2 ids for the v1 rows after the wrap: few rows, for builds that mint v2 ids themselves. */
export default defineFix({
  meta: {
    id: 'convert-postwrap-ids',
    class: 'judgement',
    title: 'give the messages with old ids from after the id wrap ids of the new format',
    checks: ['order/id-wrap-inversion', 'order/wedged-session'],
  },
  mimocode: (finding, snapshot, context) => planRemint('convert', finding, snapshot, context),
});
