import type { Json, Severity } from './finding.ts';
import type { StoreRef } from './store.ts';

/**
 * One value of a database cell in a plan. Text, finite numbers and NULL are themselves; integers beyond 2^53 and blobs are
 * wrapped. A computed value is worked out inside the transaction, after every plain write.
 */
export type Cell = string | number | null | { $integer: string } | { $blob: string } | Computed;

/**
 * What is worked out when it is written: rows that match, the lengths of the JSON arrays in one column of them, or a token that
 * nobody had before (32 hexadecimal digits).
 */
export type Computed = { $count: { table: string; where: CellMap } } | { $arrayLengths: { table: string; where: CellMap; column: string } } | { $token: 'hex32' };

export type CellMap = { [column: string]: Cell };

/** A place inside a JSON text, from the root: member names and array indexes. */
export type JsonPath = (string | number)[];

/**
 * One change inside a JSON text. Everything else keeps its bytes: formatting, number tokens, unknown fields.
 * `before` is the precondition; a `set` without `before` requires that nothing is there.
 */
export type JsonEdit = { op: 'set'; path: JsonPath; before?: Json; after: Json } | { op: 'remove'; path: JsonPath; before: Json };

/** Room for `by` further rows before the one that has the number `from`. */
export type Shift = { from: number; by: number };

/**
 * A row whose JSON text is either in a text column or, where that is NULL, as a zstd frame in `column`. After an edit the text
 * column holds it, `column` and `clear` are NULL, and `bytes` (where the row has one) is its length in UTF-8.
 */
export type PackedText = { column: string; bytes: string; clear: string[] };

/** Where the ids of a mapping stand: whole cells of a column, or strings at a JSON path in it (`*` for every array item). */
export type MappedColumn = {
  table: string;
  column: string;
  /** Absent: the cell is the id. */
  path?: (string | number)[];
  /** Also ids inside longer strings, such as keys that embed an id. */
  embedded?: boolean;
  /** Only rows whose columns have these values. */
  where?: CellMap;
};

/**
 * One elementary change. The engine knows these and no product. Paths are absolute and lie inside the store; every
 * action carries what must be true before it (a hash, before-values, an absence).
 */
export type Action =
  /** Edits one JSON file. */
  | { kind: 'edit-json-file'; path: string; edits: JsonEdit[] }
  /** Edits one line (from 1) of a JSONL file; `sha256` is of the line without its newline. */
  | { kind: 'edit-json-line'; path: string; line: number; sha256: string; edits: JsonEdit[] }
  /** Takes lines out of a JSONL file; `sha256` is of their bytes with newlines. They go to the file `sidecar`, which must not exist. */
  | { kind: 'remove-lines'; path: string; line: number; count: number; sha256: string; sidecar: string }
  /** Puts lines (without newline) before line `line` of a JSONL file; one past the last line appends. */
  | { kind: 'insert-lines'; path: string; line: number; lines: string[] }
  /** `to` must not exist. */
  | { kind: 'rename-file'; path: string; to: string; sha256: string }
  | { kind: 'create-file'; path: string; content: string; mode: number }
  /**
   * Writes a file anew whose content is worth nothing any more (empty or unreadable index); the old bytes stay in the journal
   * and, where one is named, in the file `sidecar`, which must not exist.
   */
  | { kind: 'replace-file'; path: string; sha256: string; content: string; sidecar?: string }
  /**
   * Writes a JSON object anew from rows of a table: each of `keys`, in order, with the JSON text of its row. The text stays out of
   * the plan; `contentSha256` binds it. `source` is an absolute path of a database that is only read.
   */
  | { kind: 'mirror-rows'; path: string; sha256: string; source: string; table: string; keyColumn: string; valueColumn: string; where: CellMap; keys: string[]; contentSha256: string; bytes: number; sidecar?: string }
  /** Moves a file that is no content (a lock) out of the store, into the journal. */
  | { kind: 'retire-file'; path: string; sha256: string }
  /** Changes cells of rows named by key; every row must exist with its before-values. */
  | { kind: 'update-rows'; database: string; table: string; rows: { key: CellMap; before: CellMap; after: CellMap }[] }
  /** Edits a JSON text in one cell; `packed` where the same text may lie compressed in another column of the row. */
  | { kind: 'edit-json-cell'; database: string; table: string; key: CellMap; column: string; edits: JsonEdit[]; packed?: PackedText }
  /**
   * Adds to a whole-number column of the rows that match `where`: each row gets the sum of every `by` whose `from` it reaches. The
   * greatest goes first, so that numbers which must differ never meet. `rows`: how many rows reach the least `from`. `where` and
   * the other actions of the plan name rows as they are before it; `insert-rows` as they are after it.
   */
  | { kind: 'shift-rows'; database: string; table: string; where: CellMap; column: string; shifts: Shift[]; rows: number }
  /** Plain INSERT: fails when a key is taken. */
  | { kind: 'insert-rows'; database: string; table: string; rows: CellMap[] }
  /**
   * Copies rows in the given order under new keys: every column as it is, except the integer primary key `keyColumn`, which
   * the database gives, and the columns in `set`.
   */
  | { kind: 'clone-rows'; database: string; table: string; keyColumn: string; rows: number[]; set: CellMap }
  /** Removes rows that are no content (locks, leases); refused for any table that holds messages or sessions. */
  | { kind: 'delete-rows'; database: string; table: string; rows: { key: CellMap; before: CellMap }[] }
  /** Renames ids wherever they stand, in one pass over each named column. */
  | { kind: 'map-ids'; database: string; mapping: { [old: string]: string }; columns: MappedColumn[] }
  /** Drops triggers that could not run here; undo makes them again from `sql`. */
  | { kind: 'drop-triggers'; database: string; triggers: { name: string; sql: string }[] };

export type ActionKind = Action['kind'];

export type StepClass = 'safe' | 'judgement';

/** What a fix proposes for one target: one decision for a person. */
export type StepDraft = {
  /** What tells this step from others of the same fix in the same store: a session id, a watermark key. Equal ones are merged. */
  target: string;
  session: string | null;
  sessionKey?: string | null;
  /** Only where it differs from the finding's. */
  class?: StepClass;
  /** One line: what is done, without private prose. */
  title: string;
  /** What follows, and what it cannot bring back; one sentence each. */
  consequences: string[];
  /** Other ways out (upgrade the reader, fork the session); one sentence each. */
  alternatives: string[];
  actions: Action[];
};

/** One fix applied to one target; done as a whole or not at all. */
export type Step = {
  /** `1`, `2`, …: what `--step` names. */
  id: string;
  fix: string;
  class: StepClass;
  /** Store id. */
  store: string;
  target: string;
  session: string | null;
  sessionKey: string | null;
  title: string;
  consequences: string[];
  alternatives: string[];
  /** The findings that this step settles. */
  findings: { checkId: string; fingerprint: string }[];
  actions: Action[];
};

/** A finding without a step, and why. */
export type LeftFinding = {
  checkId: string;
  severity: Severity;
  store: string;
  session: string | null;
  sessionKey: string | null;
  fingerprint: string;
  reason: string;
  alternatives: string[];
};

/** What a store looked like when the plan was made: `digest` covers name, size and mtime of each of its files. */
export type StoreFingerprint = { digest: string; files: number; bytes: number };

export type PlannedStore = StoreRef & {
  reader: string;
  fingerprint: StoreFingerprint;
  /** All findings of the scan that the plan rests on, so that a rescan can tell new ones. `steps`: how many it takes to settle one. */
  findings: { checkId: string; severity: Severity; fingerprint: string; session: string | null; sessionKey: string | null; steps?: number }[];
};

/** What a planned store was opened as. */
export function refOf(store: PlannedStore): StoreRef {
  const { id, product, layout, path, label, home, config, only } = store;
  return { id, product, layout, path, label, home, ...(config === undefined ? {} : { config }), ...(only === undefined ? {} : { only }) };
}

/** How the scan was made; the rescan after `apply` is made the same way. */
export type PlannedScan = { zone: string; zoneGiven: boolean; now: string; readers: string[]; check: string[]; skip: string[]; deep: boolean };

/** A file that a person can read and edit: remove a step, and it is not done. */
export type Plan = {
  schemaVersion: 1;
  kind: 'sessionfsck-plan';
  tool: { name: 'sessionfsck'; version: string };
  created: string;
  scan: PlannedScan;
  stores: PlannedStore[];
  steps: Step[];
  left: LeftFinding[];
};

/** The database or file paths that an action writes to. */
export function pathsOf(action: Action): string[] {
  switch (action.kind) {
    case 'edit-json-file':
    case 'edit-json-line':
    case 'insert-lines':
    case 'create-file':
    case 'retire-file':
      return [action.path];
    case 'replace-file':
    case 'mirror-rows':
      return [action.path, ...(action.sidecar === undefined ? [] : [action.sidecar])];
    case 'remove-lines':
      return [action.path, action.sidecar];
    case 'rename-file':
      return [action.path, action.to];
    case 'update-rows':
    case 'edit-json-cell':
    case 'shift-rows':
    case 'insert-rows':
    case 'clone-rows':
    case 'delete-rows':
    case 'map-ids':
    case 'drop-triggers':
      return [action.database];
  }
}
