import type { Finding } from '../model/finding.ts';
import type { Action, JsonEdit, StepDraft } from '../model/step.ts';
import type { OpenclawSnapshot } from '../stores/openclaw/types.ts';
import { defineFix, type FixOutcome } from './fix.ts';

const field = 'ambientTranscriptWatermarks';

/** Where an entry's JSON stands: sessions.json, or a cell of the database. */
function removal(snapshot: OpenclawSnapshot, sessionKey: string, edit: (prefix: string[]) => JsonEdit): Action | null {
  if (!snapshot.sqlite) return { kind: 'edit-json-file', path: snapshot.index.path, edits: [edit([sessionKey])] };
  const { entriesTable, path } = snapshot.sqlite;
  if (entriesTable === null) return null;
  return { kind: 'edit-json-cell', database: path, table: entriesTable, key: { session_key: sessionKey }, column: 'entry_json', edits: [edit([])] };
}

function plan(finding: Finding, snapshot: OpenclawSnapshot): FixOutcome {
  const key = finding.evidence['watermarkKey'];
  const entry = finding.sessionKey === null ? null : snapshot.entryOf(finding.sessionKey);
  const watermark = entry?.watermarks.find((one) => one.key === key);
  if (!entry || !watermark) return { left: 'the entry no longer has this watermark' };
  const action = removal(snapshot, entry.key, (prefix) => ({ op: 'remove', path: [...prefix, field, watermark.key], before: watermark.raw }));
  if (action === null) return { left: 'the database has no table of chats that is known' };
  const hidden = finding.evidence['hiddenRows'];
  const draft: StepDraft = {
    target: JSON.stringify([entry.key, watermark.key]),
    session: finding.session,
    sessionKey: entry.key,
    title: 'Drop the watermark; nothing else changes.',
    consequences: [
      "Then the agent's next turn reads the recent group messages again, once.",
      ...(typeof hidden === 'number' && hidden > 0 ? [`It does not bring back the ${hidden} older ones: sessionfsck recover writes them out.`] : []),
    ],
    alternatives: finding.severity === 'error' ? [] : ['leave it: the reader of this store ignores a watermark of another session'],
    actions: [action],
  };
  return { steps: [draft] };
}

export default defineFix({
  meta: { id: 'drop-orphaned-watermark', class: 'safe', title: "removes a watermark that vouches for rows which the agent's transcript does not have", checks: ['watermark/orphaned', 'watermark/malformed'] },
  openclaw: plan,
});
