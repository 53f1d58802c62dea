/** One of `total` parts of the sessions, counted from 1. */
export type Shard = { index: number; total: number };

/**
 * True when a session (or, for what concerns a whole store, the store's id) belongs to a shard. The split depends on nothing
 * but the text: hosts, runs and versions agree on it, and each text lies in exactly one of the parts. No shard means all.
 */
export function inShard(id: string, shard: Shard | null | undefined): boolean {
  if (!shard || shard.total === 1) return true;
  return hashText(id) % shard.total === shard.index - 1;
}

/** FNV-1a over UTF-16 code units with a final mix, so that ids which differ in one place spread evenly. 32 bits, unsigned. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** `2/8`. */
export function formatShard(shard: Shard): string {
  return `${shard.index}/${shard.total}`;
}
