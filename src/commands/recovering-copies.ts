import type { RecoveredText, Recovery } from '../model/recovery.ts';
import { isObject } from '../model/values.ts';
import type { DatabaseCopy } from '../stores/openclaw/database-copy.ts';
import { heldRows, type HeldRows } from '../stores/openclaw/held-rows.ts';
import { rowText } from '../stores/openclaw/row-texts.ts';
import type { OpenclawSnapshot, TranscriptFile } from '../stores/openclaw/types.ts';

type Row = Record<string, unknown>;
type Counts = { rows: number; present: number; repeated: number; unread: number; sessions: Set<string> };

function parse(json: string): Row | null {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The header of a transcript says nothing: it is counted as present. */
const isHeader = (row: Row): boolean => row['type'] === 'session';

/** What every transcript, archive and window of a session holds, put-aside copies apart. */
function heldBy(snapshot: OpenclawSnapshot, sessionId: string): HeldRows {
  const held = heldRows();
  for (const file of snapshot.files) {
    if (file.sessionId !== sessionId || file.kind === 'corrupt-copy') continue;
    snapshot.rowsOf(file)((json) => {
      const row = parse(json);
      if (row) held.add(row);
    });
  }
  return held;
}

/** Looks at one row of a copy: a text where neither the store nor an earlier copy has it. */
function judge(json: string | null, line: number, held: HeldRows, given: HeldRows, counts: Counts, place: Pick<RecoveredText, 'session' | 'sessionKey'> & { path: string }): RecoveredText | null {
  counts.rows++;
  const row = json === null ? null : parse(json);
  if (row === null) {
    counts.unread++;
    return null;
  }
  if (isHeader(row) || held.has(row)) counts.present++;
  else if (given.has(row)) counts.repeated++;
  else {
    given.add(row);
    if (typeof place.session === 'string') counts.sessions.add(place.session);
    return { ...rowText(row, place.path, line), session: place.session, sessionKey: place.sessionKey };
  }
  return null;
}

const newCounts = (): Counts => ({ rows: 0, present: 0, repeated: 0, unread: 0, sessions: new Set() });

function recovery(snapshot: OpenclawSnapshot, name: string, texts: Iterable<RecoveredText>, counts: Counts, notes: string[], problem: string | null): Recovery {
  let written = 0;
  const counting = function* (): Iterable<RecoveredText> {
    for (const text of texts) {
      written++;
      yield text;
    }
  };
  return {
    about: { checkId: 'store/quarantined-copy', store: snapshot.ref.id, session: null, sessionKey: null, message: `${name} was put aside by the product and holds rows that the store lacks.` },
    source: name,
    unit: 'row',
    texts: counting(),
    outcome: () => ({
      expected: written + counts.unread,
      rows: counts.rows,
      present: counts.present,
      repeated: counts.repeated,
      sessions: counts.sessions.size,
      notes: [...notes, ...(counts.unread > 0 ? [`${counts.unread === 1 ? '1 row is' : `${counts.unread} rows are`} no JSON object and could not be read.`] : [])],
      problem,
    }),
  };
}

function* ofTranscript(snapshot: OpenclawSnapshot, file: TranscriptFile, given: HeldRows, counts: Counts): Iterable<RecoveredText> {
  const held = heldBy(snapshot, file.sessionId);
  const found: RecoveredText[] = [];
  snapshot.rowsOf(file)((json, line) => {
    if (json.trim() === '') return;
    const text = judge(json, line, held, given, counts, { session: file.sessionId, sessionKey: snapshot.ownerOf(file), path: file.path });
    if (text) found.push(text);
  });
  yield* found;
}

function* ofDatabase(snapshot: OpenclawSnapshot, copy: DatabaseCopy, path: string, given: (session: string) => HeldRows, counts: Counts): Iterable<RecoveredText> {
  for (const session of copy.sessions()) {
    const held = heldBy(snapshot, session);
    const sessionKey = copy.keyOf(session);
    for (const event of copy.events(session)) {
      const text = judge(event.json, event.seq + 1, held, given(session), counts, { session, sessionKey, path });
      if (text) yield { ...text, from: { path, table: 'transcript_events', row: `${session}/${event.seq}` } };
    }
  }
}

/** What transcripts and databases that the product put aside hold and the store lacks, by content or id. */
export async function* openclawCopies(snapshot: OpenclawSnapshot): AsyncIterable<Recovery> {
  const bySession = new Map<string, HeldRows>();
  const given = (session: string): HeldRows => {
    const known = bySession.get(session) ?? heldRows();
    bySession.set(session, known);
    return known;
  };
  for (const file of snapshot.files) {
    if (file.kind !== 'corrupt-copy') continue;
    const counts = newCounts();
    yield recovery(snapshot, file.name, ofTranscript(snapshot, file, given(file.sessionId), counts), counts, [], null);
  }
  for (const { name, path, kind } of snapshot.sideFiles) {
    if (kind !== 'quarantine' || /-(wal|shm|journal)$/.test(name)) continue;
    const copy = await snapshot.databaseCopy(path);
    const counts = newCounts();
    try {
      yield recovery(snapshot, name, ofDatabase(snapshot, copy, path, given, counts), counts, copy.notes, copy.problem);
    } finally {
      copy.close();
    }
  }
}
