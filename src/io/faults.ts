/** The operations that change a disk. Each announces itself before it happens. */
export type FaultPoint = 'open' | 'write' | 'fsync' | 'rename' | 'link' | 'unlink' | 'folder-fsync' | 'mkdir' | 'attributes' | 'statement' | 'commit';

let hook: ((point: FaultPoint, path: string) => void) | null = null;

/** Lets a test fail (throw) or end the process at any of the points; null takes it away. */
export function setFaultHook(next: typeof hook): void {
  hook = next;
}

/** Announces an operation that is about to change `path`. */
export function faultPoint(point: FaultPoint, path: string): void {
  hook?.(point, path);
}

let flushing = true;

/** Tests that end hundreds of runs do not wait for the disk; nothing else may turn this off. */
export function setFlushing(on: boolean): void {
  flushing = on;
}

export function isFlushing(): boolean {
  return flushing;
}
