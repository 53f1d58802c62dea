import type { Command } from 'commander';
import { UsageError } from '../model/errors.ts';

/**
 * Throws UsageError for an argument or option that is an empty text, as `"$UNSET"` gives one in a script: taken as a path it
 * would be the current folder, and as a list it would be no restriction at all.
 */
export function refuseEmpty(command: Command): void {
  for (const [index, word] of command.args.entries()) {
    if (word === '') throw new UsageError(`argument ${index + 1} of ${command.name()} is empty`, 'leave it out, or look at the variable that it comes from');
  }
  for (const option of [...command.options, ...(command.parent?.options ?? [])]) {
    const value: unknown = command.optsWithGlobals()[option.attributeName()];
    if ((typeof value === 'string' && value === '') || (Array.isArray(value) && value.length === 0)) throw new UsageError(`${option.long ?? option.flags} is empty`, 'leave it out, or look at the variable that it comes from');
  }
}
