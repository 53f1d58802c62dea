/** What helps when a precondition of a step does not hold. */
export const planAgain = 'the store changed since the plan, or the plan was edited: make a new plan';
