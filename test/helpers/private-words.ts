import { existsSync, lstatSync, readFileSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** Fields and columns that hold what people and models wrote, or secrets; ids, keys, kinds, times and counts are not among them. */
const privateNames = new Set([
  'arguments', 'body', 'botToken', 'content', 'description', 'details', 'diff', 'display_name', 'displayName', 'error', 'errorMessage', 'input', 'intent', 'label', 'lastMessage',
  'output', 'prompt', 'query', 'reasoning', 'reasoning_content', 'reasoning_details', 'senderName', 'subject', 'summary', 'system', 'system_prompt', 'text', 'thinking', 'title',
]);

/** Columns of JSON that hold prose somewhere inside. */
const jsonNames = new Set(['data', 'entry_json', 'event_json', 'tool_calls', 'display_metadata', 'model_config']);

/** The value with `word` before each private string inside; everything else stays. Equal strings stay equal. */
function withWord(value: unknown, word: string, inside: boolean): unknown {
  if (typeof value === 'string') return inside ? marked(value, word) : value;
  if (Array.isArray(value)) return value.map((item) => withWord(item, word, inside));
  if (value === null || typeof value !== 'object') return value;
  const isTyped = 'type' in value || 'role' in value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withWord(item, word, privateNames.has(name) || (inside && !(isTyped && ['type', 'id', 'role', 'name', 'toolCallId', 'tool_use_id'].includes(name))))]));
}

/** The word stands behind a channel id (`#412 `) or a mark (`[…]`) and before everything else, so that a cut text holds it too; JSON inside a string stays JSON. */
function marked(text: string, word: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === 'object') return JSON.stringify(withWord(value, word, true));
  } catch {
    // prose
  }
  return text.replace(/^(#\d+ |\[[^\]]*\]\s*)?/, (start) => `${start}${word} `);
}

/** A line of JSON with the word planted; what is no JSON gets it at its start, where a parser's complaint would quote it. */
function markedLine(line: string, word: string): string {
  if (line.trim() === '') return line;
  try {
    return JSON.stringify(withWord(JSON.parse(line), word, false));
  } catch {
    return /^\s*\{/.test(line) ? line.replace('{', `{"text":"${word}",`) : `${word} ${line}`;
  }
}

function plantInDatabase(path: string, word: string): number {
  const db = new Database(path);
  let planted = 0;
  db.function('plant', { deterministic: true, directOnly: false }, (name: unknown, value: unknown) => {
    if (typeof value !== 'string' || value === '') return value as string | null;
    planted++;
    if (privateNames.has(String(name))) return marked(value, word);
    return markedLine(value, word);
  });
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%\\_fts\\_%' ESCAPE '\\'").pluck().all() as string[];
  for (const table of tables) {
    const known = db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table);
    if (/^sessions?$/.test(table) && !known.includes('title')) db.exec(`ALTER TABLE "${table}" ADD COLUMN title TEXT DEFAULT 'a title'`);
    const columns = db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[];
    for (const column of columns.filter((name) => privateNames.has(name) || jsonNames.has(name))) {
      db.exec(`UPDATE "${table}" SET "${column}" = plant('${column}', "${column}") WHERE typeof("${column}") = 'text'`);
    }
  }
  db.close();
  return planted;
}

/**
 * Plants a word into every private text of a store: messages, titles, display names, tool arguments, damaged lines, secrets of the
 * configuration. Times of the files are kept. Returns the number of files and values that hold it now.
 */
export function plantPrivateWord(folder: string, word: string): number {
  let planted = 0;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    // A log goes into its database when a word is planted there.
    if (!existsSync(path)) continue;
    if (lstatSync(path).isDirectory()) {
      planted += plantPrivateWord(path, word);
      continue;
    }
    const { atime, mtime } = statSync(path);
    const bytes = readFileSync(path);
    if (/\.(db|sqlite)$/.test(name)) {
      try {
        planted += plantInDatabase(path, word);
      } catch {
        writeFileSync(path, bytes); // a database that is itself the damage
      }
    } else if (/\.jsonl/.test(name) && !/\.(zst|lock)$/.test(name)) {
      writeFileSync(path, Buffer.from(bytes.toString('latin1').split('\n').map((line) => markedLine(line, word)).join('\n'), 'latin1'));
      planted++;
    } else if (name === 'sessions.json') {
      writeFileSync(path, markedLine(bytes.toString('utf8'), word));
      planted++;
    } else if (name === 'openclaw.json') {
      writeFileSync(path, bytes.toString('utf8').replace('{', `{ gateway: { auth: { token: "${word}" } }, `));
      planted++;
    } else if (name === 'config.yaml') {
      writeFileSync(path, `${bytes.toString('utf8')}\napi_key: ${word}\n`);
      planted++;
    }
    utimesSync(path, atime, mtime);
  }
  return planted;
}
