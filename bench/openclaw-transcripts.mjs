// Writes a healthy OpenClaw store (JSONL era) of a given size: about twenty transcripts of mixed UTF-8, with tool calls and
// compactions, lines of 200 bytes to 40 kB.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { random } from './random.mjs';

const words = [
  ...'anchor harbour ferry tide plank rope mast chart lamp gull crate bolt wind quay "quoted" C:\\temp\\x tab\there'.split(' '),
  ...'гавань канат прилив мачта фонарь чайка'.split(' '),
  ...'港口 渡轮 潮水 海图 灯塔 海鸥'.split(' '),
  ...'größe Übung naïve façade mañana'.split(' '),
  ...'⚓ 🚢 🧭 👩‍🚀 🇪🇺'.split(' '),
];

const start = Date.UTC(2026, 4, 1, 6);
const files = 20;

/** `megabytes` are 10^6 bytes. Returns what was written. */
export function writeStore(folder, megabytes, seed = 20261130) {
  const { below, pick, hex } = random(seed);
  const sessions = join(folder, 'agents/main/sessions');
  mkdirSync(sessions, { recursive: true });
  const texts = Array.from({ length: 4000 }, () => JSON.stringify(Array.from({ length: 3 + below(60) }, () => pick(words)).join(' ')).slice(1, -1));
  const long = Array.from({ length: 200 }, () => Array.from({ length: 20 + below(180) }, () => pick(texts)).join('\\n'));
  const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
  const index = {};
  let bytes = 0;
  let rows = 0;
  for (let file = 0; file < files; file++) {
    const sessionId = uuid();
    const fd = openSync(join(sessions, `${sessionId}.jsonl`), 'w', 0o600);
    let time = start + file * 3_600_000;
    let parent = null;
    let serial = 0;
    let pending = '';
    let written = 0;
    const flush = () => {
      const chunk = Buffer.from(pending);
      let done = 0;
      while (done < chunk.length) done += writeSync(fd, chunk, done);
      written += chunk.length;
      pending = '';
    };
    const row = (type, rest) => {
      const id = (serial++).toString(16).padStart(8, '0');
      pending += `{"type":"${type}","id":"${id}","parentId":${parent === null ? 'null' : `"${parent}"`},"timestamp":"${new Date(time).toISOString()}",${rest}}\n`;
      parent = id;
      time += 300 + below(9000);
      rows++;
      if (pending.length > 1 << 20) flush();
      return id;
    };
    const usage = '"usage":{"input":1200,"output":20,"cacheRead":0,"cacheWrite":0,"totalTokens":1220,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}';
    const user = () => row('message', `"message":{"role":"user","content":"${pick(texts)}","timestamp":${time - 200},"idempotencyKey":"${uuid()}:user"}`);
    const reply = (text) => row('message', `"message":{"role":"assistant","content":[{"type":"thinking","thinking":"${pick(texts)}"},{"type":"text","text":"${text}"}],"api":"openai-completions","provider":"fake","model":"m1",${usage},"stopReason":"stop","timestamp":${time}}`);
    pending += `{"type":"session","version":3,"id":"${sessionId}","timestamp":"${new Date(time).toISOString()}","cwd":"/srv/claw-ws"}\n`;
    rows++;
    row('model_change', '"provider":"fake","modelId":"m1"');
    const target = (megabytes * 1e6) / files;
    let turns = 0;
    while (written + pending.length * 1.25 < target) {
      const first = user();
      if (below(2) === 0) {
        const call = `call_${hex(12)}`;
        row('message', `"message":{"role":"assistant","content":[{"type":"toolCall","id":"${call}","name":"exec","arguments":{"command":"${pick(texts)}"}}],"api":"openai-completions","provider":"fake","model":"m1",${usage},"stopReason":"toolUse","timestamp":${time}}`);
        row('message', `"message":{"role":"toolResult","toolCallId":"${call}","toolName":"exec","content":[{"type":"text","text":"${pick(long)}"}],"details":{"status":"completed","exitCode":0},"isError":false,"timestamp":${time}}`);
      }
      reply(pick(texts));
      if (++turns % 400 === 0) row('compaction', `"summary":"${pick(texts)}","firstKeptEntryId":"${first}","tokensBefore":90000,"details":{"readFiles":[],"modifiedFiles":[]},"fromHook":false`);
    }
    flush();
    closeSync(fd);
    bytes += written;
    index[`agent:main:telegram:direct:${41_000 + file}`] = { sessionId, sessionFile: join(sessions, `${sessionId}.jsonl`), updatedAt: time, sessionStartedAt: start + file * 3_600_000, lastInteractionAt: time, chatType: 'direct' };
  }
  writeFileSync(join(sessions, 'sessions.json'), JSON.stringify(index, null, 2));
  return { bytes, rows, files };
}
