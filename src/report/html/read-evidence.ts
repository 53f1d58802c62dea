import type { Evidence, Json } from '../../model/finding.ts';
import { parseTime } from '../../model/time.ts';

export function numberAt(evidence: Evidence, key: string): number | null {
  const value = evidence[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function textAt(evidence: Evidence, key: string): string | null {
  const value = evidence[key];
  return typeof value === 'string' ? value : null;
}

/** ms of an ISO text. */
export function timeAt(evidence: Evidence, key: string): number | null {
  return parseTime(evidence[key]);
}

export function numbersAt(evidence: Evidence, key: string): number[] {
  const value: Json | undefined = evidence[key];
  return Array.isArray(value) ? value.filter((item): item is number => typeof item === 'number') : [];
}

/** The entries of an object of counts, such as `hiddenByArchive`. */
export function countsAt(evidence: Evidence, key: string): [name: string, count: number][] {
  const value = evidence[key];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] > 0);
}
