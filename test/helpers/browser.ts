import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';

/** A headless Chromium (Debian's package), or null where there is none. */
export const chromium: string | null = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path)) ?? null;

type Message = { id?: number; method?: string; params?: Record<string, unknown>; result?: Record<string, unknown>; error?: { message: string }; sessionId?: string };

export type Page = {
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  /** The value of an expression in the page. */
  evaluate<T>(expression: string): Promise<T>;
  /** URLs that the page asked for. */
  requests: string[];
  open(url: string): Promise<void>;
  close(): Promise<void>;
};

/** One page of a headless browser, spoken to through a pipe (DevTools protocol), without any network port. */
export async function openBrowser(profile: string): Promise<Page> {
  if (chromium === null) throw new Error('no chromium');
  const child: ChildProcess = spawn(chromium, ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe', `--user-data-dir=${profile}`, '--no-first-run', 'about:blank'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const input = child.stdio[3] as Writable;
  const output = child.stdio[4] as Readable;
  const waiting = new Map<number, (message: Message) => void>();
  const requests: string[] = [];
  const loaded: (() => void)[] = [];
  let next = 1;
  let text = '';
  output.setEncoding('utf8');
  output.on('data', (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf('\0'); end >= 0; end = text.indexOf('\0')) {
      const message = JSON.parse(text.slice(0, end)) as Message;
      text = text.slice(end + 1);
      if (message.id !== undefined) waiting.get(message.id)?.(message);
      else if (message.method === 'Network.requestWillBeSent') requests.push((message.params as { request: { url: string } }).request.url);
      else if (message.method === 'Page.loadEventFired') for (const resolve of loaded.splice(0)) resolve();
    }
  });
  const call = (method: string, params: object, sessionId?: string): Promise<Record<string, unknown>> =>
    new Promise((resolve, reject) => {
      const id = next++;
      waiting.set(id, (message) => (message.error ? reject(new Error(message.error.message)) : resolve(message.result ?? {})));
      input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  const { targetInfos } = (await call('Target.getTargets', {})) as { targetInfos: { targetId: string; type: string }[] };
  const { sessionId } = (await call('Target.attachToTarget', { targetId: targetInfos.find((target) => target.type === 'page')?.targetId, flatten: true })) as { sessionId: string };
  const send = (method: string, params: object = {}): Promise<Record<string, unknown>> => call(method, params, sessionId);
  await send('Page.enable');
  await send('Network.enable');
  return {
    send,
    requests,
    async evaluate<T>(expression: string): Promise<T> {
      const answer = (await send('Runtime.evaluate', { expression, returnByValue: true })) as { result: { value: T } };
      return answer.result.value;
    },
    async open(url) {
      const done = new Promise<void>((resolve) => loaded.push(resolve));
      await send('Page.navigate', { url });
      await done;
    },
    async close() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      await call('Browser.close', {}).catch(() => child.kill());
      await gone;
    },
  };
}
