// Completions for bash, zsh and fish. Names of checks are asked from the program itself, so that they are never old.

const note = 'Written by scripts/command-docs.mjs from the command tree; do not edit.';
const names = (options) => options.flatMap((option) => [option.short, option.long].filter(Boolean));
const withValue = (options, test) => options.filter((option) => option.value !== null && test(option)).flatMap((option) => [option.short, option.long].filter(Boolean));
const checks = "sessionfsck explain 2>/dev/null | cut -d' ' -f1";

export function bash(tree) {
  const all = [...tree.options, ...tree.commands.flatMap((command) => command.options)];
  const unique = (list) => [...new Set(list)];
  const choices = new Map(all.filter((option) => option.choices).map((option) => [option.long, option.choices]));
  const files = unique(withValue(all, (option) => option.isFile && !option.isDir));
  // -o is a folder for recover and a file for the others: whatever is a file somewhere is completed as one.
  const folders = unique(withValue(all, (option) => option.isDir)).filter((name) => !files.includes(name));
  const free = unique(withValue(all, (option) => !option.isFile && !option.isDir && !option.choices && !['--check', '--skip', '--format'].includes(option.long)));
  return `# ${note}
# shellcheck shell=bash disable=SC2207
_sessionfsck() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      ${tree.commands.map((command) => command.name).join('|')}) command=$word; break ;;
    esac
  done
  case $prev in
    --format) COMPREPLY=($(compgen -W 'text json jsonl sarif prometheus nagios markdown html' -- "$cur")); return ;;
    --check|--skip) COMPREPLY=($(compgen -W "$(${checks})" -- "$cur")); return ;;
${[...choices].map(([long, words]) => `    ${long}) COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$cur")); return ;;`).join('\n')}
    ${folders.join('|')}) COMPREPLY=($(compgen -d -- "$cur")); return ;;
    ${files.join('|')}) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    ${free.join('|')}) return ;;
  esac
  local options='${names(tree.options).join(' ')}'
  case $command in
    '') if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "$options --version" -- "$cur")); else COMPREPLY=($(compgen -W '${tree.commands.map((command) => command.name).join(' ')}' -- "$cur")); fi; return ;;
${tree.commands.filter((command) => command.options.length > 0).map((command) => `    ${command.name}) options+=' ${names(command.options).join(' ')}' ;;`).join('\n')}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  elif [[ $command == explain ]]; then
    COMPREPLY=($(compgen -W "$(${checks})" -- "$cur"))
  else
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -o filenames -F _sessionfsck sessionfsck
`;
}

const quoteZsh = (text) => text.replaceAll("'", "'\\''").replaceAll('[', '\\[').replaceAll(']', '\\]').replaceAll(':', '\\:');

function zshOption(option) {
  const value = option.value === null ? '' : `:${option.value.replaceAll(':', '')}:${zshValue(option)}`;
  const flags = [option.short, option.long].filter(Boolean);
  if (flags.length === 1) return `'*${flags[0]}[${quoteZsh(option.description)}]${value}'`;
  return `{${flags.join(',')}}'[${quoteZsh(option.description)}]${value}'`;
}

function zshValue(option) {
  if (option.choices) return `(${option.choices.join(' ')})`;
  if (option.long === '--format') return '(text json jsonl sarif prometheus nagios markdown html)';
  if (option.long === '--check' || option.long === '--skip') return '_sessionfsck_checks';
  if (option.isDir) return '_files -/';
  return option.isFile ? '_files' : '';
}

export function zsh(tree) {
  return `#compdef sessionfsck
# ${note}
_sessionfsck_checks() {
  local -a ids
  ids=(\${(f)"$(${checks})"})
  compadd -a ids
}
_sessionfsck() {
  local context state line
  local -a commands common
  commands=(
${tree.commands.map((command) => `    '${quoteZsh(command.name)}:${quoteZsh(command.description)}'`).join('\n')}
  )
  common=(
${tree.options.map((option) => `    ${zshOption(option)}`).join('\n')}
  )
  _arguments -C $common '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      case $words[1] in
${tree.commands.map((command) => `        ${command.name}) _arguments $common ${command.options.map(zshOption).join(' ')} '*:${command.args[0]?.name.toLowerCase() ?? 'argument'}:${command.name === 'explain' ? '_sessionfsck_checks' : '_files'}' ;;`).join('\n')}
      esac ;;
  esac
}
if [ "$funcstack[1]" = _sessionfsck ]; then _sessionfsck "$@"; else compdef _sessionfsck sessionfsck; fi
`;
}

const quoteFish = (text) => text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");

function fishOption(option, condition) {
  const parts = ['complete -c sessionfsck', condition];
  if (option.short) parts.push(`-s ${option.short.slice(1)}`);
  if (option.long) parts.push(`-l ${option.long.slice(2)}`);
  if (option.value !== null) {
    const words = option.choices ? option.choices.join(' ') : option.long === '--format' ? 'text json jsonl sarif prometheus nagios markdown html' : null;
    if (words) parts.push(`-x -a '${words}'`);
    else if (option.long === '--check' || option.long === '--skip') parts.push(`-x -a "(${checks})"`);
    else if (option.isDir) parts.push("-x -a '(__fish_complete_directories)'");
    else parts.push(option.isFile ? '-r' : '-x');
  }
  parts.push(`-d '${quoteFish(option.description)}'`);
  return parts.filter(Boolean).join(' ');
}

export function fish(tree) {
  const all = tree.commands.map((command) => command.name).join(' ');
  return [
    `# ${note}`,
    ...tree.options.map((option) => fishOption(option, '')),
    ...tree.commands.flatMap((command) => [
      `complete -c sessionfsck -n 'not __fish_seen_subcommand_from ${all}' -f -a ${command.name} -d '${quoteFish(command.description)}'`,
      ...command.options.map((option) => fishOption(option, `-n '__fish_seen_subcommand_from ${command.name}'`)),
    ]),
    `complete -c sessionfsck -n '__fish_seen_subcommand_from explain' -f -a "(${checks})"`,
    '',
  ].join('\n');
}
