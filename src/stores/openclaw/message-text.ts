import { asObject, asText } from './values.ts';

/** The text of a message row's content: a string, or the text blocks of a list; other blocks are named by type. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((block) => {
      const fields = asObject(block);
      return asText(fields?.['text']) ?? asText(fields?.['thinking']) ?? `[${asText(fields?.['type']) ?? 'block'}]`;
    })
    .join('\n');
}

const start = /^#(\S{1,64}) (.{1,256}?): /;

/**
 * An ambient row taken apart: the text of each of the channel messages in `ids`, in their order. A line that looks like the
 * beginning of another message than the next id belongs to the body (format notes §2.4).
 */
export function ambientTexts(text: string, ids: readonly string[]): { id: string; text: string }[] {
  const items: { id: string; lines: string[] }[] = [];
  let next = 0;
  for (const line of text.split('\n')) {
    const id = start.exec(line)?.[1];
    if (id !== undefined && id === ids[next]) {
      items.push({ id, lines: [line] });
      next++;
    } else {
      items.at(-1)?.lines.push(line);
    }
  }
  return items.map((item) => ({ id: item.id, text: item.lines.join('\n') }));
}
