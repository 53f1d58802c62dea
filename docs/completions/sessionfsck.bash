# Written by scripts/command-docs.mjs from the command tree; do not edit.
# shellcheck shell=bash disable=SC2207
_sessionfsck() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command='' word
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      scan|stores|wraps|watermarks|resets|show|plan|apply|undo|journals|recover|audit|report|merge|bundle|explain|id) command=$word; break ;;
    esac
  done
  case $prev in
    --format) COMPREPLY=($(compgen -W 'text json jsonl sarif prometheus nagios markdown html' -- "$cur")); return ;;
    --check|--skip) COMPREPLY=($(compgen -W "$(sessionfsck explain 2>/dev/null | cut -d' ' -f1)" -- "$cur")); return ;;
    --min-severity) COMPREPLY=($(compgen -W 'error warning info' -- "$cur")); return ;;
    --fail-on) COMPREPLY=($(compgen -W 'error warning info never' -- "$cur")); return ;;
    --allow) COMPREPLY=($(compgen -W 'judgement' -- "$cur")); return ;;
    --snapshot-dir|--journal-dir) COMPREPLY=($(compgen -d -- "$cur")); return ;;
    --config|-o|--output|--baseline|--lock|--metrics|--host|--store) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    --zone|--now|--reader|--shard|--max-duration|--since|--until|--session|--step|--wait|--acknowledge|--reason|--rotate) return ;;
  esac
  local options='--version --format --json --zone --now --reader --check --skip --min-severity --fail-on --deep --shard --max-duration --snapshot-dir --in-place --show-text --no-color --config --no-config --quiet --verbose -h --help'
  case $command in
    '') if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "$options --version" -- "$cur")); else COMPREPLY=($(compgen -W 'scan stores wraps watermarks resets show plan apply undo journals recover audit report merge bundle explain id' -- "$cur")); fi; return ;;
    scan) options+=' -o --output' ;;
    resets) options+=' --since --until --session --unexplained' ;;
    plan) options+=' -o --output --force --session' ;;
    apply) options+=' --dry-run --allow --step --journal-dir --wait' ;;
    undo) options+=' --dry-run --leave-changed --journal-dir --wait' ;;
    journals) options+=' --journal-dir --prune --yes' ;;
    recover) options+=' -o --output' ;;
    audit) options+=' --baseline --update-baseline --acknowledge --reason --until --rotate --lock -o --output --metrics' ;;
    report) options+=' -o --output' ;;
    merge) options+=' --host -o --output' ;;
    bundle) options+=' -o --output' ;;
    id) options+=' --store' ;;
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  elif [[ $command == explain ]]; then
    COMPREPLY=($(compgen -W "$(sessionfsck explain 2>/dev/null | cut -d' ' -f1)" -- "$cur"))
  else
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -o filenames -F _sessionfsck sessionfsck
