import { appendFileSync, cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { runCli } from '../helpers/cli.ts';
import { sampleData, temporaryFolder } from '../helpers/paths.ts';

const phone = '4917012345678';
const room = '!alicesroom:example.org';

/** Writes into a database what a person would not want to send. */
function edit(path: string, ...statements: string[]): void {
  const db = new Database(path);
  for (const statement of statements) db.exec(statement);
  db.close();
}

function replaceIn(folder: string, from: string, to: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(json|jsonl)/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    writeFileSync(path, readFileSync(path, 'latin1').replaceAll(from, to), 'latin1');
  }
}

describe('a bundle of stores full of people', () => {
  it('holds none of them, and what a maintainer needs', () => {
    const home = join(temporaryFolder(), 'home/alice.smith');
    for (const name of ['openclaw-night', 'openclaw-index', 'hermes-tables', 'hermes-resets', 'opencode-wrap', 'mimocode-turns', 'reset-unexplained', 'config-invalid']) cpSync(join(sampleData, name, 'store'), join(home, name), { recursive: true });
    replaceIn(join(home, 'openclaw-night'), '-1001764402291', phone);
    replaceIn(join(home, 'openclaw-index'), '-1001', room);
    edit(join(home, 'hermes-tables/state.db'), "UPDATE sessions SET end_reason = 'alice_left' WHERE end_reason IS NOT NULL", `UPDATE gateway_routing SET session_key = 'agent:main:whatsapp:dm:${phone}' || rowid`, "UPDATE compression_locks SET holder = 'alice@laptop:pid=1'");
    edit(join(home, 'opencode-wrap/opencode.db'), "ALTER TABLE session ADD COLUMN title TEXT DEFAULT 'Salary of Alice'", 'CREATE TABLE "Alice Smith" (note TEXT)');
    appendFileSync(join(home, 'hermes-resets/config.yaml'), '\nopenrouter_api_key: sk-live-0123456789abcdef\nemail: alice@example.org\n');
    const run = runCli(['bundle', home, ...readdirSync(home).map((name) => join(home, name)), '-o', '-', '--zone', 'UTC', '--now', '2026-12-01T12:00:00Z', '--deep'], { env: { XDG_STATE_HOME: join(home, 'state') } });
    const planted = [phone, room, 'alice', 'Alice', 'laptop', 'Salary', 'sk-live', 'example.org', '/home', home, join(home, '..'), ...[hostname(), userInfo().username].filter((name) => name.length > 4)];
    expect(planted.filter((text) => run.stdout.includes(text))).toEqual([]);
    const bundle = JSON.parse(run.stdout) as { stores: { product: string; structure: { tables: string[] } }[]; findings: { checkId: string; session: string | null; sessionKey: string | null; evidence: Record<string, unknown> }[] };
    expect(new Set(bundle.stores.map((store) => store.product)).size).toBe(4);
    expect(bundle.stores.flatMap((store) => store.structure.tables)).toEqual(expect.arrayContaining(['messages', 'message', 'part']));
    const evidenceOf = (check: string): Record<string, unknown> | undefined => bundle.findings.find((finding) => finding.checkId === check)?.evidence;
    expect(evidenceOf('watermark/orphaned')).toMatchObject({ reason: 'unbound', hiddenRows: 112, watermark: '412' });
    expect(evidenceOf('reset/unexplained')).toMatchObject({ policy: expect.stringMatching(/^daily at 04:00/), zone: 'UTC', tried: expect.arrayContaining([expect.objectContaining({ cause: 'daily', holds: false })]) });
    expect(bundle.findings.find((finding) => finding.checkId === 'watermark/orphaned')?.sessionKey).toMatch(/^agent:main:telegram:group:x-[0-9a-f]{8}$/);
  });
});
