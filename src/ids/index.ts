export { compareByTime, compareIds } from './compare.ts';
export { describeId, type IdDescription, type IdPlace } from './describe.ts';
export { epochMs, epochOf, epochStart, wrapAfter, wrapBefore } from './epoch.ts';
export { newestV1, v1Digits, v2Digits } from './mint.ts';
export { formatOfId, readId, readingsOf, timeCandidates, timeNear, type Direction, type IdFormat, type IdReading } from './reading.ts';
export { convertAfterWrap, rekeyBeforeWrap, type IdRow, type Remint } from './remint.ts';
