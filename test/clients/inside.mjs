// Runs one program beside a loopback provider; both live in a network namespace that reaches nothing else.
// stdin: { command, args, cwd, env, input, timeoutMs, maxCalls, port }. stdout: one JSON document, see ClientRun in harness.ts.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const job = JSON.parse(readFileSync(0, 'utf8'));
const calls = [];
let stopped = 'no';
let child = null;

function stop(why) {
  if (stopped !== 'no' || child?.pid === undefined) return;
  stopped = why;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile.
  }
}

const chunk = (delta, finish, usage) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm1', choices: [{ index: 0, delta, finish_reason: finish }], usage })}\n\n`;

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    if (!request.url?.endsWith('/chat/completions')) {
      response.writeHead(404).end();
      return;
    }
    calls.push(JSON.parse(Buffer.concat(parts).toString('utf8')));
    if (calls.length >= job.maxCalls) stop('calls');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk({ role: 'assistant', content: `reply ${calls.length}` }, null));
    response.write(chunk({}, 'stop', { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 }));
    response.end('data: [DONE]\n\n');
  });
});

server.listen(job.port, '127.0.0.1', () => {
  child = spawn(job.command, job.args, { cwd: job.cwd, env: job.env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (part) => (stdout += part));
  child.stderr.on('data', (part) => (stderr += part));
  child.stdin.on('error', () => {});
  child.stdin.end(job.input);
  const timer = setTimeout(() => stop('time'), job.timeoutMs);
  const end = (exitCode, signal) => {
    clearTimeout(timer);
    server.close();
    server.closeAllConnections();
    process.stdout.write(JSON.stringify({ exitCode, signal, stdout, stderr, calls, stopped }));
  };
  child.on('error', (error) => {
    stderr += String(error);
    end(null, null);
  });
  child.on('close', end);
});
