// Writes an opencode database as 1.18.14 leaves it: 500 messages a session, rows as wide as real ones, every fifth with a
// text part. One session in a hundred (or as many as asked for) lies on both sides of the id wrap; nothing else is wrong with it.
import { createRequire } from 'node:module';
import { random } from './random.mjs';

const Database = createRequire(import.meta.url)('better-sqlite3');

const wrap = 1_786_706_395_136;
const first = wrap - 100 * 86_400_000;
const messagesPerSession = 500;
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const schema = `
CREATE TABLE project (id text PRIMARY KEY, worktree text NOT NULL, vcs text, name text, time_created integer NOT NULL, time_updated integer NOT NULL, time_initialized integer, sandboxes text NOT NULL, commands text);
CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL REFERENCES project(id) ON DELETE CASCADE, workspace_id text, parent_id text, slug text NOT NULL, directory text NOT NULL, path text, title text NOT NULL, version text NOT NULL, share_url text, summary_additions integer, summary_deletions integer, summary_files integer, summary_diffs text, metadata text, cost real DEFAULT 0 NOT NULL, revert text, permission text, agent text, model text, time_created integer NOT NULL, time_updated integer NOT NULL, time_compacting integer, time_archived integer);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL REFERENCES session(id) ON DELETE CASCADE, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL REFERENCES message(id) ON DELETE CASCADE, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE todo (session_id text NOT NULL REFERENCES session(id) ON DELETE CASCADE, content text NOT NULL, status text NOT NULL, priority text NOT NULL, position integer NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, PRIMARY KEY(session_id, position));
CREATE TABLE event_sequence (aggregate_id text PRIMARY KEY, seq integer NOT NULL, owner_id text);
CREATE TABLE event (id text PRIMARY KEY, aggregate_id text NOT NULL REFERENCES event_sequence(aggregate_id) ON DELETE CASCADE, seq integer NOT NULL, type text NOT NULL, data text NOT NULL);
CREATE TABLE session_share (session_id text PRIMARY KEY REFERENCES session(id) ON DELETE CASCADE, id text NOT NULL, secret text NOT NULL, url text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL);
CREATE TABLE migration (id TEXT PRIMARY KEY, time_completed INTEGER NOT NULL);
CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
CREATE INDEX part_message_id_id_idx ON part (message_id, id);
CREATE INDEX part_session_idx ON part (session_id);
CREATE INDEX session_project_idx ON session (project_id);
CREATE INDEX session_parent_idx ON session (parent_id);
CREATE UNIQUE INDEX event_aggregate_seq_idx ON event (aggregate_id, seq);
CREATE INDEX event_aggregate_type_seq_idx ON event (aggregate_id, type, seq);
INSERT INTO migration VALUES ('20260622202450_simplify_session_input', ${first});
INSERT INTO project VALUES ('global', '/', NULL, NULL, ${first}, ${first}, NULL, '[]', NULL);
`;

/** Returns what was written; `straddling` sessions have rows on both sides of the wrap. `perSession`: messages a session. */
export function writeDatabase(path, messages, { seed = 20261130, perSession = messagesPerSession, straddlers: wanted = null } = {}) {
  const { below } = random(seed);
  const db = new Database(path);
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.exec(schema);
  const addSession = db.prepare("INSERT INTO session (id, project_id, slug, directory, path, title, version, agent, model, time_created, time_updated) VALUES (?, 'global', ?, '/srv/tideboard', 'srv/tideboard', ?, '1.18.14', 'build', '{\"id\":\"m1\",\"providerID\":\"fake\"}', ?, ?)");
  const addMessage = db.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)');
  const addPart = db.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)');
  const tail = () => {
    let text = '';
    for (let i = 0; i < 14; i++) text += base62[below(62)];
    return text;
  };
  const id = (prefix, ms, counter) => {
    const value = BigInt(ms) * 4096n + BigInt(counter);
    return `${prefix}_${BigInt.asUintN(48, prefix === 'ses' ? ~value : value).toString(16).padStart(12, '0')}${tail()}`;
  };
  const sessions = Math.round(messages / perSession);
  const gap = (200 * 86_400_000) / sessions;
  const lengthMs = perSession * 5000;
  const straddlers = wanted ?? Math.max(1, Math.round(sessions / 100));
  let straddling = 0;
  db.exec('BEGIN');
  for (let session = 0; session < sessions; session++) {
    let start = Math.floor(first + session * gap);
    if (straddling < straddlers && start > wrap - straddlers * gap) {
      start = Math.floor(wrap - lengthMs / 2);
      straddling++;
    } else if (start < wrap && start + lengthMs * 1.2 > wrap) {
      start = Math.floor(wrap + 60_000 + session);
    }
    const sessionId = id('ses', start, 1);
    addSession.run(sessionId, `quiet-lamp-${session}`, `Session ${session}`, start, start + lengthMs);
    let parent = '';
    for (let i = 0; i < perSession; i++) {
      const time = start + i * 5000 + below(900);
      const messageId = id('msg', time, 1);
      const user = i % 2 === 0;
      if (user) parent = messageId;
      const data = user
        ? `{"role":"user","time":{"created":${time}},"agent":"build","model":{"providerID":"fake","modelID":"m1"},"summary":{"diffs":[]}}`
        : `{"parentID":"${parent}","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/srv/tideboard","root":"/"},"cost":0,"tokens":{"total":8078,"input":8066,"output":12,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"m1","providerID":"fake","time":{"created":${time},"completed":${time + 900}},"finish":"stop"}`;
      addMessage.run(messageId, sessionId, time, time, data);
      if (i % 5 === 0) addPart.run(id('prt', time, 2), messageId, sessionId, time, time, `{"type":"text","text":"the tide table of quay ${below(90)} was read and written again with ${below(4000)} rows"}`);
    }
  }
  db.exec('COMMIT');
  db.pragma('journal_mode = WAL');
  db.close();
  return { sessions, messages: sessions * perSession, straddling };
}
