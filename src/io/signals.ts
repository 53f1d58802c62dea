/** Signals that ask a program to stop, and the exit codes that tell of them: 128 and the signal's number. */
export const stopCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export type StopSignal = keyof typeof stopCodes;

const signals = Object.keys(stopCodes) as StopSignal[];
let holding = 0;
let held: StopSignal | null = null;
let told = false;

/** Ends the process on a stop signal, unless `uninterrupted` work runs; `tell` is called once when one has to wait for that. */
export function stopOnSignals(tell: (signal: StopSignal) => void): void {
  for (const signal of signals) {
    process.on(signal, () => {
      if (holding === 0) process.exit(stopCodes[signal]);
      if (!told) tell(signal);
      told = true;
    });
  }
}

/** The stop signal that came during `uninterrupted` work, or null. The program still owes the exit code. */
export function heldSignal(): StopSignal | null {
  return held;
}

/**
 * Runs `work` to its end although somebody asks to stop: between the first write and the verdict an interrupt would only
 * leave more to be finished later.
 */
export async function uninterrupted<T>(work: () => Promise<T>): Promise<T> {
  const hold = (signal: StopSignal): void => {
    held ??= signal;
  };
  holding++;
  for (const signal of signals) process.on(signal, hold);
  try {
    return await work();
  } finally {
    // A signal that came while this thread was busy is handed out when the event loop polls, which it does before the second turn.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    for (const signal of signals) process.removeListener(signal, hold);
    holding--;
  }
}
