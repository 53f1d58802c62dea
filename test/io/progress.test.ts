import { describe, expect, it } from 'vitest';
import { createProgress, type ProgressState } from '../../src/io/progress.ts';

const state = (overrides: Partial<ProgressState> = {}): ProgressState => ({ label: 'agents/main', store: 0, stores: 2, digests: 3, records: 500, bytesDone: 2_000_000, bytesTotal: 8_000_000, check: null, ...overrides });

describe('progress', () => {
  it('is silent for a second, then says what, how much, the rate and what remains; and clears its line', () => {
    let clock = 0;
    const written: string[] = [];
    const progress = createProgress((text) => written.push(text), true, 100, () => clock);
    progress.update(state({ bytesDone: 0 }));
    clock = 999;
    progress.update(state());
    expect(written).toEqual([]);
    clock = 2000;
    progress.update(state());
    expect(written).toEqual(['\r\u001b[2Kscan 1/2 agents/main  500 rows  2.0 MB of 8.0 MB  1.0 MB/s  ~6 s left']);
    clock = 2100;
    progress.update(state());
    expect(written).toHaveLength(1);
    progress.done();
    expect(written.at(-1)).toBe('\r\u001b[2K');
  });

  it('measures each store by itself, and fits the terminal', () => {
    let clock = 0;
    const written: string[] = [];
    const progress = createProgress((text) => written.push(text), true, 40, () => clock);
    progress.update(state());
    clock = 10_000;
    progress.update(state({ store: 1, bytesDone: 0 }));
    clock = 11_000;
    progress.update(state({ store: 1, bytesDone: 4_000_000 }));
    expect(progress.line()).toContain('4.0 MB/s  ~1 s left');
    for (const text of written) expect(text.length).toBeLessThanOrEqual(39 + 5);
  });

  it('writes nothing where there is no terminal, but answers who asks', () => {
    const written: string[] = [];
    const progress = createProgress((text) => written.push(text), false, 80, () => 5000);
    expect(progress.line()).toMatch(/^looking for stores/);
    progress.update(state({ check: 'db/corrupt' }));
    progress.done();
    expect(written).toEqual([]);
    expect(progress.line()).toMatch(/^scan 1\/2 agents\/main .*db\/corrupt, running for 0 s$/);
  });
});
