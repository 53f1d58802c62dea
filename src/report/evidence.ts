import type { Evidence, Json } from '../model/finding.ts';
import { groupDigits } from './printable.ts';

const shownItems = 12;

/** `rowsDeletedByIdOrder` → `rows deleted by id order`. */
export function evidenceLabel(key: string): string {
  return key.replace(/([a-z0-9])([A-Z])/g, (_, before: string, letter: string) => `${before} ${letter.toLowerCase()}`);
}

/** Evidence as label and value, in the order in which the check names it; long lists are cut and counted. Not yet escaped. */
export function evidenceRows(evidence: Evidence): { label: string; value: string }[] {
  return Object.entries(evidence)
    .filter(([, value]) => value !== null && !(typeof value === 'object' && Object.keys(value).length === 0))
    .map(([key, value]) => ({ label: evidenceLabel(key), value: evidenceValue(value) }));
}

function evidenceValue(value: Json): string {
  // Plain digits: row numbers and process ids are copied into other programs.
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null) return 'none';
  const items = Array.isArray(value) ? value.map(evidenceValue) : Object.entries(value).map(([key, inner]) => `${key}: ${evidenceValue(inner)}`);
  const between = Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null) ? '; ' : ', ';
  if (items.length <= shownItems) return items.join(between);
  return `${items.slice(0, shownItems).join(between)} … and ${groupDigits(items.length - shownItems)} more`;
}
