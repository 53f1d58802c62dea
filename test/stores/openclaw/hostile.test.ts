import { chmodSync, mkdirSync, openSync, closeSync, symlinkSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../../src/checks/scan.ts';
import { ambientTranscript, night, stateFolder, uuid } from '../../helpers/openclaw-state.ts';
import { temporaryFolder } from '../../helpers/paths.ts';
import { runCli } from '../../helpers/cli.ts';
import { scanUntouched } from '../../helpers/untouched.ts';

const id = uuid(1);
const good = { [`${id}.jsonl`]: ambientTranscript(id, night, ['hello']) };
const index = { 'agent:main:main': { sessionId: id, updatedAt: night } };
const sessions = (root: string): string => join(root, 'agents/main/sessions');
const isRoot = process.getuid?.() === 0;

describe('a hostile store', () => {
  it.each<[string, (folder: string) => void, RegExp]>([
    ['a link that leads out of it', (folder) => symlinkSync('/etc/passwd', join(folder, `${uuid(2)}.jsonl`)), /leads out/],
    ['a link to nothing', (folder) => symlinkSync('nothing', join(folder, `${uuid(2)}.jsonl`)), /link to nothing/],
    ['a link to itself', (folder) => symlinkSync(`${uuid(2)}.jsonl`, join(folder, `${uuid(2)}.jsonl`)), /link to nothing/],
    ['a folder where a transcript should be', (folder) => mkdirSync(join(folder, `${uuid(2)}.jsonl`)), /is a folder/],
    ['a cut compressed archive', (folder) => writeFileSync(join(folder, `${uuid(2)}.jsonl.deleted.2026-07-03T03-00-00.000Z.zst`), Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 9])), /zstd/],
    ['a folder as its index', (folder) => mkdirSync(join(folder, 'sessions.json')), /is a folder/],
  ])('%s: an error with its path, and the rest is read', async (_name, damage, message) => {
    const root = stateFolder({ index: _name.includes('index') ? null : index, files: good });
    damage(sessions(root));
    const result = await scanUntouched(root);
    expect(result.errors).toHaveLength(1);
    expect(result.errors[0]?.message).toMatch(message);
    expect(result.errors[0]?.path.startsWith(sessions(root))).toBe(true);
    expect(result.stores[0]?.recordsRead).toBe(2);
    expect(exitCodeOf(result)).toBe(2);
  });

  it.skipIf(isRoot)('an unreadable transcript (skipped as root, whom nothing stops)', async () => {
    const root = stateFolder({ index, files: { ...good, [`${uuid(2)}.jsonl`]: 'x' } });
    chmodSync(join(sessions(root), `${uuid(2)}.jsonl`), 0);
    const result = await scanUntouched(root);
    expect(result.errors[0]?.message).toMatch(/may not be read/);
    expect(result.stores[0]?.recordsRead).toBe(2);
  });

  it('an agent folder that is a link out of the state folder is not followed', async () => {
    const outside = stateFolder({ index, files: good });
    const root = stateFolder({ index, files: good });
    symlinkSync(join(outside, 'agents/main'), join(root, 'agents/other'));
    const result = await scanUntouched(root);
    expect(result.errors).toMatchObject([{ path: join(root, 'agents/other/sessions') }]);
    expect(result.stores).toHaveLength(1);
  });

  it('entries and rows of any type', async () => {
    const odd = [null, 7, 'x', [], {}, { type: 7, id: 7, parentId: {}, timestamp: [], message: 'x' }, { type: 'message', id: 'a', parentId: null, message: { role: [], content: 7, timestamp: 'x', stopReason: {} } }, { type: 'message', id: 'b', parentId: 'a', message: { role: 'user', content: [null, 7, [], { type: 'text' }, { text: 7 }, { type: 'toolCall', id: 7, name: [], arguments: null }] } }, { type: 'leaf', id: 'l', parentId: 'b', targetId: 7 }, { type: 'compaction', id: 'c', parentId: 'b', firstKeptEntryId: 7 }];
    const root = stateFolder({
      index: { a: null, b: 7, c: [], d: { sessionId: 7, sessionFile: {}, updatedAt: 'x', usageFamilySessionIds: [null, 7], compactionCheckpoints: [null, 7, {}], ambientTranscriptWatermarks: [] }, __proto__x: {}, 'agent:main:main': { sessionId: id, updatedAt: 1e300 } },
      files: { [`${id}.jsonl`]: [JSON.stringify({ type: 'session', version: 'x', id: 7, timestamp: 7, parentSession: {} }), ...odd.map((row) => JSON.stringify(row))].join('\n'), [`${id}.trajectory.jsonl`]: '7\nnull\n{"ts":7,"sessionKey":[]}\n', [`${id}.jsonl.lock`]: '[]' },
    });
    const result = await scanUntouched(root);
    expect(result.errors).toEqual([]);
    expect(result.checksSkipped).toEqual([]);
    expect(result.stores[0]).toMatchObject({ recordsRead: 7, recordsRejected: 4 });
  });

  it('names and keys that would move the cursor', () => {
    const root = stateFolder({ index: { 'agent:main:\u001b[2J\u202Eevil': { sessionId: '\u001b]0;x\u0007', updatedAt: night } }, files: { '\u001b[31mred.jsonl': ambientTranscript('x', night, ['hi']) } });
    for (const format of ['text', 'json']) {
      const run = runCli(['scan', root, '--format', format, '--verbose']);
      expect(run.code).toBe(1);
      expect(run.stdout + run.stderr).not.toMatch(/[\u001b\u0007\u202e]/);
    }
  });

  it('a line of 70 MB is counted, not parsed', async () => {
    const root = stateFolder({ index, files: good });
    const path = join(sessions(root), `${id}.jsonl`);
    const fd = openSync(path, 'a');
    writeSync(fd, '{"type":"message","id":"big","x":"');
    closeSync(fd);
    truncateSync(path, 70_000_000);
    const end = openSync(path, 'a');
    writeSync(end, '"}\n{"type":"message","id":"z","parentId":"a0000000","message":{"role":"user","content":"after"}}\n');
    closeSync(end);
    const result = await scanUntouched(root, { check: ['transcript/oversized-line'] });
    expect(result.findings).toMatchObject([{ location: { line: 3 } }]);
    expect(result.stores[0]).toMatchObject({ recordsRead: 3, recordsRejected: 1 });
  });

  it('an empty folder, a file that is none of ours', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'notes.jsonl'), 'hello\n');
    expect(runCli(['scan', folder]).code).toBe(2);
    expect(runCli(['scan', join(folder, 'notes.jsonl')]).code).toBe(2);
  });

  it('says which file changed while it was read', async () => {
    const root = stateFolder({ index, files: good });
    const { discover, openStore } = await import('../../../src/stores/discover.ts');
    const ref = discover([root]).stores[0];
    if (!ref) throw new Error('no store');
    const { snapshot } = await openStore(ref, { snapshotDir: null, inPlace: false, deep: false, now: night });
    expect([...snapshot.digests()]).toHaveLength(1);
    writeFileSync(join(sessions(root), `${id}.jsonl`), 'x');
    expect(snapshot.changed()).toEqual([join(sessions(root), `${id}.jsonl`)]);
    snapshot.close();
  });
});
