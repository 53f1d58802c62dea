/** Words of chat keys that say what a chat is and never who. */
export const keyWords: ReadonlySet<string> = new Set([
  'agent', 'main', 'default', 'direct', 'dm', 'group', 'channel', 'topic', 'thread', 'cron', 'run', 'hook', 'subagent', 'acp', 'heartbeat', 'explicit', 'room', 'space', 'unknown', 'global',
  'telegram', 'whatsapp', 'discord', 'slack', 'signal', 'imessage', 'matrix', 'msteams', 'googlechat', 'feishu', 'lark', 'line', 'irc', 'mattermost', 'nostr', 'zalo', 'webchat', 'web', 'cli', 'tui', 'gateway', 'email', 'sms', 'voice', 'local',
]);

/** Evidence whose text is a word of the check, not of a store. */
const checkWords = new Set(['reason', 'kind', 'cause', 'verdict', 'column', 'table', 'parentTable', 'matchingZone', 'zone', 'policyDay', 'mode', 'state', 'layout', 'format', 'shape', 'by', 'process', 'wrong', 'firstEvent', 'indexes']);

/** Evidence whose text comes from a store: only what a product is known to write. */
const storeWords: { readonly [key: string]: ReadonlySet<string> } = {
  endReason: new Set([
    'compression', 'orphaned_compression', 'session_reset', 'session_switch', 'idle', 'daily', 'both', 'suspended', 'resume_pending_expired', 'agent_close', 'tui_close', 'cli_close', 'user_exit',
    'branched', 'ws_orphan_reap', 'superseded_by_resume', 'startup_orphan_reap', 'new_command', 'reset_command', 'cron_complete',
  ]),
  status: new Set(['running', 'done', 'failed', 'killed', 'timeout', 'pending', 'idle', 'error', 'completed']),
  role: new Set(['user', 'assistant', 'tool', 'system', 'toolResult', 'other']),
  agent: new Set(['main']),
  agents: new Set(['main']),
  source: new Set(['gateway_routing', 'sessions.json', 'telegram', 'discord', 'slack', 'whatsapp', 'signal', 'cli', 'tui', 'cron', 'api_server']),
  backend: new Set(['postgres', 'postgresql', 'sqlite', 'mysql']),
};

/** Keys of objects inside evidence; any other inner key may be a name that a store gave. */
const innerKeys = new Set(['at', 'session', 'archive', 'verdict', 'cause', 'holds', 'suspect', 'line', 'row', 'parent', 'nextLine', 'nextRow', 'nextParent', 'attachTo', 'calls', 'id', 'resultRow', 'message', 'part']);

/** A reset policy as the checks write it: times of day and minutes. */
const policyText = /^(?:(?:daily at \d\d:\d\d|idle \d{1,7} min|never|none|off|no policy)(?:, | or | and )?){1,3}$/;

/** A place of a configuration: names of settings, never a chat. */
const settingPlace = /^(?:session|session_reset|reset_by_platform|reset_by_type)(?:\.(?:reset|mode|atHour|at_hour|idleMinutes|idle_minutes|resetByType|resetByChannel|direct|dm|group|thread|telegram|whatsapp|discord|slack|signal)){0,3}$/;

/** Whether a text of evidence may be sent as it stands. */
export function isSendable(text: string, key: string): boolean {
  if (checkWords.has(key)) return /^[A-Za-z][\w./+:-]{0,60}$/.test(text);
  if (Object.hasOwn(storeWords, key)) return storeWords[key]?.has(text) ?? false;
  if (key === 'policy') return policyText.test(text);
  if (key === 'places') return settingPlace.test(text);
  if (key === 'version' || key === 'newestKnown') return /^\d{1,14}(?:_[a-z_]{1,60})?$/.test(text);
  return false;
}

export function isInnerKey(key: string): boolean {
  return innerKeys.has(key);
}
