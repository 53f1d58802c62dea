import { ambientIds } from './ambient.ts';
import { doubled, emptyRows } from './columns.ts';
import { parentNone, parentUnknown, rowFlag, rowKinds, type AmbientRow, type Control, type DamagedLine, type DuplicateId, type Rows, type ToolCall, type TranscriptDigest, type TranscriptHeader } from './digest-types.ts';
import { idTable } from './id-table.ts';
import { entryTime } from './iso-time.ts';
import { facts, isCommand, readMessage } from './message.ts';
import type { TranscriptFile } from './types.ts';
import { asNumber, asText } from './values.ts';

/** Faults of one file that are listed one by one; more are only counted. */
const listedFaults = 1000;
/** Duplicate ids of one file that are compared byte for byte. */
const comparedDuplicates = 1000;

const kindCodes = new Map<unknown, number>(rowKinds.map((kind, code) => [kind, code]));
const otherKind = rowKinds.indexOf('other');
const messageKind = rowKinds.indexOf('message');
const sessionKind = rowKinds.indexOf('session');

export type DigestOptions = {
  /** Texts that are reset commands. */
  triggers: readonly string[];
  /** Whether two rows have the same bytes; null: that cannot be told, so that length and hash decide. */
  sameBytes?: (file: TranscriptFile, rows: Rows, a: number, b: number) => boolean | null;
};

/** Makes a digest of parsed events, in order: `begin`, then `row` or `damage` for each, then `end`. */
export type DigestBuilder = {
  begin(file: TranscriptFile, sessionId: string, sessionKey: string | null): void;
  /** `line` from 1, `offset` and `bytes` of the text. Message texts may be decoded as latin1, all else must be as it is meant. */
  row(event: Record<string, unknown>, line: number, offset: number, bytes: number): void;
  damage(damaged: DamagedLine): void;
  badEncoding(line: number, offset: number, bytes: number): void;
  /** The digest is valid until the next `begin`: its columns are used again. */
  end(whole: Pick<TranscriptDigest, 'lines' | 'bytes' | 'byteOrderMark' | 'crlf' | 'terminated' | 'readError'>): TranscriptDigest;
};

function headerOf(event: Record<string, unknown>, line: number): TranscriptHeader {
  const time = entryTime(event.timestamp);
  return {
    line,
    id: asText(event.id),
    version: asNumber(event.version) ?? 1,
    time: Number.isNaN(time) ? null : time,
    cwd: asText(event.cwd),
    parentSession: asText(event.parentSession),
  };
}

export function digestBuilder(options: DigestOptions): DigestBuilder {
  let rows = emptyRows();
  let file: TranscriptFile | null = null;
  let sessionId = '';
  let sessionKey: string | null = null;
  let header: TranscriptHeader | null = null;
  let started = false;
  let controls: Control[] = [];
  let toolCalls: ToolCall[] = [];
  let toolResults: ToolCall[] = [];
  let ambient: AmbientRow[] = [];
  let damaged: DamagedLine[] = [];
  let rejected = 0;
  let badEncoding: TranscriptDigest['badEncoding'] = [];
  let badEncodingLines = 0;
  let duplicates: DuplicateId[] = [];
  const byId = idTable();
  let firstOfDuplicates = new Map<string, number>();
  let forward: number[] = [];
  let previousId: string | null = null;

  const same = (a: number, b: number): boolean => {
    if (rows.bytes[a] !== rows.bytes[b]) return false;
    const told = options.sameBytes && file && duplicates.length < comparedDuplicates ? options.sameBytes(file, rows, a, b) : null;
    if (told !== null) return told;
    return rows.contentHash[a] === rows.contentHash[b] && rows.kind[a] === rows.kind[b] && rows.parentId[a] === rows.parentId[b] && (rows.time[a] === rows.time[b] || (Number.isNaN(rows.time[a]) && Number.isNaN(rows.time[b])));
  };

  const name = (id: string, row: number): void => {
    const before = byId.set(rows.id, row);
    if (before === -1) return;
    const first = firstOfDuplicates.get(id) ?? before;
    firstOfDuplicates.set(id, first);
    duplicates.push({ id, first, row, identical: same(first, row) });
  };

  const steer = (kind: string, event: Record<string, unknown>, row: number): void => {
    switch (kind) {
      case 'leaf':
        controls.push({ kind, row, targetId: asText(event.targetId), hasTarget: event.targetId === null || typeof event.targetId === 'string', appendParentId: asText(event.appendParentId), hasAppendParent: 'appendParentId' in event });
        break;
      case 'compaction':
        controls.push({ kind, row, firstKeptEntryId: asText(event.firstKeptEntryId), firstKeptEntryIndex: asNumber(event.firstKeptEntryIndex) });
        break;
      case 'reset':
        controls.push({ kind, row, reason: asText(event.reason), firstKeptEntryId: asText(event.firstKeptEntryId) });
        break;
    }
  };

  return {
    begin(nextFile, nextSession, nextKey) {
      file = nextFile;
      sessionId = nextSession;
      sessionKey = nextKey;
      rows.length = 0;
      rows.id = [];
      rows.parentId = [];
      header = null;
      started = false;
      controls = [];
      toolCalls = [];
      toolResults = [];
      ambient = [];
      damaged = [];
      rejected = 0;
      badEncoding = [];
      badEncodingLines = 0;
      duplicates = [];
      byId.clear();
      firstOfDuplicates = new Map();
      forward = [];
      previousId = null;
    },

    row(event, line, offset, bytes) {
      const kind = event.type === 'message' ? messageKind : (kindCodes.get(event.type) ?? otherKind);
      if (!started) {
        started = true;
        if (kind === sessionKind) {
          header = headerOf(event, line);
          return;
        }
      }
      if (rows.length === rows.line.length) rows = doubled(rows);
      const row = rows.length++;
      rows.line[row] = line;
      rows.offset[row] = offset;
      rows.bytes[row] = bytes;
      rows.kind[row] = kind;
      rows.time[row] = entryTime(event.timestamp);
      let flags = event.appendMode === 'side' ? rowFlag.side : 0;

      let parentId: string | null = null;
      let parent: number = parentNone;
      const given = event.parentId;
      if (typeof given === 'string') {
        flags |= rowFlag.hasParent;
        if (given === previousId) {
          parentId = previousId;
          parent = row - 1;
        } else {
          parentId = given;
          const found = byId.get(rows.id, parentId);
          if (found === -1) {
            parent = parentUnknown;
            forward.push(row);
          } else {
            parent = found;
          }
        }
      } else if (given !== undefined) {
        flags |= rowFlag.hasParent;
      }
      rows.parentId.push(parentId);
      rows.parent[row] = parent;

      if (kind === messageKind && typeof event.message === 'object' && event.message !== null) {
        readMessage(event.message as Record<string, unknown>, row, toolCalls);
        rows.role[row] = facts.role;
        rows.stop[row] = facts.stop;
        rows.messageTime[row] = facts.time;
        rows.contentHash[row] = facts.hash;
        rows.contentLength[row] = facts.length;
        rows.keyHash[row] = facts.keyHash;
        flags |= facts.flags;
        if (facts.isResult) toolResults.push({ row, id: facts.resultId, name: facts.resultName });
        else if (facts.userText !== '') {
          const seen = ambientIds(facts.userText);
          if (seen !== null) ambient.push({ row, ids: seen.ids, suspect: seen.suspect });
          else if (isCommand(facts.userText, options.triggers)) flags |= rowFlag.command;
        }
      } else {
        rows.role[row] = 0;
        rows.stop[row] = 0;
        rows.messageTime[row] = NaN;
        rows.contentHash[row] = 0;
        rows.contentLength[row] = 0;
        rows.keyHash[row] = 0;
        if (kind !== messageKind) steer(rowKinds[kind] ?? 'other', event, row);
      }
      rows.flags[row] = flags;

      const id = typeof event.id === 'string' && event.id !== '' ? event.id : null;
      rows.id.push(id);
      if (id !== null) name(id, row);
      previousId = id;
    },

    damage(line) {
      rejected++;
      if (damaged.length < listedFaults) damaged.push(line);
    },

    badEncoding(line, offset, bytes) {
      badEncodingLines++;
      if (badEncoding.length < listedFaults) badEncoding.push({ line, offset, bytes });
    },

    end(whole) {
      if (file === null) throw new Error('a digest was ended before it was begun');
      const ids = rows.id;
      const firsts = firstOfDuplicates;
      const rowOf = (id: string): number => firsts.get(id) ?? byId.get(ids, id);
      for (const row of forward) {
        const parent = rowOf(rows.parentId[row] ?? '');
        rows.parent[row] = parent === -1 ? parentUnknown : parent;
      }
      return { file, sessionId, sessionKey, header, rows, controls, toolCalls, toolResults, ambient, damaged, rejected, badEncoding, badEncodingLines, duplicates, ...whole, rowOf };
    },
  };
}
