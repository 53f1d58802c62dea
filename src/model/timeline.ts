/** How a stretch of a chat ended; live: it has not; loose: no chat points to it, and nothing says why. */
export type SegmentEnd = 'live' | 'loose' | 'reset' | 'deleted' | 'compaction' | 'ended';

/** One session of a chat. Times are ms since the epoch; `boundary`: the last daily boundary at or before its end. */
export type TimelineSegment = { session: string; from: number; to: number; rows: number | null; end: SegmentEnd; boundary: number | null };

/** A moment of a chat. `horizon`: what lies before it is hidden by a watermark; `old-horizon`: only from builds that this store is not judged for. */
export type TimelineMark = { at: number; kind: 'reset' | 'deleted' | 'compaction' | 'horizon' | 'old-horizon' | 'finding'; label: string };

/** One chat (or one session, where it belongs to no chat). No titles, no texts. */
export type TimelineLane = { sessionKey: string | null; session: string | null; segments: TimelineSegment[]; marks: TimelineMark[] };

/**
 * The life of a store's sessions, for the map of a report: those that findings name first, then the newest. `lines` concern all lanes:
 * an id boundary. `more`: chats and sessions that there was no room for; `untimed`: those without any time, such as an empty session.
 */
export type Timeline = { store: string; lanes: TimelineLane[]; lines: { at: number; label: string }[]; more: number; untimed: number };
