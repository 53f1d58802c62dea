// The command tree as plain data: what the pages and the completions are made from.

const takesFiles = /FILE|PATH|REPORT|DIR/;

function optionOf(option) {
  return {
    flags: option.flags,
    short: option.short ?? null,
    long: option.long ?? null,
    description: option.description,
    value: /[<[](.+?)[>\]]/.exec(option.flags)?.[1] ?? null,
    choices: option.argChoices ?? null,
    defaultValue: option.defaultValue,
    isDir: /<DIR>/.test(option.flags),
    isFile: takesFiles.test(/[<[](.+?)[>\]]/.exec(option.flags)?.[1] ?? ''),
  };
}

/** Commands, their arguments and options, and the options that all of them take. */
export function treeOf(program) {
  return {
    name: program.name(),
    version: program.version(),
    description: program.description(),
    options: [...program.options.map(optionOf), { flags: '--help', short: '-h', long: '--help', description: 'show this help', value: null, choices: null, isDir: false, isFile: false }],
    commands: program.commands.map((command) => ({
      name: command.name(),
      description: command.description(),
      args: command.registeredArguments.map((argument) => ({ name: argument.name(), required: argument.required, variadic: argument.variadic, description: argument.description })),
      usage: `${program.name()} ${command.name()}${command.registeredArguments.map((argument) => ` ${argument.required ? `<${argument.name()}>` : `[${argument.name()}]`}`.replace('...', '') + (argument.variadic ? '...' : '')).join('')}`,
      options: command.options.map(optionOf),
      after: afterText(command),
    })),
  };
}

/** What --help says below the options: formats, exit codes. */
function afterText(command) {
  let text = '';
  command.configureOutput({ writeOut: (chunk) => { text += chunk; } });
  command.outputHelp();
  const at = text.lastIndexOf('display help for command');
  return at < 0 ? '' : text.slice(text.indexOf('\n', at) + 1).trim();
}
