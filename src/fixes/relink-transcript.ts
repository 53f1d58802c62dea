import type { Finding } from '../model/finding.ts';
import type { JsonEdit } from '../model/step.ts';
import { baseName } from '../stores/openclaw/names.ts';
import type { OpenclawSnapshot } from '../stores/openclaw/types.ts';
import { defineFix, type FixOutcome } from './fix.ts';

/** The file that the entry should name, or null when it lies outside the sessions folder. */
function wanted(finding: Finding): string | null {
  const { ownFile, foundAt } = finding.evidence;
  if (typeof ownFile === 'string') return ownFile;
  return typeof foundAt === 'string' && baseName(foundAt) === foundAt ? foundAt : null;
}

function plan(finding: Finding, snapshot: OpenclawSnapshot): FixOutcome {
  const entry = finding.sessionKey === null ? null : snapshot.entryOf(finding.sessionKey);
  if (!entry || snapshot.layout !== 'jsonl') return { left: 'the index no longer has this chat' };
  const name = wanted(finding);
  if (name === null) return { left: 'its transcript lies in another folder', alternatives: [`move it by hand with the gateway stopped: ${String(finding.evidence['foundAt'])}`] };
  if (!snapshot.files.some((file) => file.kind === 'live' && file.name === name)) return { left: `${name} is gone` };
  const old = entry.sessionFile;
  // The folder stays as it is written: in a copied store it is the one of the host that will read it again.
  const after = old === null ? name : `${old.slice(0, old.length - baseName(old).length)}${name}`;
  if (after === old) return { left: 'the entry names this file already' };
  const path = [entry.key, 'sessionFile'];
  const edit: JsonEdit = old === null ? { op: 'set', path, after } : { op: 'set', path, before: old, after };
  return {
    steps: [
      {
        target: entry.key,
        session: finding.session,
        sessionKey: entry.key,
        title: `Point the chat at ${name}.`,
        consequences: old === null ? ['Then the chat goes on in the transcript that has its session id.'] : [`Then the chat goes on in its own transcript; what was appended to ${baseName(old)} meanwhile stays there.`],
        alternatives: ['leave it: the chat goes on where the index points'],
        actions: [{ kind: 'edit-json-file', path: snapshot.index.path, edits: [edit] }],
      },
    ],
  };
}

export default defineFix({
  meta: { id: 'relink-transcript', class: 'judgement', title: "points an entry at its own session's transcript", checks: ['index/stale-session-file', 'index/dangling-entry'] },
  openclaw: plan,
});
