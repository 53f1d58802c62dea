import { Command, CommanderError } from 'commander';
import { commands } from './commands/index.ts';
import { refuseEmpty } from './commands/empty.ts';
import { addGlobalOptions, exitCodeHelp } from './commands/options.ts';
import { hasPrinted, printData, printNote } from './commands/output.ts';
import { heldSignal, stopCodes, stopOnSignals } from './io/signals.ts';
import { FriendlyError, UnreadableError, errorAdvice, errorMessage } from './model/errors.ts';
import { toolVersion } from './model/tool.ts';
import { renderFailure } from './report/json.ts';
import { printable } from './report/printable.ts';

/** The command tree; docs and completions are made from it. */
export function createProgram(): Command {
  const program = new Command('sessionfsck')
    .description('fsck for the session stores of AI agents: OpenClaw, opencode, MiMo-Code, Hermes Agent')
    .version(toolVersion, '--version')
    .showHelpAfterError('(sessionfsck --help lists the commands)')
    .addHelpText('after', exitCodeHelp)
    .exitOverride()
    .configureOutput({ writeOut: printData, writeErr: (text) => printNote(printable(text.replaceAll('\n', '\u0001')).replaceAll('\\x01', '\n')) });
  addGlobalOptions(program);
  program.hook('preAction', (_program, command) => refuseEmpty(command));
  for (const define of commands) define(program);
  for (const command of program.commands) command.exitOverride().copyInheritedSettings(program).showHelpAfterError(`(sessionfsck ${command.name()} --help says how)`);
  return program;
}

/** Who asked for JSON on stdout gets a document also when the command could not begin. */
function printFailure(argv: readonly string[], message: string, path = ''): void {
  const words = argv.slice(2);
  const asksJson = words.some((word, index) => word === '--json' || word === '--format=json' || (word === '--format' && words[index + 1] === 'json'));
  const toFile = words.some((word) => /^(-o|--output)/.test(word));
  if (!asksJson || toFile || hasPrinted()) return;
  printData(renderFailure({ store: null, message, path }, words.some((word) => ['scan', 'audit', 'merge'].includes(word))));
}

/** One line for who sends SIGUSR1 to a command that has no progress of its own; Node would open its debugger instead. */
function answerWhoAsks(argv: readonly string[]): void {
  const began = performance.now();
  const answer = (): void => {
    if (process.listenerCount('SIGUSR1') === 1) printNote(printable(`sessionfsck ${argv[2] ?? ''}: running for ${Math.round((performance.now() - began) / 1000)} s`));
  };
  process.on('SIGUSR1', answer);
}

/** Parses, runs, sets the exit code. Known errors print one line, unknown ones their stack. */
export async function main(argv: readonly string[]): Promise<void> {
  stopOnSignals((signal) => printNote(`${signal} came in the middle of a change: it is brought to its end first, then the program stops`));
  answerWhoAsks(argv);
  try {
    await createProgram().parseAsync(argv);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      if (error.exitCode !== 0) printFailure(argv, error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' '));
      return;
    }
    if (error instanceof FriendlyError) {
      process.exitCode = error.exitCode;
      printFailure(argv, errorAdvice(error), error instanceof UnreadableError ? error.path : '');
      const word = error.exitCode === 3 ? 'refused: ' : 'error: ';
      for (const [index, line] of error.message.split('\n').entries()) printNote(printable(`${index === 0 ? word : ' '.repeat(word.length)}${line}`));
      if (error.hint !== null) printNote(printable(`${' '.repeat(word.length)}${error.hint}`));
      return;
    }
    process.exitCode = 2;
    const text = error instanceof Error ? (error.stack ?? error.message) : errorMessage(error);
    printNote(`internal error: ${text.split('\n').map(printable).join('\n')}`);
  } finally {
    const signal = heldSignal();
    if (signal !== null) process.exitCode = stopCodes[signal];
  }
}
