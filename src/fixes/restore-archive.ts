import type { Finding } from '../model/finding.ts';
import type { OpenclawSnapshot } from '../stores/openclaw/types.ts';
import { defineFix, type FixOutcome } from './fix.ts';

function plan(finding: Finding, snapshot: OpenclawSnapshot): FixOutcome {
  const file = snapshot.files.find((one) => one.name === finding.evidence['archive']);
  if (!file) return { left: 'the archive is gone' };
  if (snapshot.layout !== 'jsonl') return { left: 'this store keeps its transcripts in a database' };
  const name = `${file.baseId}.jsonl`;
  const to = `${file.path.slice(0, -file.name.length)}${name}`;
  if (file.compressed) return { left: 'the archive is compressed', alternatives: [`unpack it by hand with the gateway stopped: zstd -d ${file.name} -o ${name}`] };
  if (snapshot.files.some((one) => one.path === to)) return { left: `${name} exists already` };
  return {
    steps: [
      {
        target: file.name,
        session: finding.session,
        title: 'Rename the archive back to a live transcript.',
        consequences: ['Then the chat goes on where it was when it was archived.', 'A reset that is due by the policy still comes with the next message.'],
        alternatives: ['leave it: the chat begins anew, and sessionfsck recover writes the old messages out'],
        actions: [{ kind: 'rename-file', path: file.path, to, sha256: snapshot.hashes.file(file.path) }],
      },
    ],
  };
}

export default defineFix({
  meta: { id: 'restore-archive', class: 'judgement', title: 'renames an archive back that is the current transcript of a chat', checks: ['archive/live-archived'] },
  openclaw: plan,
});
