import { defineFix } from './fix.ts';
import { answerOpenCalls } from './openclaw/answer-open-calls.ts';
import { abortOpenTurns } from './opencode/abort-open-turns.ts';

/** Gives a call that was cut off the end that the product itself would have written. */
export default defineFix({
  meta: {
    id: 'abort-unanswered-call',
    class: 'judgement',
    title: 'mark what was cut off as aborted',
    checks: ['db/unfinished-turn', 'tool/unanswered-call'],
  },
  openclaw: answerOpenCalls,
  opencode: abortOpenTurns,
  mimocode: abortOpenTurns,
});
