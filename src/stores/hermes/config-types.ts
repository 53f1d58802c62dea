/** A reset policy as a configuration file states it; a value of a wrong type counts as absent and is named in `wrong`. */
export type ResetPolicyFacts = {
  mode: string | null;
  /** Hour of the day in the gateway's local zone. */
  atHour: number | null;
  idleMinutes: number | null;
  /** Names of fields whose value has a wrong type or lies outside its range, such as `at_hour`. */
  wrong: string[];
};

export type ConfigFile = {
  path: string;
  /** Why it could not be read, with the line where the parser says so; null: read. */
  problem: { message: string; line: number | null } | null;
};

/** What config.yaml and gateway.json say of storage and resets. Nothing else of them is kept. */
export type HermesConfig = {
  files: ConfigFile[];
  /** `database.backend`; null: not stated (SQLite). */
  backend: string | null;
  /** Absolute path of the file that names the backend. */
  backendPath: string | null;
  /** `timezone`: the user's zone, not the gateway's. */
  timezone: string | null;
  reset: {
    /** `session_reset`; null: not stated, the build's default counts. */
    standard: ResetPolicyFacts | null;
    byPlatform: { [platform: string]: ResetPolicyFacts };
    byType: { [chatType: string]: ResetPolicyFacts };
    /** Absolute path of the file that states `session_reset`, else of config.yaml. */
    path: string;
  };
};
