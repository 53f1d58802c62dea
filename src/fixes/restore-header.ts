import type { Finding } from '../model/finding.ts';
import { isoTime } from '../model/time.ts';
import type { OpenclawSnapshot, TranscriptSummary } from '../stores/openclaw/types.ts';
import { defineFix, type FixOutcome } from './fix.ts';
import { liveTranscript } from './openclaw/live-transcript.ts';

/** The working directory of the transcript of this store that began nearest in time; `/` where no header tells one. */
function likelyCwd(transcripts: readonly TranscriptSummary[], time: number): string {
  let best = '/';
  let nearest = Infinity;
  for (const { header } of transcripts) {
    if (!header?.cwd) continue;
    const distance = header.time === null ? Number.MAX_VALUE : Math.abs(header.time - time);
    if (distance < nearest) {
      best = header.cwd;
      nearest = distance;
    }
  }
  return best;
}

function plan(finding: Finding, snapshot: OpenclawSnapshot): FixOutcome {
  const file = liveTranscript(finding, snapshot);
  if ('left' in file) return file;
  const { headerLine, rowsHaveIds, byteOrderMark } = finding.evidence;
  if (typeof headerLine === 'number') return { left: headerLine === 1 ? 'its header has no id' : `a header stands in line ${headerLine}`, alternatives: ['put it right by hand, with the gateway stopped and a copy kept'] };
  if (byteOrderMark === true) return { left: 'the file begins with a byte order mark, which would land behind the new header', alternatives: ['remove the mark by hand, then plan again'] };
  const transcripts = snapshot.transcripts();
  const own = transcripts.find((one) => one.file.path === file.path);
  const entry = finding.sessionKey === null ? null : snapshot.entryOf(finding.sessionKey);
  const time = own?.firstTime ?? entry?.sessionStartedAt ?? file.modifiedAt ?? 0;
  const cwd = likelyCwd(transcripts, time);
  // Rows without ids are a version 1 list, whose header has no version.
  const header = { type: 'session', ...(rowsHaveIds === false ? {} : { version: 3 }), id: file.sessionId, timestamp: isoTime(time), cwd };
  return {
    steps: [
      {
        target: file.name,
        session: finding.session,
        title: `Put a session header in front of ${file.name}.`,
        consequences: [`The header names session ${file.sessionId}, as the file does, and the time of the first row.`, 'The working directory is taken from the transcript nearest in time: the lost one is not known.', 'No other line changes.'],
        alternatives: ['leave it: readers that want a header show an empty session'],
        actions: [{ kind: 'insert-lines', path: file.path, line: 1, lines: [JSON.stringify(header)] }],
      },
    ],
  };
}

export default defineFix({
  meta: { id: 'restore-header', class: 'judgement', title: 'puts a session header in front of a transcript', checks: ['transcript/missing-header'] },
  openclaw: plan,
});
