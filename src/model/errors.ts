/** An error whose text is for the person at the keyboard: printed without a stack. */
export class FriendlyError extends Error {
  /** Process exit code: 2 the job could not be done, 3 refused for safety. */
  readonly exitCode: 2 | 3 = 2;
  /** The command or flag that helps, or null. */
  readonly hint: string | null;
  constructor(message: string, hint: string | null = null) {
    super(message);
    this.name = new.target.name;
    this.hint = hint;
  }
}

/** The command line or a file a person wrote is wrong. */
export class UsageError extends FriendlyError {}

/** Something that should be read cannot be. `path` is where it was looked for. */
export class UnreadableError extends FriendlyError {
  readonly path: string;
  constructor(message: string, path: string, hint: string | null = null) {
    super(message, hint);
    this.path = path;
  }
}

/** Doing it could harm: a store in use, changed since the plan, or an undo that does not match. */
export class RefusedError extends FriendlyError {
  override readonly exitCode = 3;
}

/** The message of anything thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The message of anything thrown, with the command or flag that helps where one is known. */
export function errorAdvice(error: unknown): string {
  return error instanceof FriendlyError && error.hint !== null ? `${error.message}; ${error.hint}` : errorMessage(error);
}

/** What a JSON parser complains of, on one line and without the text that it quotes: that may be private. */
export function syntaxProblem(error: unknown): string {
  return errorMessage(error).replace(/,? (?:\.\.\.)?"[^]*?"(?:\.\.\.)? is not valid JSON$/, '').replace(/\s+/g, ' ');
}

/** The system's error code (`ENOENT`, `SQLITE_BUSY`), or an empty string. */
export function errorCode(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string') return error.code;
  return '';
}
