/** Tables that hold what people said and the sessions it was said in: no repair takes a row out of them. */
const protectedTables = new Set([
  // opencode, MiMo-Code
  'project', 'session', 'message', 'part', 'event', 'event_sequence', 'session_message', 'session_input', 'todo', 'history_fts', 'external_import', 'turn_receipt',
  // Hermes
  'sessions', 'messages', 'system_prompts', 'gateway_routing', 'session_model_usage',
  // OpenClaw
  'session_nodes', 'session_windows', 'session_entries', 'session_routes', 'transcript_events', 'transcript_event_identities', 'session_transcript_archives', 'session_transcript_cold_archives',
]);

export function isProtectedTable(table: string): boolean {
  return protectedTables.has(table.toLowerCase());
}
