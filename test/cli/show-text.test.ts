import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectSessions } from '../../src/checks/collect-sessions.ts';
import { scan } from '../../src/checks/scan.ts';
import { textCollector } from '../../src/commands/excerpts.ts';
import { renderResult } from '../../src/commands/emit.ts';
import { htmlOf } from '../../src/commands/report.ts';
import { beginningOf } from '../../src/model/excerpt.ts';
import type { Finding, ScanResult } from '../../src/model/finding.ts';
import { foldText } from '../../src/report/excerpts.ts';
import { renderStories } from '../../src/report/story.ts';
import { ambientTranscript, night, stateFolder, uuid } from '../helpers/openclaw-state.ts';
import { hasRealStores, realStores, sampleData } from '../helpers/paths.ts';
import { untouched } from '../helpers/untouched.ts';

const plain = { color: false, verbose: false, quiet: false, width: 80, paths: [] };
const clock = Date.parse('2026-12-01T12:00:00Z');

async function scanWithTexts(store: string): Promise<ScanResult> {
  const texts = textCollector();
  const result = await untouched(store, () => scan([store], { zone: 'UTC', now: clock, deep: true, onScanned: texts.see }));
  return texts.attach(result);
}

describe('show --show-text', () => {
  const nightStore = join(sampleData, 'openclaw-night/store');
  it('shows the newest messages over all transcripts of a chat, and counts the earlier ones', async () => {
    const { sessions } = await untouched(nightStore, () => collectSessions('-1001764402291', [nightStore], { showText: true }));
    const messages = sessions[0]?.messages;
    expect(messages?.rows).toHaveLength(60);
    expect(messages?.rows.at(-1)).toMatchObject({ row: '90270bd2', role: 'user', at: '2026-07-03T05:53:04.118Z', text: '#431 pavel: plank wind crate anchor chart tide', characters: 46 });
    const all = await collectSessions('-1001764402291', [nightStore], { showText: true, allMessages: true });
    expect(all.sessions[0]?.messages?.further).toBe(0);
    expect(all.sessions[0]?.messages?.rows).toHaveLength(60 + (messages?.further ?? 0));
    const lines = renderStories(sessions, [], plain).split('\n');
    expect(lines.filter((line) => line.length > 110)).toEqual([]);
  });

  it.each([
    ['hermes', 'hermes-compaction/store', '20260805_163519_9b5769', { row: '119', role: 'assistant' }, 18],
    ['opencode', 'opencode-wedged/store', 'ses_014749500ffemmpxRP7D4KFTMJ', { row: 'msg_00453dd560017877Qh3GmTBRX0', role: 'user' }, 13],
    ['mimocode', 'opencode-mimo/store', 'ses_00ff32d7fffeIUrDoUpzWBWXFo', { row: 'msg_0006de009001lT6zAjRDhLNfbh', role: 'user' }, 12],
    ['openclaw in a database', 'openclaw-sqlite/store', 'agent:main', { role: 'user' }, 60],
  ])('%s', { skip: !hasRealStores }, async (_name, folder, session, last, count) => {
    const store = join(realStores, folder);
    const { sessions } = await untouched(store, () => collectSessions(session, [store], { showText: true }));
    const found = sessions.find((story) => (story.messages?.rows.length ?? 0) >= count)?.messages?.rows ?? [];
    expect(found).toHaveLength(count);
    expect(found.at(-1)).toMatchObject(last);
    expect(found.filter((row) => row.text === '' || row.at === null)).toEqual([]);
  });

  it('shows none unless it is asked', async () => {
    const { sessions } = await collectSessions('-1001764402291', [nightStore], {});
    expect(sessions.map((story) => story.messages)).toEqual([undefined]);
  });
});

describe('scan --show-text', () => {
  /** Check, rows whose texts are shown, how many more. */
  const cases: [string, string, string[], number][] = [
    ['openclaw-night', 'watermark/orphaned', ['301', '302', '303', '304', '305'], 107],
    ['openclaw-transcripts', 'transcript/duplicate-turns', ['h00000f1', 'h00000f3', 'h00000f5', 'h0000001', 'h0000003'], 1],
    ['openclaw-transcripts', 'transcript/malformed-line', ['line 6', 'line 10'], 0],
    ['opencode-wrap', 'order/wedged-session', ['msg_00036ee80001sJNbZx5dVi3lZG', 'msg_0006ddd00001NJVDV3LhJf960S', 'msg_ffadb8860001ToKLda4NpZ0vjq'], 0],
    ['hermes-compactions', 'compaction/stranded-rows', ['13', '14'], 0],
    ['hermes-tables', 'session/ended-but-written', ['9', '10'], 0],
    ['mimocode-history', 'history/dropped-messages', ['msg_066915300001B4tKS1KMVtPYd8', 'msg_0669162a000180B6YeNLgrJlB0', 'msg_066923d60001V5JznK36JWyqk8', 'msg_066924d00001S1clsx65VUt4H0', 'msg_0669327c0001p7je7dmr88Y9r8'], 3],
    ['mimocode-turns', 'order/swallowed-prompt', ['msg_00036ee80001sJNbZx5dVi3lZG', 'msg_ffad9b3a0001plU1yycsCJsKVq'], 0],
  ];
  it.each(cases)('%s: %s', async (sample, check, rows, further) => {
    const result = await scanWithTexts(join(sampleData, sample, 'store'));
    const found = result.findings.filter((finding) => finding.checkId === check && (finding.texts?.rows.length ?? 0) > 0);
    expect(found.length).toBeGreaterThan(0);
    const texts = found[0]?.texts;
    expect([[...(texts?.rows ?? [])].map((row) => row.row).sort(), texts?.further]).toEqual([[...rows].sort(), further]);
    for (const finding of found) {
      expect(finding.texts?.rows.length).toBeLessThanOrEqual(5);
      expect(finding.texts?.rows.filter((row) => row.text === '' || row.text.length > 201)).toEqual([]);
    }
  });

  it('without the flag there is no such key', async () => {
    const store = join(sampleData, 'opencode-wrap/store');
    expect((await scan([store], { zone: 'UTC', now: clock })).findings.filter((finding: Finding) => 'texts' in finding)).toEqual([]);
  });
});

describe('titles', { skip: !hasRealStores }, () => {
  it('stand beside the texts where the product keeps any', async () => {
    const { findings } = await scanWithTexts(join(realStores, 'opencode-wedged/store'));
    expect(findings.find((finding) => finding.checkId === 'order/wedged-session')?.texts?.title).toBe('Tide cache rewrite');
  });
});

describe('hostile texts', () => {
  const nasty = `\u001b]0;owned\u0007\u001b[2J\u001b[31m\u202eevil\u2066 \u200b\u0000 <script>alert(1)</script> \`x\` ![a](http://x/y) \r\n ${'long'.repeat(5000)}`;
  const id = uuid(7);
  const rootOf = (): string => stateFolder({
    index: { 'agent:main:main': { sessionId: id, updatedAt: night, status: 'done' } },
    files: { [`${id}.jsonl`]: [...ambientTranscript(id, night, [nasty, nasty]).map((row) => JSON.stringify(row)), '{"broken \u001b[31m\u202e', ...ambientTranscript(uuid(8), night, ['last']).slice(-1).map((row) => JSON.stringify(row)), ''].join('\n') },
  });

  it('never reach a terminal or a page raw, and are cut', async () => {
    const root = rootOf();
    const result = await scanWithTexts(root);
    const shown = result.findings.flatMap((finding) => finding.texts?.rows ?? []);
    expect(shown.map((row) => row.role)).toContain('unreadable');
    const options = { format: '', minSeverity: 'info', failOn: 'warning', color: false, verbose: true } as const;
    const { sessions } = await collectSessions(id, [root], { showText: true });
    expect(sessions[0]?.messages?.rows.some((row) => row.characters > 20_000 && row.text.length <= 201)).toBe(true);
    const page = await htmlOf(result, options, [root], new Map());
    expect([page, await renderResult(result, 'markdown', options, [root])].filter((output) => output.includes('<script'))).toEqual([]);
    expect(page).toContain('&lt;script&gt;');
    expect(await renderResult(result, 'markdown', options, [root])).not.toContain('![a]');
    const outputs = [renderStories(sessions, [], plain), page];
    for (const format of ['text', 'json', 'jsonl', 'markdown'] as const) outputs.push(await renderResult(result, format, options, [root]));
    for (const output of outputs) {
      expect(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/.exec(output)?.[0]).toBeUndefined();
      expect(output).not.toContain('longlong'.repeat(40));
    }
  });

  it.each([
    ['white space becomes one space', 'a\n\n b\t c', 10, 'a b c'],
    ['a long text is cut', 'abcdef', 3, 'abc…'],
    ['characters outside the basic plane stay whole', '😀😀😀😀', 2, '😀😀…'],
    ['what lies behind a long run of spaces is counted as cut', `a${' '.repeat(100)}b`, 5, 'a…'],
  ])('%s', (_name, text, length, expected) => expect(beginningOf(text, length)).toBe(expected));

  it.each([
    ['words', 'aa bb cc', 5, ['aa bb', 'cc']],
    ['a word that is longer than a line', 'aaaaaaaa b', 3, ['aaa', 'aaa', 'aa', 'b']],
    ['wide characters take two columns', '渔港渔港', 5, ['渔港', '渔港']],
    ['nothing', '', 5, []],
  ])('lines of a width: %s', (_name, text, width, expected) => expect(foldText(text, width)).toEqual(expected));
});

