import type { Finding } from '../model/finding.ts';
import { printable, shorten } from './printable.ts';

/** What a person would call a chat: `telegram group -1001764402291` for its key, else a short session id. */
export function chatName(sessionKey: string | null, session: string | null): string {
  if (sessionKey !== null) {
    const words = sessionKey.split(':');
    if (words[0] === 'agent' && words.length > 2) return printable(words.slice(2).join(' '));
    return printable(sessionKey);
  }
  return session === null ? '' : printable(shorten(session, 36));
}

export function findingName(finding: Pick<Finding, 'session' | 'sessionKey'>): string {
  return chatName(finding.sessionKey, finding.session);
}
