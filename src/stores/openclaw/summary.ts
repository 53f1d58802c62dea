import { rowFlag, rowKinds, rowRoles, stopReasons, type RowMark, type Rows, type TranscriptDigest, type TranscriptSummary } from './digest-types.ts';

const marksKept = 12;
const commandsKept = 50;
const resetsKept = 1000;
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
  const count = rows.length;
  let messageRows = 0;
  let userRows = 0;
  let compactions = 0;
  let firstTime = NaN;
  let lastTime = NaN;
  let firstUser = -1;
  let lastUser = -1;
  let lastPerson = -1;
  let silence: TranscriptSummary['longestSilence'] = null;
  const head: RowMark[] = [];
  const tailRows: number[] = [];
  const commandRows: number[] = [];
  for (let row = 0; row < count; row++) {
    const time = rows.time[row]!;
    if (!Number.isNaN(time)) {
      if (Number.isNaN(firstTime)) firstTime = time;
      lastTime = time;
    }
    const kind = rows.kind[row];
    if (kind === compactionKind) compactions++;
    if (kind !== messageKind) continue;
    messageRows++;
    if (head.length < marksKept) head.push(markOf(rows, row));
    if (rows.role[row] !== userRole) continue;
    userRows++;
    if (firstUser === -1) firstUser = row;
    lastUser = row;
    if ((rows.flags[row]! & rowFlag.internal) === 0) {
      const from = lastPerson === -1 ? NaN : rows.time[lastPerson]!;
      if (time - from > (silence === null ? 0 : silence.to - silence.from)) silence = { from, to: time };
      lastPerson = row;
    }
    if ((rows.flags[row]! & rowFlag.command) !== 0) commandRows.push(row);
  }
  for (let row = count - 1; row >= 0 && tailRows.length < marksKept; row--) {
    if (rows.kind[row] === messageKind) tailRows.push(row);
  }
  const tail = tailRows.reverse().map((row) => markOf(rows, row));
  const resets: TranscriptSummary['resets'] = [];
  for (const control of digest.controls) {
    if (control.kind === 'reset') resets.push({ id: rows.id[control.row] ?? null, reason: control.reason, time: orNull(rows.time[control.row]), firstKeptEntryId: control.firstKeptEntryId });
  }
  return {
    file: digest.file,
    sessionId: digest.sessionId,
    sessionKey: digest.sessionKey,
    header: digest.header,
    rows: count,
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
    resets: resets.slice(-resetsKept),
    compactions,
    ambientIds: keepAmbient ? [...new Set(digest.ambient.flatMap((one) => one.ids))] : null,
    readError: digest.readError,
  };
}
