import type { Finding } from '../model/finding.ts';
import type { Action } from '../model/step.ts';
import { baseName } from '../stores/openclaw/names.ts';
import type { OpenclawSnapshot } from '../stores/openclaw/types.ts';
import { defineFix, type FixOutcome } from './fix.ts';
import { liveTranscript } from './openclaw/live-transcript.ts';

/** The lines to take out, by the finding of either check. */
function linesOf(finding: Finding): number[] {
  const { lineNumbers, lineNumber } = finding.evidence;
  if (typeof lineNumber === 'number') return [lineNumber];
  return Array.isArray(lineNumbers) ? lineNumbers.filter((line) => typeof line === 'number') : [];
}

/** A name beside the transcript that is free, and that no reader takes for a transcript. */
function sidecarOf(path: string, snapshot: OpenclawSnapshot): string {
  const taken = new Set(snapshot.sideFiles.map((file) => file.path));
  let sidecar = `${path}.quarantined`;
  for (let number = 2; taken.has(sidecar); number++) sidecar = `${path}.quarantined-${number}`;
  return sidecar;
}

function plan(finding: Finding, snapshot: OpenclawSnapshot): FixOutcome {
  const file = liveTranscript(finding, snapshot);
  if ('left' in file) return file;
  const lines = linesOf(finding);
  const sidecar = sidecarOf(file.path, snapshot);
  const hashes = snapshot.hashes.eachLine(file.path, new Set(lines));
  const actions: Action[] = [];
  for (const line of lines) {
    const sha256 = hashes.get(line)?.whole;
    if (sha256 === undefined) return { left: `line ${line} is gone` };
    actions.push({ kind: 'remove-lines', path: file.path, line, count: 1, sha256, sidecar });
  }
  const steps = [
    {
      target: `${file.name} ${lines.length === 1 ? `line ${lines[0]}` : `lines ${lines.join(', ')}`}`.slice(0, 200),
      session: finding.session,
      title: `Move ${lines.length === 1 ? `line ${lines[0]}` : `${lines.length} lines`} of ${file.name} into ${baseName(sidecar)}.`,
      consequences: [
        'Every other line keeps its bytes.',
        'What stood in the moved lines is not brought back: look for it in .bak copies, checkpoints and the trajectory.',
      ],
      alternatives: ['leave them: readers skip such lines, and the gateway drops them before its next run'],
      actions,
    },
  ];
  const all = finding.evidence['lines'];
  return typeof all === 'number' && all > lines.length ? { steps, left: `${all - lines.length} further lines: plan again afterwards` } : { steps };
}

export default defineFix({
  meta: { id: 'quarantine-line', class: 'judgement', title: 'moves lines that are no row into a file beside the transcript', checks: ['transcript/malformed-line', 'transcript/truncated-tail'] },
  openclaw: plan,
});
