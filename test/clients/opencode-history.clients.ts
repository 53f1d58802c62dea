import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { realStores, temporaryFolder } from '../helpers/paths.ts';
import { scanUntouched } from '../helpers/untouched.ts';
import { preparePrograms } from './harness.ts';
import { messageRows, opencodeHome, promptOpencode, withDatabase } from './opencode.ts';

const byId = 'opencode-linux-x64@1.18.14';
const byTime = 'opencode-linux-x64@1.18.31';
const armedStore = join(realStores, 'opencode-armed-revert/store/opencode.db');
const ready = existsSync(armedStore) ? preparePrograms([byId, byTime]) : { reason: 'the labelled stores do not lie beside the project' };
const reason = 'reason' in ready ? ready.reason : null;
if (reason !== null) console.log(`skipped: ${reason}`);

const armed = 'ses_01a08f729ffeWTJzTV0JExjSPA';
const innocentUndo = 'ses_fdc3ca704ffeHjMbvwLgnzDv9r';

describe.skipIf(reason !== null)(`what a cleanup removed, told from the event log of the published programs (${reason ?? 'offline, in a network namespace'})`, () => {
  it.each([
    ['1.18.14 goes by id: what lay before the undo point is a loss', byId, armed, 10, 6],
    ['1.18.14, undo inside one epoch: the user took it away', byId, innocentUndo, 4, null],
    ['1.18.31 goes by position: the user took it away', byTime, armed, 4, null],
  ] as const)('%s', async (_name, spec, session, removed, lost) => {
    const home = opencodeHome(temporaryFolder(), armedStore);
    const before = withDatabase(home.db, (db) => messageRows(db, session)).map((row) => row.id);
    promptOpencode('reason' in ready ? '' : (ready.folders.get(spec) ?? ''), home, session);
    const left = new Set(withDatabase(home.db, (db) => messageRows(db, session)).map((row) => row.id));
    expect(before.filter((id) => !left.has(id))).toHaveLength(removed);
    const { findings, errors } = await scanUntouched(dirname(home.db), { check: ['history'], now: Date.now() });
    expect(errors).toEqual([]);
    expect(findings.map((finding) => [finding.session, finding.confidence, finding.evidence.droppedMessages])).toEqual(lost === null ? [] : [[session, 'certain', lost]]);
  });
});
