import type { Recovery } from '../model/recovery.ts';
import type { CaptureSnapshot, HermesSnapshot } from '../stores/hermes/types.ts';

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

/** What copies and files beside the database hold and it lacks. */
export async function* hermesCopies(snapshot: HermesSnapshot): AsyncIterable<Recovery> {
  const seen = new Set<string>();
  for (const sibling of snapshot.siblings()) {
    const capture = await snapshot.openCapture(sibling);
    try {
      const message = `${sibling.name} lies beside the store and holds rows that it lacks.`;
      yield fromCapture(capture, { checkId: 'store/quarantined-copy', store: snapshot.ref.id, session: null, sessionKey: null, message }, seen);
    } finally {
      capture.close();
    }
  }
}
