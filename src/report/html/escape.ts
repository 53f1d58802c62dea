import { printable } from '../printable.ts';

/** A text from anywhere as HTML text or attribute value: nothing in it is markup, invisible characters show as escapes. */
export function html(text: string | number): string {
  return printable(String(text)).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
