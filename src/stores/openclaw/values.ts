import { isObject } from '../../model/values.ts';

/** A JSON value as an object with unknown fields, or null. */
export function asObject(value: unknown): Record<string, unknown> | null {
  return isObject(value) ? value : null;
}

export function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function asNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function asTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
