import type { TimelineLane } from '../../model/timeline.ts';

/** Lanes that a map may hold: of those that findings name, and of the others. */
const namedLanes = 200;
const otherLanes = 40;

/**
 * Keeps the lanes of a store that a map has room for, however many are added: those that `named` (session ids and chat keys, worst
 * first) holds in its order, then the others, newest first. Lanes without a time are only counted.
 */
export function lanePicker(named: ReadonlySet<string>): { add: (lane: TimelineLane) => void; picked: () => { lanes: TimelineLane[]; more: number; untimed: number } } {
  const rank = new Map([...named].map((name, index) => [name, index]));
  const wanted: { lane: TimelineLane; rank: number }[] = [];
  const others: { lane: TimelineLane; last: number }[] = [];
  let total = 0;
  let untimed = 0;
  const trim = (): void => {
    wanted.sort((a, b) => a.rank - b.rank).splice(namedLanes);
    others.sort((a, b) => b.last - a.last).splice(otherLanes);
  };
  return {
    add(lane) {
      if (lane.segments.length === 0) {
        untimed++;
        return;
      }
      total++;
      let own = lane.sessionKey === null ? Infinity : (rank.get(lane.sessionKey) ?? Infinity);
      let last = -Infinity;
      for (const segment of lane.segments) {
        own = Math.min(own, rank.get(segment.session) ?? Infinity);
        last = Math.max(last, segment.to);
      }
      if (own < Infinity) wanted.push({ lane, rank: own });
      else others.push({ lane, last });
      if (wanted.length + others.length > 1000) trim();
    },
    picked() {
      trim();
      const lanes = [...wanted, ...others].map(({ lane }) => lane);
      return { lanes, more: total - lanes.length, untimed };
    },
  };
}
