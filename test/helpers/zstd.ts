/** A zstd frame that holds the bytes as raw blocks (RFC 8878 §3.1.1.2): valid everywhere, and made without any zstd program. */
export function rawZstd(bytes: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUInt32LE(0xfd2fb528, 0);
  head[4] = 0xa0; // single segment, content size of 4 bytes
  head.writeUInt32LE(bytes.length, 5);
  const blocks: Buffer[] = [];
  const step = 100_000;
  for (let at = 0; at === 0 || at < bytes.length; at += step) {
    const part = bytes.subarray(at, at + step);
    const last = at + step >= bytes.length ? 1 : 0;
    const header = Buffer.alloc(3);
    header.writeUIntLE((part.length << 3) | last, 0, 3);
    blocks.push(header, part);
  }
  return Buffer.concat([head, ...blocks]);
}
