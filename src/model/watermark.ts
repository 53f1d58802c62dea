/** One ambient watermark as `watermarks --json` gives it. Times are ISO 8601 UTC. */
export type WatermarkRow = {
  store: string;
  reader: string;
  session: string | null;
  sessionKey: string;
  watermarkKey: string;
  state: 'sound' | 'orphaned' | 'malformed';
  /** Why it is orphaned, or null. */
  reason: string | null;
  /** Whether the reader of this store drops what an orphaned one vouches for. */
  honoured: boolean;
  messageId: string | null;
  /** Session that it was written for; null: unbound. */
  boundTo: string | null;
  messageTime: string | null;
  updatedAt: string | null;
  /** Visible ambient messages at or before it, and all visible ones. */
  vouchesFor: number;
  visible: number;
  firstVisible: string | null;
  lastVisible: string | null;
  hiddenRows: number;
  hiddenByArchive: { [archive: string]: number };
  /** Names of wrong fields of a malformed one. */
  wrong: string[];
};
