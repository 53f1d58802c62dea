/** Which sessions a person means. */
export type SessionQuery = {
  text: string;
  /** True for the id or key itself; with `byPrefix`, for one that begins with the text. */
  matches(name: string | null): boolean;
};

export function exactQuery(text: string): SessionQuery {
  return { text, matches: (name) => name === text };
}

/** Ids by their beginning; keys also by their end, behind a colon, as they are shown without `agent:<id>:`; the minus of a group's number may be left out, since a shell command takes it for an option. */
export function looseQuery(text: string): SessionQuery {
  const spoken = text.replaceAll(' ', ':');
  return { text, matches: (name) => name !== null && (name.startsWith(text) || name.endsWith(`:${text}`) || (/^\d+$/.test(text) && name.endsWith(`:-${text}`)) || name.endsWith(`:${spoken}`)) };
}
