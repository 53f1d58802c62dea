/** How far a scan is. Counts are of this store, except `store` (from 0) of `stores`. */
export type ProgressState = { label: string; store: number; stores: number; digests: number; records: number; bytesDone: number | null; bytesTotal: number; check: string | null };

export type Progress = {
  update(state: ProgressState): void;
  /** The present state as one line, for a person who asks (SIGUSR1). */
  line(): string;
  /** Clears the line and stops. */
  done(): void;
};

const firstAfterMs = 1000;
const everyMs = 200;

/**
 * Progress of a long scan on one line of a terminal: what, how much, the rate and what remains. Silent for the first second and
 * where `terminal` is false. `write` gets raw text; `now` is a clock in ms.
 */
export function createProgress(write: (text: string) => void, terminal: boolean, width = 80, now: () => number = () => performance.now()): Progress {
  const began = now();
  let storeBegan = began;
  let state: ProgressState | null = null;
  let shown = false;
  let last = -Infinity;
  const text = (): string => (state === null ? 'looking for stores' : describe(state, now() - storeBegan));
  return {
    update(next) {
      const time = now();
      if (next.store !== state?.store) storeBegan = time;
      state = next;
      if (!terminal || time - began < firstAfterMs || time - last < everyMs) return;
      last = time;
      shown = true;
      write(`\r\u001b[2K${text().slice(0, width - 1)}`);
    },
    line: () => `${text()}, running for ${seconds(now() - began)}`,
    done() {
      if (shown) write('\r\u001b[2K');
      shown = false;
    },
  };
}

function describe(state: ProgressState, elapsedMs: number): string {
  const parts = [`scan ${state.store + 1}/${state.stores} ${state.label}`];
  if (state.records > 0) parts.push(`${state.records} rows`);
  const { bytesDone, bytesTotal } = state;
  if (bytesDone !== null && bytesDone > 0 && elapsedMs > 0) {
    const rate = bytesDone / (elapsedMs / 1000);
    parts.push(`${bytes(bytesDone)} of ${bytes(bytesTotal)}`, `${bytes(rate)}/s`);
    if (bytesTotal > bytesDone) parts.push(`~${seconds(((bytesTotal - bytesDone) / rate) * 1000)} left`);
  }
  if (state.check !== null) parts.push(state.check);
  return parts.join('  ');
}

function bytes(number: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = number;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value.toFixed(0) : value.toFixed(1)} ${units[unit]}`;
}

function seconds(ms: number): string {
  const total = Math.max(0, Math.round(ms / 1000));
  if (total < 90) return `${total} s`;
  return total < 5400 ? `${Math.round(total / 60)} min` : `${(total / 3600).toFixed(1)} h`;
}
