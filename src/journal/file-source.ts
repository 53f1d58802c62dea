import { copyRange, digester, spliceFile, type Digest, type Splice } from '../io/splice.ts';
import { withFile } from '../io/files.ts';

/** Where the new bytes of a file come from. */
export type Source =
  | { from: 'splices'; splices: Splice[] }
  | { from: 'bytes'; bytes: Buffer }
  /** Byte ranges of another file, as it is before anything is written. */
  | { from: 'ranges'; path: string; ranges: { offset: number; length: number }[] };

/** Sends the new bytes of a file to a sink. Flat memory. */
export function produce(source: Source, path: string, sink: (bytes: Buffer) => void): void {
  switch (source.from) {
    case 'bytes':
      sink(source.bytes);
      break;
    case 'splices':
      spliceFile(path, source.splices, sink);
      break;
    case 'ranges':
      withFile(source.path, (fd) => {
        for (const { offset, length } of source.ranges) copyRange(fd, offset, length, sink);
      });
      break;
  }
}

/** What a file with these bytes will measure. */
export function digestOf(source: Source, path: string): Digest {
  const { sink, result } = digester();
  produce(source, path, sink);
  return result();
}
