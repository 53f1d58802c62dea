import { createHash } from 'node:crypto';

/**
 * What a transcript row says, without the ids that an import may mint anew (a version 1 file and one without header get new
 * ids; seen with 2026.9.6). Equal rows give equal keys whatever the order of their fields. 132 bits, base64.
 */
export function contentKey(event: Record<string, unknown>): string {
  const { id: _id, parentId: _parent, version: _version, ...rest } = event;
  return createHash('sha256').update(canonical(rest)).digest('base64').slice(0, 22);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const record = value as Record<string, unknown>;
    return `{${Object.keys(record).sort().map((key) => `${JSON.stringify(key)}:${canonical(record[key])}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
