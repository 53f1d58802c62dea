import { join } from 'node:path';
import { kindOf } from '../../io/files.ts';

const plainId = /^[A-Za-z0-9_-]{1,128}$/;

/** What MiMo-Code noted of a session beside its messages (opencode format notes §2.4): prose of the agent, no messages. */
export function readMemoryFiles(data: string, sessionId: string): string[] {
  // The id comes from a store: it must not lead out of the folder.
  if (!plainId.test(sessionId)) return [];
  return ['checkpoint.md', 'notes.md'].map((name) => join(data, 'memory', 'sessions', sessionId, name)).filter((path) => kindOf(path) === 'file');
}
