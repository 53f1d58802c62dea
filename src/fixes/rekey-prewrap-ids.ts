import { defineFix } from './fix.ts';
import { declinedByTime, planRemint } from './opencode/remint.ts';

/** New ids at the start of the epoch for the rows before the wrap: helps every build that mints v1 ids. */
export default defineFix({
  meta: {
    id: 'rekey-prewrap-ids',
    class: 'judgement',
    title: 'give the messages from before the id wrap ids that sort first',
    checks: ['order/id-wrap-inversion', 'order/wedged-session', 'order/next-prompt-silent'],
  },
  declines: (_finding, context) => declinedByTime(context, 'no id needs to change'),
  opencode: (finding, snapshot, context) => planRemint('rekey', finding, snapshot, context),
  mimocode: (finding, snapshot, context) => planRemint('rekey', finding, snapshot, context),
});
