import { kindOf, readSmallFile } from '../../io/files.ts';
import { errorMessage } from '../../model/errors.ts';
import { entryOf } from './entries.ts';
import type { IndexFacts, SessionEntry } from './types.ts';
import { asObject } from './values.ts';

/** Reads `sessions.json`. Nothing it holds makes it throw; entries come in the file's order. */
export function readIndex(path: string): { index: IndexFacts; entries: SessionEntry[] } {
  const facts = (state: IndexFacts['state'], bytes: number, detail: string | null = null): { index: IndexFacts; entries: SessionEntry[] } => ({ index: { path, state, bytes, detail }, entries: [] });
  let content: Buffer;
  try {
    if (kindOf(path) === 'missing') return facts('missing', 0);
    content = readSmallFile(path);
  } catch (error) {
    return facts('unreadable', 0, errorMessage(error));
  }
  const text = content.toString('utf8').replace(/^\ufeff/, '');
  if (text.trim() === '') return facts('empty', content.length);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // V8 quotes the text around the fault; only its kind and place may be shown.
    const place = /position (\d+)/.exec(errorMessage(error));
    return facts('not-json', content.length, place ? `it stops being JSON at character ${place[1]}` : 'it ends before its JSON does');
  }
  const object = asObject(value);
  if (object === null) return facts('not-object', content.length, 'it is JSON, but no object of entries');
  return { index: { path, state: 'ok', bytes: content.length, detail: null }, entries: Object.keys(object).map((key) => entryOf(key, object[key])) };
}
