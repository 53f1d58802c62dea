/**
 * A text from a store made safe for a terminal: control characters (C0, C1, DEL), line and bidirectional overrides and
 * zero-width characters become visible escapes, so that no title, key or file name can move the cursor or hide text.
 */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/g, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** JSON whose bytes are safe on a terminal as well: what JSON leaves raw of the same characters is written as escapes. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(/[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/g, (character) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** `1 row`, `3 rows`, with thin spaces nowhere: plain digits in groups of three from 10 000 on. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${groupDigits(number)} ${number === 1 ? singular : plural}`;
}

/** A count of a store under its own name, which is a plural: `1 archive`, `2 archives`, `2 leftover files`. */
export function countName(name: string, number: number): string {
  return `${groupDigits(number)} ${number === 1 && !name.includes(' of ') ? name.replace(/s$/, '') : name}`;
}

export function groupDigits(number: number): string {
  return Math.abs(number) < 10_000 ? String(number) : String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ' ');
}

/** Cuts a text in the middle so that it fits `width` columns. */
export function shorten(text: string, width: number): string {
  if (text.length <= width) return text;
  const head = Math.ceil((width - 1) / 2);
  return `${text.slice(0, head)}…${text.slice(text.length - (width - 1 - head))}`;
}

/** Breaks a text into lines of at most `width` columns at spaces. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  if (line !== '') lines.push(line);
  return lines;
}
