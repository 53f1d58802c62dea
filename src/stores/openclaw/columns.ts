import type { Rows } from './digest-types.ts';

const firstCapacity = 1024;

/** Columns for `capacity` rows. */
function columns(capacity: number): Rows {
  return {
    length: 0,
    line: new Uint32Array(capacity),
    offset: new Float64Array(capacity),
    bytes: new Float64Array(capacity),
    kind: new Uint8Array(capacity),
    role: new Uint8Array(capacity),
    stop: new Uint8Array(capacity),
    flags: new Uint8Array(capacity),
    id: [],
    parentId: [],
    parent: new Int32Array(capacity),
    time: new Float64Array(capacity),
    messageTime: new Float64Array(capacity),
    contentHash: new Uint32Array(capacity),
    contentLength: new Float64Array(capacity),
    keyHash: new Uint32Array(capacity),
  };
}

export function emptyRows(): Rows {
  return columns(firstCapacity);
}

/** The same rows in columns of twice the capacity. */
export function doubled(rows: Rows): Rows {
  const larger = columns(rows.line.length * 2);
  larger.length = rows.length;
  larger.id = rows.id;
  larger.parentId = rows.parentId;
  larger.line.set(rows.line);
  larger.offset.set(rows.offset);
  larger.bytes.set(rows.bytes);
  larger.kind.set(rows.kind);
  larger.role.set(rows.role);
  larger.stop.set(rows.stop);
  larger.flags.set(rows.flags);
  larger.parent.set(rows.parent);
  larger.time.set(rows.time);
  larger.messageTime.set(rows.messageTime);
  larger.contentHash.set(rows.contentHash);
  larger.contentLength.set(rows.contentLength);
  larger.keyHash.set(rows.keyHash);
  return larger;
}
