/** One turn of a talk: a user row with what was answered last before the next one. */
type Turn = { user: number; answer: number };

/** Rows as parallel columns; times are ms, NaN where absent. Hash and length stand for the content; key 0: none. */
export type TurnRows = {
  hash: ArrayLike<number>;
  length: ArrayLike<number>;
  /** When it was said. */
  said: ArrayLike<number>;
  /** When it was appended. */
  appended: ArrayLike<number>;
  key: ArrayLike<number>;
  parent: ArrayLike<number>;
  /** Characters of the row's id. */
  idLength: (row: number) => number;
};

export type TurnRow = { row: number; role: 'user' | 'assistant' };

/** `why`: what proves that it is the same row and not the same words. */
export type RepeatedRow = { row: number; first: number; why: 'key' | 'time' | 'sibling' | 'block' };

/** Two persisted copies of one inbound message are at most this far apart. */
const siblingMs = 2000;
const blockTurns = 3;
const shortestText = 8;

/** Rows that are sorted at once: hash and place of a row must fit one exact number. */
const windowRows = 2 ** 21;

/**
 * Rows that repeat an earlier row, as opposed to people saying "ok" twice: equal content together with an equal idempotency
 * key, or an equal time of speech (unless two keys differ), or the same parent within two seconds under an id of another
 * format (#116409), or as part of a repeated block of three turns whose questions and answers are all different from each
 * other. `rows` are user and assistant rows in file order. Time n log n with numbers only; memory for what repeats.
 */
export function findRepeatedTurns(rows: readonly TurnRow[], columns: TurnRows): RepeatedRow[] {
  const found = new Map<number, RepeatedRow>();
  const recurring = new Set<number>();
  for (let from = 0; from < rows.length; from += windowRows) {
    for (const group of groupsOfEqualContent(rows.slice(from, from + windowRows), columns)) {
      for (const { row } of group) recurring.add(row);
      for (const repeated of repeatsIn(group, columns)) found.set(repeated.row, repeated);
    }
  }
  for (const repeated of repeatedBlocks(turnsOf(rows), recurring, columns)) if (!found.has(repeated.row)) found.set(repeated.row, repeated);
  return [...found.values()].sort((a, b) => a.row - b.row);
}

/** Groups of two and more rows with the same content, each in file order. */
function* groupsOfEqualContent(rows: readonly TurnRow[], { hash, length }: TurnRows): Iterable<TurnRow[]> {
  const order = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) order[i] = hash[rows[i]!.row]! * windowRows + i;
  order.sort();
  const rowAt = (place: number): TurnRow => rows[order[place]! % windowRows]!;
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    const content = Math.floor(order[start]! / windowRows);
    while (end < order.length && Math.floor(order[end]! / windowRows) === content) end++;
    if (end - start > 1) {
      const byLength = new Map<number, TurnRow[]>();
      for (let place = start; place < end; place++) {
        const turn = rowAt(place);
        const characters = length[turn.row]!;
        if (characters === 0) continue;
        const known = byLength.get(characters);
        if (known) known.push(turn);
        else byLength.set(characters, [turn]);
      }
      for (const group of byLength.values()) if (group.length > 1) yield group;
    }
    start = end;
  }
}

function* repeatsIn(group: readonly TurnRow[], { said, appended, key, parent, idLength }: TurnRows): Iterable<RepeatedRow> {
  const byKey = new Map<number, number>();
  const byTime = new Map<number, number>();
  const byParent = new Map<number, number>();
  const firstIn = (seen: Map<number, number>, value: number, row: number): number | null => {
    const first = seen.get(value);
    if (first === undefined) seen.set(value, row);
    return first ?? null;
  };
  const near = (a: number, b: number): boolean => Math.abs(said[a]! - said[b]!) <= siblingMs || Math.abs(appended[a]! - appended[b]!) <= siblingMs;
  const keysDiffer = (a: number, b: number): boolean => key[a] !== 0 && key[b] !== 0 && key[a] !== key[b];
  for (const { row, role } of group) {
    const underKey = key[row] === 0 ? null : firstIn(byKey, key[row]!, row);
    const atTime = Number.isNaN(said[row]!) ? null : firstIn(byTime, said[row]!, row);
    const beside = role === 'user' && parent[row]! >= 0 ? firstIn(byParent, parent[row]!, row) : null;
    if (underKey !== null) yield { row, first: underKey, why: 'key' };
    else if (atTime !== null && !keysDiffer(atTime, row)) yield { row, first: atTime, why: 'time' };
    else if (beside !== null && idLength(beside) !== idLength(row) && near(beside, row)) yield { row, first: beside, why: 'sibling' };
  }
}

function* repeatedBlocks(turns: readonly Turn[], recurring: ReadonlySet<number>, { hash, length }: TurnRows): Iterable<RepeatedRow> {
  const tells = (row: number): boolean => recurring.has(row) && length[row]! >= shortestText;
  const allDiffer = (rows: readonly number[]): boolean => new Set(rows.map((row) => hash[row])).size === rows.length;
  const blocks = new Map<string, number>();
  for (let at = 0; at + blockTurns <= turns.length; at++) {
    const block = turns.slice(at, at + blockTurns);
    if (!block.every((turn) => tells(turn.user) && tells(turn.answer))) continue;
    if (!allDiffer(block.map((turn) => turn.user)) || !allDiffer(block.map((turn) => turn.answer))) continue;
    const content = block.map((turn) => `${hash[turn.user]} ${length[turn.user]} ${hash[turn.answer]} ${length[turn.answer]}`).join(' ');
    const first = blocks.get(content);
    if (first === undefined) blocks.set(content, at);
    else if (at >= first + blockTurns) {
      for (const [i, turn] of block.entries()) {
        yield { row: turn.user, first: turns[first + i]!.user, why: 'block' };
        yield { row: turn.answer, first: turns[first + i]!.answer, why: 'block' };
      }
    }
  }
}

function turnsOf(rows: readonly TurnRow[]): Turn[] {
  const turns: Turn[] = [];
  let user = -1;
  let answer = -1;
  const close = (): void => {
    if (user >= 0 && answer >= 0) turns.push({ user, answer });
    answer = -1;
  };
  for (const { row, role } of rows) {
    if (role === 'assistant') answer = row;
    else {
      close();
      user = row;
    }
  }
  close();
  return turns;
}
