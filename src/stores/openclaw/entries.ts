import type { Json } from '../../model/finding.ts';
import { baseName } from './names.ts';
import type { CompactionCheckpoint, SessionEntry, Watermark } from './types.ts';
import { asNumber, asObject, asText, asTexts } from './values.ts';

function watermarkParts(key: string): Watermark['parts'] {
  let values: unknown = null;
  if (key.startsWith('[')) {
    try {
      values = JSON.parse(key);
    } catch {
      return null;
    }
  } else if (key.startsWith('wat:')) {
    values = key.slice(4).split(':');
  }
  if (!Array.isArray(values) || values.length !== 4) return null;
  const texts = asTexts(values);
  const [channel, account, conversation, thread] = texts;
  if (channel === undefined || account === undefined || conversation === undefined || thread === undefined || channel === '') return null;
  return { channel, account, conversation, thread };
}

function watermarkOf(key: string, value: unknown): Watermark {
  const parts = watermarkParts(key);
  const wrong: string[] = parts === null ? ['key'] : [];
  const fields = asObject(value);
  if (fields === null) return { key, parts, sessionId: null, messageId: null, timestamp: null, updatedAt: null, wrong: [...wrong, 'value'], raw: value as Json };
  const { sessionId, messageId, timestampMs, updatedAt } = fields;
  if (sessionId !== undefined && sessionId !== null && typeof sessionId !== 'string') wrong.push('sessionId');
  if (typeof messageId !== 'string' || messageId === '') wrong.push('messageId');
  if (timestampMs !== undefined && timestampMs !== null && asNumber(timestampMs) === null) wrong.push('timestampMs');
  if (updatedAt !== undefined && asNumber(updatedAt) === null) wrong.push('updatedAt');
  return { key, parts, sessionId: asText(sessionId) || null, messageId: asText(messageId) || null, timestamp: asNumber(timestampMs), updatedAt: asNumber(updatedAt), wrong, raw: value as Json };
}

function checkpointOf(value: unknown): CompactionCheckpoint | null {
  const fields = asObject(value);
  if (fields === null) return null;
  const sessionIds: string[] = [];
  const files: string[] = [];
  const push = (id: unknown, file: unknown): void => {
    if (typeof id === 'string') sessionIds.push(id);
    if (typeof file === 'string') files.push(baseName(file));
  };
  push(fields.sessionId, fields.sessionFile);
  for (const side of [asObject(fields.preCompaction), asObject(fields.postCompaction)]) push(side?.sessionId, side?.sessionFile);
  return { checkpointId: asText(fields.checkpointId), sessionId: asText(fields.sessionId), createdAt: asNumber(fields.createdAt), sessionIds, files };
}

/** One entry of the index from its JSON value; a field of a wrong type counts as absent (format notes §2.5, §7). */
export function entryOf(key: string, value: unknown): SessionEntry {
  const fields = asObject(value);
  const from = fields ?? {};
  const watermarks = asObject(from.ambientTranscriptWatermarks);
  return {
    key,
    isObject: fields !== null,
    sessionId: asText(from.sessionId) || null,
    sessionFile: asText(from.sessionFile) || null,
    lifecycleRevision: asText(from.lifecycleRevision),
    updatedAt: asNumber(from.updatedAt),
    sessionStartedAt: asNumber(from.sessionStartedAt),
    lastInteractionAt: asNumber(from.lastInteractionAt),
    lastActivityAt: asNumber(from.lastActivityAt),
    startedAt: asNumber(from.startedAt),
    endedAt: asNumber(from.endedAt),
    archivedAt: asNumber(from.archivedAt),
    status: asText(from.status),
    abortedLastRun: typeof from.abortedLastRun === 'boolean' ? from.abortedLastRun : null,
    initializationPending: from.initializationPending === true,
    activeWriterRunId: asText(from.activeWriterRunId),
    usageFamilyKey: asText(from.usageFamilyKey),
    usageFamilySessionIds: asTexts(from.usageFamilySessionIds),
    previousSessionId: asText(from.previousSessionId),
    parentSessionKey: asText(from.parentSessionKey),
    spawnedBy: asText(from.spawnedBy),
    forkedFromParent: from.forkedFromParent === true,
    chatType: asText(from.chatType),
    channel: asText(from.channel),
    groupId: asText(from.groupId),
    cliBound: asText(from.claudeCliSessionId) !== null || Object.keys(asObject(from.cliSessionIds) ?? {}).length > 0 || Object.keys(asObject(from.cliSessionBindings) ?? {}).length > 0,
    heartbeatBaseKey: asText(from.heartbeatIsolatedBaseSessionKey),
    watermarks: watermarks === null ? [] : Object.keys(watermarks).map((name) => watermarkOf(name, watermarks[name])),
    checkpoints: Array.isArray(from.compactionCheckpoints) ? from.compactionCheckpoints.map(checkpointOf).filter((one) => one !== null) : [],
  };
}
