import { rowFlag, rowKinds, rowRoles, stopReasons, type InLogReset, type RowMark, type Rows, type TranscriptDigest, type TranscriptSummary } from './digest-types.ts';

const marksKept = 12;
const commandsKept = 50;
const resetsKept = 1000;
const compactionsKept = 200;
const messageKind = rowKinds.indexOf('message');
const compactionKind = rowKinds.indexOf('compaction');
const userRole = rowRoles.indexOf('user');

function orNull(time: number | undefined): number | null {
  return time === undefined || Number.isNaN(time) ? null : time;
}

/** The outer facts of one row. */
export function markOf(rows: Rows, row: number): RowMark {
  const flags = rows.flags[row] ?? 0;
  return {
    id: rows.id[row] ?? null,
    role: rowRoles[rows.role[row] ?? 0] ?? 'none',
    time: orNull(rows.time[row]),
    messageTime: orNull(rows.messageTime[row]),
    contentHash: rows.contentHash[row] ?? 0,
    contentLength: rows.contentLength[row] ?? 0,
    command: (flags & rowFlag.command) !== 0,
    internal: (flags & rowFlag.internal) !== 0,
    stop: stopReasons[rows.stop[row] ?? 0] ?? 'none',
  };
}

/** What is kept of a digest. `keepAmbient`: also the ids of its ambient channel messages. */
export function summarise(digest: TranscriptDigest, keepAmbient: boolean): TranscriptSummary {
  const { rows } = digest;
  const whole = summariseRows(digest, 0, rows.length);
  if (keepAmbient) whole.ambientIds = [...new Set(digest.ambient.flatMap((one) => one.ids))];
  const resets = digest.controls.filter((control) => control.kind === 'reset').slice(-resetsKept);
  if (resets.length === 0) return whole;
  let from = 0;
  for (const control of resets) {
    const reset: InLogReset = {
      id: rows.id[control.row] ?? null,
      reason: control.reason,
      time: orNull(rows.time[control.row]),
      firstKeptEntryId: control.firstKeptEntryId,
      line: rows.line[control.row] ?? 0,
    };
    whole.resets.push(reset);
    whole.parts.push({ summary: summariseRows(digest, from, control.row), endedBy: reset });
    from = control.row + 1;
  }
  whole.parts.push({ summary: summariseRows(digest, from, rows.length), endedBy: null });
  return whole;
}

/** The rows from `from` to before `to`. */
function summariseRows(digest: TranscriptDigest, from: number, to: number): TranscriptSummary {
  const { rows } = digest;
  let messageRows = 0;
  let userRows = 0;
  const compactionTimes: number[] = [];
  let firstTime = NaN;
  let lastTime = NaN;
  let firstUser = -1;
  let lastUser = -1;
  let lastPerson = -1;
  let silence: TranscriptSummary['longestSilence'] = null;
  const head: RowMark[] = [];
  const tailRows: number[] = [];
  const commandRows: number[] = [];
  for (let row = from; row < to; row++) {
    const time = rows.time[row]!;
    if (!Number.isNaN(time)) {
      if (Number.isNaN(firstTime)) firstTime = time;
      lastTime = time;
    }
    const kind = rows.kind[row];
    if (kind === compactionKind && !Number.isNaN(time)) compactionTimes.push(time);
    if (kind !== messageKind) continue;
    messageRows++;
    if (head.length < marksKept) head.push(markOf(rows, row));
    if (rows.role[row] !== userRole) continue;
    userRows++;
    if (firstUser === -1) firstUser = row;
    lastUser = row;
    if ((rows.flags[row]! & rowFlag.internal) === 0) {
      const since = lastPerson === -1 ? NaN : rows.time[lastPerson]!;
      if (time - since > (silence === null ? 0 : silence.to - silence.from)) silence = { from: since, to: time };
      lastPerson = row;
    }
    if ((rows.flags[row]! & rowFlag.command) !== 0) commandRows.push(row);
  }
  for (let row = to - 1; row >= from && tailRows.length < marksKept; row--) {
    if (rows.kind[row] === messageKind) tailRows.push(row);
  }
  const tail = tailRows.reverse().map((row) => markOf(rows, row));
  return {
    file: digest.file,
    sessionId: digest.sessionId,
    sessionKey: digest.sessionKey,
    header: digest.header,
    rows: to - from,
    messageRows,
    userRows,
    rejected: digest.rejected,
    firstTime: orNull(firstTime),
    lastTime: orNull(lastTime),
    firstMessage: head[0] ?? null,
    lastMessage: tail.at(-1) ?? null,
    firstUser: firstUser === -1 ? null : markOf(rows, firstUser),
    lastUser: lastUser === -1 ? null : markOf(rows, lastUser),
    lastPerson: lastPerson === -1 ? null : markOf(rows, lastPerson),
    longestSilence: silence,
    head,
    tail,
    commands: commandRows.slice(-commandsKept).map((row) => markOf(rows, row)),
    resets: [],
    parts: [],
    compactionTimes: compactionTimes.slice(-compactionsKept),
    ambientIds: null,
    readError: digest.readError,
  };
}
