import type { TranscriptDigest } from '../../src/stores/openclaw/digest-types.ts';
import { digestBuilder } from '../../src/stores/openclaw/digest-builder.ts';
import { classifyName } from '../../src/stores/openclaw/names.ts';
import type { TranscriptFile } from '../../src/stores/openclaw/types.ts';
import type { Row } from './openclaw-transcripts.ts';

export function transcriptFile(name: string, path = `/nowhere/${name}`): TranscriptFile {
  const named = classifyName(name);
  if (named.class !== 'transcript') throw new Error(`${name} is no transcript's name`);
  const { kind, baseId, sessionId, topic, archivedAt, generation, compressed } = named;
  return { name, path, kind, baseId, sessionId, topic, archivedAt, generation, compressed, bytes: 0, modifiedAt: 0 };
}

/** The digest of parsed rows, the header first; line numbers count from 1. */
export function digestOf(rows: readonly Row[], name = 'a.jsonl'): TranscriptDigest {
  const builder = digestBuilder({ triggers: ['/new', '/reset'] });
  const file = transcriptFile(name);
  builder.begin(file, file.sessionId, null);
  for (const [at, row] of rows.entries()) builder.row(row, at + 1, 0, JSON.stringify(row).length);
  return builder.end({ lines: rows.length, bytes: 0, byteOrderMark: false, crlf: false, terminated: true, readError: null });
}
