import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../helpers/cli.ts';
import { projectRoot, sampleData, temporaryFolder } from '../helpers/paths.ts';

const page = readFileSync(join(projectRoot, 'docs/repairing.md'), 'utf8');
const blocks = [...page.matchAll(/```\n\$ sessionfsck ([^\n]+)\n([\s\S]*?)```/g)].map((match) => ({ command: match[1] ?? '', output: match[2] ?? '' }));
const id = /\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-[0-9a-f]{4}/g;

/** Folders and the points where they break lines differ from machine to machine; words do not. */
function normal(text: string, folder: string, ids: Map<string, string>): string {
  const named = text.replaceAll(`${folder}/`, '').replace(id, (found) => {
    const known = ids.get(found) ?? `ID${ids.size + 1}`;
    ids.set(found, known);
    return known;
  });
  return named.replace(/\s+/g, ' ').trim();
}

describe('docs/repairing.md', () => {
  it('prints what the program prints', { timeout: 180_000 }, () => {
    const folder = temporaryFolder();
    cpSync(join(sampleData, 'openclaw-night/store'), join(folder, 'night'), { recursive: true });
    const ids = { page: new Map<string, string>(), run: new Map<string, string>() };
    expect(blocks.map((block) => block.command.split(' ')[0])).toEqual(['scan', 'plan', 'apply', 'apply', 'scan', 'undo', 'recover']);
    let journal = '';
    for (const { command, output } of blocks) {
      const args = command.replace(id, () => journal).split(' ');
      const run = runCli(args, { cwd: folder, env: { XDG_STATE_HOME: join(folder, 'state') } });
      if (args[0] === 'apply') journal = run.stdout.match(id)?.[0] ?? '';
      expect({ command, output: normal(run.stdout, folder, ids.run), stderr: run.stderr }).toEqual({ command, output: normal(output, folder, ids.page), stderr: '' });
    }
  });
});
