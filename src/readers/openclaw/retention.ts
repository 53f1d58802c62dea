const units: { [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** ms of a duration such as `24h`, `1h30m`, or a bare number in `unit`; null when it is none. */
export function durationOf(value: unknown, unit: 'h' | 'd'): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value * units[unit]! : null;
  if (typeof value !== 'string') return null;
  const text = value.trim().toLowerCase();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * units[unit]!;
  if (!/^(\d+(\.\d+)?(ms|[smhdw]))+$/.test(text)) return null;
  let total = 0;
  for (const [, number, name] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdw])/g)) total += Number(number) * (units[name ?? ''] ?? 0);
  return total;
}

/** What maintenance and the cron reaper may remove by themselves (OpenClaw format notes §3.3, §5). Times in ms. */
export type Retention = { cronRetention: number | null; pruneAfter: number; maxEntries: number };

function part(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as { [key: string]: unknown })[name] : undefined;
}

export function retentionOf(session: unknown, cron: unknown): Retention {
  const kept = part(cron, 'sessionRetention');
  const maintenance = part(session, 'maintenance');
  const cap = part(maintenance, 'maxEntries');
  return {
    cronRetention: kept === false ? null : (durationOf(kept, 'h') ?? units.d!),
    pruneAfter: durationOf(part(maintenance, 'pruneAfter'), 'd') ?? durationOf(part(maintenance, 'pruneDays'), 'd') ?? 30 * units.d!,
    maxEntries: typeof cap === 'number' && cap > 0 ? cap : 500,
  };
}
