import type { Command } from 'commander';
import { exitCodeHelp, formatOf, globalOptions, scanOptionsOf } from './options.ts';
import { printData, textOptions } from './output.ts';

export function define(program: Command): void {
  program
    .command('show')
    .argument('<SESSION>', 'a session id or its beginning, or a chat key or its end')
    .argument('[PATH...]', "state folders, databases or transcripts (default: this user's stores)")
    .description("one session's life: messages, resets, archives, watermark, compactions, boundary")
    .addHelpText('after', '\nWith --show-text also its title and the beginnings of its newest 60 messages\n(--verbose: of all).\n')
    .addHelpText('after', exitCodeHelp)
    .action(async (session: string, paths: string[], _options: unknown, command: Command) => {
      const options = globalOptions(command);
      const format = formatOf(options, ['text', 'json']);
      const { collectSessions } = await import('../checks/collect-sessions.ts');
      const { sessions, errors } = await collectSessions(session, paths, { ...scanOptionsOf(options), showText: options.showText, allMessages: options.verbose });
      if (format === 'json') {
        const { safeJson } = await import('../report/printable.ts');
        printData(`${safeJson({ schemaVersion: 1, sessions, errors }, 2)}\n`);
      } else if (sessions.length > 0 || errors.length > 0) {
        const { renderStories } = await import('../report/story.ts');
        printData(renderStories(sessions, errors, textOptions(options, paths)));
      }
      if (sessions.length === 0 && errors.length === 0) {
        const { UsageError } = await import('../model/errors.ts');
        throw new UsageError(`no session or chat is called ${session}`, 'sessionfsck stores lists the stores; a session id may be shortened to its beginning');
      }
      process.exitCode = errors.length > 0 ? 2 : 0;
    });
}
