import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Parsers that few stores need, loaded on first use: together they would double the start of every command. */
let yaml: typeof import('yaml') | null = null;
let json5: typeof import('json5') | null = null;
let fzstd: typeof import('fzstd') | null = null;

export function loadYaml(): typeof import('yaml') {
  yaml ??= require('yaml') as typeof import('yaml');
  return yaml;
}

export function loadJson5(): typeof import('json5') {
  json5 ??= require('json5') as typeof import('json5');
  return json5;
}

export function loadZstd(): typeof import('fzstd') {
  fzstd ??= require('fzstd') as typeof import('fzstd');
  return fzstd;
}
