// docs/cli.md and the man page.

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
const usual = (option) => (option.defaultValue === undefined || option.defaultValue === true || option.defaultValue === false ? '' : ` (default ${option.defaultValue})`);

/** Text below the options without the exit codes, which are said once. */
const own = (after) => after.replace(/Exit codes:[\s\S]*$/, '').trim();
const exitCodes = (tree) => /Exit codes:[\s\S]*$/.exec(tree.commands.map((command) => command.after).join('\n'))?.[0].split('\n').filter((line) => /^\s+\d/.test(line)).filter((line, index, all) => all.indexOf(line) === index).map((line) => /^\s+(\d+(?:, \d+)*)\s+(.*)$/.exec(line).slice(1)) ?? [];

function optionTable(options) {
  return ['| option | |', '|---|---|', ...options.map((option) => `| \`${option.flags.replaceAll('|', '\\|')}\` | ${cell(option.description)}${cell(usual(option))}${option.choices ? ` (${option.choices.join(', ')})` : ''} |`)];
}

export function markdownPage(tree) {
  return [
    '# Command line',
    '',
    '<!-- Written by scripts/command-docs.mjs from the command tree; do not edit. -->',
    '',
    `\`${tree.name}\`: ${tree.description}.`,
    '',
    '| command | |',
    '|---|---|',
    ...tree.commands.map((command) => `| [\`${command.name}\`](#${command.name}) | ${cell(command.description)} |`),
    '',
    'A PATH may be a product\'s state folder, one of its inner folders, a database file, or one transcript.',
    'Data goes to stdout, everything else to stderr.',
    '',
    '## Exit codes',
    '',
    ...exitCodes(tree).map(([codes, text]) => `- **${codes}** ${text}`),
    '',
    '## Options of every command',
    '',
    ...optionTable(tree.options),
    '',
    ...tree.commands.flatMap((command) => [
      `## ${command.name}`,
      '',
      '```',
      command.usage,
      '```',
      '',
      `${command.description[0].toUpperCase()}${command.description.slice(1)}.`,
      '',
      ...command.args.filter((argument) => argument.description !== '').map((argument) => `- \`${argument.name}\`: ${cell(argument.description)}`),
      ...(command.args.length > 0 ? [''] : []),
      ...(command.options.length > 0 ? [...optionTable(command.options), ''] : []),
      ...(own(command.after) === '' ? [] : ['```', own(command.after), '```', '']),
    ]),
  ].join('\n').trimEnd() + '\n';
}

const roff = (text) => text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^([.'])/gm, '\\&$1');

export function manPage(tree) {
  const option = (one) => ['.TP', `.B ${roff(one.flags)}`, roff(`${one.description}${usual(one)}`)];
  return [
    '.\\" Written by scripts/command-docs.mjs from the command tree; do not edit.',
    `.TH SESSIONFSCK 1 "" "${tree.name} ${tree.version}" "User Commands"`,
    '.SH NAME',
    `${tree.name} \\- ${roff(tree.description)}`,
    '.SH SYNOPSIS',
    `.B ${tree.name}`,
    '.I COMMAND',
    '[options] [PATH...]',
    '.SH DESCRIPTION',
    'Reads the transcripts and message tables that OpenClaw, opencode, MiMo\\-Code and Hermes Agent leave on disk, finds what their own readers lose or misread, says why, and repairs it. A scan alters nothing. A repair is a plan that is read first, and can be undone.',
    '.SH COMMANDS',
    ...tree.commands.flatMap((command) => [
      '.SS',
      `${roff(command.usage)}`,
      roff(`${command.description[0].toUpperCase()}${command.description.slice(1)}.`),
      ...command.options.flatMap(option),
      ...(own(command.after) === '' ? [] : ['.PP', '.nf', roff(own(command.after)), '.fi']),
    ]),
    '.SH OPTIONS OF EVERY COMMAND',
    ...tree.options.flatMap(option),
    '.SH EXIT STATUS',
    ...exitCodes(tree).flatMap(([codes, text]) => ['.TP', `.B ${codes}`, roff(text)]),
    '.SH FILES',
    '.TP',
    '.I $XDG_CONFIG_HOME/sessionfsck/sessionfsck.config.json',
    'configuration (default ~/.config)',
    '.TP',
    '.I $XDG_STATE_HOME/sessionfsck/',
    'journals of repairs, locks of audits (default ~/.local/state)',
    '.SH ENVIRONMENT',
    '.TP',
    '.B NO_COLOR, FORCE_COLOR',
    'without colour, or with it',
    '.TP',
    '.B TMPDIR',
    'where private copies of databases go unless \\-\\-snapshot\\-dir says otherwise',
    '.SH SIGNALS',
    '.TP',
    '.B SIGUSR1',
    'a scan says on stderr how far it is',
  ].join('\n') + '\n';
}
