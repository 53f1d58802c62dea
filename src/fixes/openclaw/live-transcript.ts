import type { Finding } from '../../model/finding.ts';
import type { OpenclawSnapshot, TranscriptFile } from '../../stores/openclaw/types.ts';
import type { Left } from '../fix.ts';

/** The transcript that a finding is about, or why its lines are not changed. */
export function liveTranscript(finding: Finding, snapshot: OpenclawSnapshot): TranscriptFile | Left {
  const file = snapshot.files.find((one) => one.path === finding.location.path && one.kind !== 'window');
  if (!file) return { left: snapshot.layout === 'sqlite' ? 'this transcript lies in a database' : 'the transcript is gone' };
  if (file.kind !== 'live') return { left: 'an archive is not changed', alternatives: ['restore it first (archive/live-archived), then plan again'] };
  return file;
}
