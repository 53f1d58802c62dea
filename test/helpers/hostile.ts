import { closeSync, mkdirSync, openSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { header, talk, transcriptBytes, writeOpenclawStore, type Row } from './openclaw-transcripts.ts';

/** A transcript with one fault that every scan of a hostile store must still find: a gap before line 4. */
export const victim = '0badcafe-0000-4000-8000-000000000002';

export function victimRows(): Row[] {
  const t = talk('v');
  t.chat(3);
  t.rows[2]!.parentId = 'ffffffff';
  return t.rows;
}

/** A store whose only fault is the victim's; returns the state folder and its sessions folder. */
export function storeWithVictim(folder: string): { store: string; sessions: string } {
  const store = writeOpenclawStore(folder, [{ id: victim, rows: victimRows() }]);
  return { store, sessions: join(store, 'agents/main/sessions') };
}

/** A transcript of one row of `bytes` bytes, written in pieces. */
export function writeHugeLine(path: string, id: string, bytes: number): void {
  const fd = openSync(path, 'w');
  const piece = Buffer.alloc(1024 * 1024, 'x');
  try {
    writeSync(fd, transcriptBytes({ id, rows: [] }));
    writeSync(fd, '{"type":"custom","id":"huge","parentId":null,"data":"');
    for (let written = 0; written < bytes; written += piece.length) writeSync(fd, piece);
    writeSync(fd, '"}\n');
  } finally {
    closeSync(fd);
  }
}

/** `count` healthy transcripts of a few rows, each with an entry. */
export function writeManyTranscripts(folder: string, count: number): string {
  const t = talk();
  t.chat(2);
  return writeOpenclawStore(
    folder,
    Array.from({ length: count }, (_, i) => ({ id: `${i.toString(16).padStart(8, '0')}-0000-4000-8000-000000000003`, key: `agent:main:telegram:direct:${i}`, rows: t.rows })),
  );
}

/** Names a folder can hold that would move a cursor, hide text or turn it around. */
export const hostileNames = ['\u001b]0;owned\u0007.jsonl', '\u202egnp.jsonl', 'a\u001b[2J.jsonl', '\u2066x\u2069\u200b.jsonl', 'line\nbreak.jsonl'];

/** Characters that no output may hold raw, apart from line ends. */
export const unprintable = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

export function writeHostileNames(sessions: string): void {
  for (const name of hostileNames) writeFileSync(join(sessions, name), `${JSON.stringify(header('x\u001b[31m'))}\n{"type":"message","id":"\\u001b[1A","parentId":"\\u202e\\u0000gone"}\nnot \u001b[2J json\n`);
}

/** Links that lead out, round in a circle, to nothing and to a folder. */
export function writeLinks(sessions: string, outside: string): void {
  symlinkSync(outside, join(sessions, '11111111-0000-4000-8000-000000000004.jsonl'));
  symlinkSync('22222222-0000-4000-8000-000000000004.jsonl', join(sessions, '22222222-0000-4000-8000-000000000004.jsonl'));
  symlinkSync('/nowhere/at/all', join(sessions, '33333333-0000-4000-8000-000000000004.jsonl'));
  symlinkSync('.', join(sessions, '44444444-0000-4000-8000-000000000004.jsonl'));
}

/** Named pipes where files are expected; false where the system has none. A plain open of one waits for ever. */
export function writePipes(store: string, sessions: string): boolean {
  const pipes = [join(sessions, '55555555-0000-4000-8000-000000000004.jsonl'), join(sessions, `${victim}.jsonl.lock`), join(sessions, `${victim}.trajectory.jsonl`), join(store, 'openclaw.json')];
  return spawnSync('mkfifo', pipes).status === 0;
}

/** Folders where files are expected. */
export function writeFoldersForFiles(store: string, sessions: string): void {
  for (const path of [join(sessions, '66666666-0000-4000-8000-000000000004.jsonl'), join(sessions, `${victim}.jsonl.lock`), join(sessions, `${victim}.trajectory.jsonl`), join(store, 'openclaw.json')]) mkdirSync(path);
}
