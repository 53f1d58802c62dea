import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';
import { FriendlyError, errorMessage } from '../model/errors.ts';

export type SqliteDatabase = BetterSqlite3.Database;
type Constructor = typeof BetterSqlite3;

let constructor: Constructor | null = null;

/** The native SQLite module, loaded on first use: JSONL stores work without it. Throws FriendlyError when it is missing. */
export function loadSqlite(): Constructor {
  if (constructor) return constructor;
  try {
    const require = createRequire(import.meta.url);
    const loaded: Constructor = require('better-sqlite3');
    // The binding is loaded by the first open, not by the import.
    new loaded(':memory:').close();
    constructor = loaded;
    return loaded;
  } catch (error) {
    throw new FriendlyError(
      `the native module better-sqlite3 cannot be loaded, so databases cannot be read (JSONL stores can): ${errorMessage(error).split('\n')[0]}`,
      'install python3, make and g++, then: npm rebuild better-sqlite3 (npm rebuild -g … after npm install -g), or install sessionfsck again where npm left the module out',
    );
  }
}
