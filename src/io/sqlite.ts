import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';
import { nativeModuleError } from './native-module.ts';

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
    throw nativeModuleError(error);
  }
}
