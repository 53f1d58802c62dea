import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScanResult } from '../../src/model/finding.ts';
import { runCli } from '../helpers/cli.ts';
import { hostileNames, storeWithVictim, unprintable, victim, victimRows, writeFoldersForFiles, writeHostileNames, writeHugeLine, writeLinks, writeManyTranscripts, writePipes } from '../helpers/hostile.ts';
import { header, talk, writeOpenclawStore } from '../helpers/openclaw-transcripts.ts';
import { projectRoot, temporaryFolder } from '../helpers/paths.ts';
import { scanUntouched, untouched } from '../helpers/untouched.ts';

const gap = 'transcript/broken-parent';
/** The victim's gap: proof that the rest of the store was scanned. */
function foundVictim(result: ScanResult): boolean {
  return result.findings.some((finding) => finding.checkId === gap && finding.session === victim && finding.evidence.missingParent === 'ffffffff');
}

describe('a line of 200 MB', () => {
  it('is counted, not parsed, in flat memory; the rest is scanned', { timeout: 300_000 }, async () => {
    const { store, sessions } = storeWithVictim(temporaryFolder());
    const id = '77777777-0000-4000-8000-000000000004';
    const bytes = 200 * 1024 * 1024;
    writeHugeLine(join(sessions, `${id}.jsonl`), id, bytes);
    const peak = join(temporaryFolder(), 'peak');
    const run = spawnSync(process.execPath, ['--import', join(projectRoot, 'bench/peak.mjs'), join(projectRoot, 'bin/sessionfsck.js'), 'scan', store, '--json', '--zone', 'UTC'], { encoding: 'utf8', env: { ...process.env, BENCH_PEAK_FILE: peak } });
    const result: ScanResult = JSON.parse(run.stdout);
    expect(run.status).toBe(1);
    expect(foundVictim(result)).toBe(true);
    expect(result.findings.find((finding) => finding.checkId === 'transcript/oversized-line')).toMatchObject({ session: id, location: { line: 2 }, evidence: { lineNumbers: [2], bytes: [bytes + 55] } });
    expect(Number((await import('node:fs')).readFileSync(peak, 'utf8'))).toBeLessThan(320e6);
  });
});

describe('sessions.json', () => {
  const damaged: [string, Buffer | string][] = [
    ['of no bytes', ''],
    ['half-written', `{"agent:main:a":{"sessionId":"${victim}","sess`],
    ['an array', '[1,2]'],
    ['NUL bytes', Buffer.alloc(500)],
    ['two objects glued together', '{}{}'],
    ['nested too deep', '['.repeat(200_000)],
  ];
  it.each(damaged)('%s: one index/corrupt, and the transcripts are scanned', async (_name, content) => {
    const { store, sessions } = storeWithVictim(temporaryFolder());
    writeFileSync(join(sessions, 'sessions.json'), content);
    const result = await scanUntouched(store);
    expect(result.errors).toEqual([]);
    expect(result.findings.filter((finding) => finding.checkId === 'index/corrupt')).toHaveLength(1);
    expect(foundVictim(result)).toBe(true);
  });

  it('with values of every wrong type', async () => {
    const { store, sessions } = storeWithVictim(temporaryFolder());
    const values = ['null', '7', '"x"', '[1]', '{}', '{"sessionId":5,"sessionFile":{},"updatedAt":"x","usageFamilySessionIds":{"a":1},"ambientTranscriptWatermarks":[[]]}', '{"sessionId":"../../../etc/passwd","sessionFile":"../../../../../../etc/passwd","updatedAt":1e308,"sessionStartedAt":-1e18}'];
    writeFileSync(join(sessions, 'sessions.json'), `{${['__proto__', 'constructor', '', 'toString', 'agent:main:\\u001b[2J', 'agent:main:x', 'agent:main:y'].map((key, i) => `"${key}":${values[i]}`).join(',')}}`);
    const result = await scanUntouched(store);
    expect(result.errors).toEqual([]);
    expect(foundVictim(result)).toBe(true);
    expect(JSON.stringify(result.findings)).not.toContain('root:');
  });
});

describe('ten thousand transcripts', () => {
  it('are read in one go and found healthy', { timeout: 300_000 }, async () => {
    const store = writeManyTranscripts(temporaryFolder(), 10_000);
    const result = await scanUntouched(store);
    expect(result.errors).toEqual([]);
    expect(result.findings).toEqual([]);
    expect(result.stores[0]).toMatchObject({ sessions: 10_000, recordsRead: 60_000, recordsRejected: 0 });
  });
});

describe('rows', () => {
  const nested = (depth: number): string => `{"type":"message","id":"d${depth}","parentId":null,"message":{"role":"assistant","stopReason":"aborted","content":[{"type":"toolCall","id":"c","name":"x","arguments":${'['.repeat(depth)}${']'.repeat(depth)}}]}}`;
  it('nested too deep, of every wrong type, with ids that objects have, and out of all time', async () => {
    const id = '88888888-0000-4000-8000-000000000004';
    const { store, sessions } = storeWithVictim(temporaryFolder());
    const rows = [
      nested(3000),
      nested(200_000),
      '{"type":{},"id":[],"parentId":7,"timestamp":1e400,"message":"x"}',
      '{"type":"message","id":"__proto__","parentId":"d3000","timestamp":"+275760-13-40T99","message":null}',
      '{"type":"message","id":"constructor","parentId":"__proto__","timestamp":"2999-01-01T00:00:00.000Z","message":{"role":["user"],"content":{"a":1},"timestamp":"x","stopReason":{},"idempotencyKey":9}}',
      '{"type":"message","id":"toString","parentId":"constructor","message":{"role":"user","content":[null,7,"x",[],{"type":"text","text":{}}],"timestamp":-8.64e300}}',
      '{"type":"leaf","id":"l","parentId":"toString","targetId":{},"appendParentId":[]}',
      '{"type":"compaction","id":"k","parentId":"toString","firstKeptEntryId":{},"summary":null}',
      '{"type":"message","id":"\\ud800","parentId":"k","message":{"role":"toolResult","toolCallId":{},"content":"x"}}',
      '{"type":"message","id":"end","parentId":"\\ud800","message":{"role":"user","content":"x"}}',
    ];
    writeFileSync(join(sessions, `${id}.jsonl`), [JSON.stringify(header(id)), ...rows, ''].join('\n'));
    const result = await scanUntouched(store);
    expect(result.errors).toEqual([]);
    expect(foundVictim(result)).toBe(true);
    expect(result.findings.filter((finding) => finding.session === id && finding.severity !== 'info')).toEqual([]);
    expect(() => JSON.parse(JSON.stringify(result))).not.toThrow();
  });

  it('that form rings of every size end every walk', async () => {
    const t = talk();
    t.chat(500);
    for (let row = 10; row < t.rows.length; row += 100) t.rows[row]!.parentId = t.rows[Math.min(row + 90, t.rows.length - 1)]!.id!;
    const result = await scanUntouched(writeOpenclawStore(temporaryFolder(), [{ id: victim, rows: t.rows }]), { check: ['transcript'] });
    expect(result.findings.filter((finding) => finding.checkId === 'transcript/parent-cycle').length).toBeGreaterThan(5);
  });
});

describe('names and keys that would move a cursor or hide text', () => {
  it.each(['text', 'json', 'jsonl'])('are made visible in %s output', (format) => {
    const key = 'agent:main:\u001b[2J\u202eevil\u0007:group:\u2066x\r\n';
    const { store, sessions } = storeWithVictim(temporaryFolder());
    writeOpenclawStore(store, [{ id: '\u001b]0;x\u0007', key, file: hostileNames[0]!, rows: victimRows() }]);
    writeHostileNames(sessions);
    const run = runCli(['scan', store, '--format', format, '--verbose', '--zone', 'UTC']);
    expect([1, 2]).toContain(run.code);
    expect(run.stdout).toContain('evil');
    expect(unprintable.exec(run.stdout)?.[0]).toBeUndefined();
    expect(unprintable.exec(run.stderr)?.[0]).toBeUndefined();
  });
});

describe('what is no file', () => {
  it('links out of the store, round in a circle and to nothing are named and not followed', async () => {
    const outside = temporaryFolder();
    const secret = join(outside, 'secret.jsonl');
    writeFileSync(secret, `${JSON.stringify(header('secret'))}\n`);
    const { store, sessions } = storeWithVictim(temporaryFolder());
    writeLinks(sessions, secret);
    const result = await scanUntouched(store);
    expect(result.errors.map((error) => error.path.slice(sessions.length + 1, sessions.length + 9)).sort()).toEqual(['11111111', '22222222', '33333333', '44444444']);
    expect(result.findings.some((finding) => finding.evidence.headerId === 'secret')).toBe(false);
    expect(foundVictim(result)).toBe(true);
  });

  it('an agents folder that leads into itself ends', async () => {
    const { store } = storeWithVictim(temporaryFolder());
    symlinkSync('..', join(store, 'agents/again'));
    symlinkSync('.', join(store, 'agents/main/loop'));
    const result = await scanUntouched(store);
    expect(foundVictim(result)).toBe(true);
  });

  it('folders where files are expected are errors with their path', async () => {
    const { store, sessions } = storeWithVictim(temporaryFolder());
    writeFoldersForFiles(store, sessions);
    const result = await scanUntouched(store);
    const paths = result.errors.map((error) => error.path);
    expect(paths).toContain(join(sessions, '66666666-0000-4000-8000-000000000004.jsonl'));
    expect(paths).toContain(join(store, 'openclaw.json'));
    expect(foundVictim(result)).toBe(true);
  });

  it('named pipes are not waited for', () => {
    const { store, sessions } = storeWithVictim(temporaryFolder());
    if (!writePipes(store, sessions)) throw new Error('this system has no mkfifo: the case cannot be tried');
    const run = spawnSync(process.execPath, [join(projectRoot, 'bin/sessionfsck.js'), 'scan', store, '--json', '--zone', 'UTC'], { encoding: 'utf8', timeout: 60_000, killSignal: 'SIGKILL' });
    expect(run.status).toBe(2);
    const result: ScanResult = JSON.parse(run.stdout);
    expect(result.errors.map((error) => error.path)).toContain(join(store, 'openclaw.json'));
    expect(foundVictim(result)).toBe(true);
  });

  it('a folder that is no store gives one clear error', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'a/b'), { recursive: true });
    writeFileSync(join(folder, 'readme.txt'), 'x');
    const run = runCli(['scan', folder, '--json']);
    expect(run.code).toBe(2);
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, stores: [], errors: [{ path: folder }] });
  });
});

describe('what this user may not read', () => {
  it('is an error with its path, exit code 2, and the rest is scanned', async () => {
    const { store, sessions } = storeWithVictim(temporaryFolder());
    const closed = join(sessions, '99999999-0000-4000-8000-000000000004.jsonl');
    writeFileSync(closed, `${JSON.stringify(header('99999999-0000-4000-8000-000000000004'))}\n`);
    chmodSync(closed, 0);
    // root reads everything, so the program is started as nobody; what it needs must be open to others.
    const asRoot = process.getuid?.() === 0;
    if (asRoot) for (const path of [join(store, '..'), store, join(store, 'agents'), join(store, 'agents/main'), sessions]) chmodSync(path, 0o755);
    await untouched(store, () => {
      const run = spawnSync(process.execPath, [join(projectRoot, 'bin/sessionfsck.js'), 'scan', store, '--json', '--zone', 'UTC'], { encoding: 'utf8', ...(asRoot ? { uid: 65_534, gid: 65_534 } : {}) });
      expect(run.stderr).toBe('');
      expect(run.status).toBe(2);
      const result: ScanResult = JSON.parse(run.stdout);
      expect(result.errors.map((error) => error.path)).toEqual([closed]);
      expect(foundVictim(result)).toBe(true);
    });
  });
});

describe('packed archives', () => {
  const packed: [string, Buffer][] = [
    ['garbage', Buffer.from('garbage')],
    ['a cut frame', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x38, 0xff])],
    ['a frame that asks for 2 GB of memory', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0xa8, 0x01, 0, 0])],
  ];
  it.each(packed)('%s: an error, and the rest is scanned', async (_name, bytes) => {
    const { store, sessions } = storeWithVictim(temporaryFolder());
    const path = join(sessions, 'aaaaaaaa-0000-4000-8000-000000000004.jsonl.deleted.2026-06-09T12-00-00.000Z.zst');
    writeFileSync(path, bytes);
    const result = await scanUntouched(store);
    expect(result.errors.map((error) => error.path)).toEqual([path]);
    expect(foundVictim(result)).toBe(true);
  });
});
