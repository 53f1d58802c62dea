import type { Finding } from '../model/finding.ts';
import type { Recovery } from '../model/recovery.ts';
import type { CaptureSnapshot, HermesSnapshot } from '../stores/hermes/types.ts';

const ids = (value: unknown): number[] => (Array.isArray(value) ? value.filter((row): row is number => typeof row === 'number') : []);

function fromCapture(capture: CaptureSnapshot, about: Recovery['about'], seen: Set<string>): Recovery {
  const { counts } = capture;
  let written = 0;
  const texts = function* (): Recovery['texts'] {
    for (const text of capture.lacking(seen)) {
      written++;
      yield text;
    }
  };
  return {
    about,
    source: capture.file.name,
    unit: capture.file.kind === 'spool' || capture.file.kind === 'diverted-transcript' ? 'message' : 'row',
    texts: texts(),
    outcome: () => ({
      expected: written + counts.unread,
      rows: counts.rows,
      present: counts.present,
      repeated: counts.repeated,
      sessions: counts.sessions.size,
      notes: [...capture.notes, ...counts.stopped.slice(0, 20).map((place) => `Not read: ${place}.`)],
      problem: capture.problem,
    }),
  };
}

/** Rows that a compaction left behind; then what copies and files beside the database hold and it lacks. */
export async function* fromHermes(snapshot: HermesSnapshot, findings: readonly Finding[]): AsyncIterable<Recovery> {
  for (const finding of findings) {
    if (finding.checkId !== 'compaction/stranded-rows') continue;
    const rows = ids(finding.evidence['rows']);
    yield { about: finding, source: null, unit: 'row', texts: snapshot.texts(rows), outcome: () => ({ expected: rows.length, notes: [], problem: null }) };
  }
  const seen = new Set<string>();
  for (const sibling of snapshot.siblings()) {
    const capture = await snapshot.openCapture(sibling);
    try {
      const message = `${sibling.name} lies beside the store and holds rows that it lacks.`;
      const recovery = fromCapture(capture, { checkId: 'store/quarantined-copy', store: snapshot.ref.id, session: null, sessionKey: null, message }, seen);
      yield recovery;
    } finally {
      capture.close();
    }
  }
}
