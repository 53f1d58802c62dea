import { Chalk, type ChalkInstance } from 'chalk';

/** How much a text report says and whether it is coloured. */
export type TextOptions = {
  color: boolean;
  verbose: boolean;
  quiet: boolean;
  /** Columns; at most this many are used. */
  width: number;
  /** The PATH words as typed, for the commands that are suggested. */
  paths: readonly string[];
  /** Show the fingerprint of each finding. */
  fingerprints?: boolean;
};

export type Style = {
  error: (text: string) => string;
  warning: (text: string) => string;
  info: (text: string) => string;
  good: (text: string) => string;
  strong: (text: string) => string;
  dim: (text: string) => string;
};

/** Colours that only add: every word that carries meaning is there without them. */
export function styleFor(color: boolean): Style {
  const chalk: ChalkInstance = new Chalk({ level: color ? 1 : 0 });
  return { error: chalk.red.bold, warning: chalk.yellow.bold, info: chalk.cyan, good: chalk.green, strong: chalk.bold, dim: chalk.dim };
}
