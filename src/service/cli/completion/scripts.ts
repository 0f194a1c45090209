import type { Place, Word } from './places.ts';

/** How a shell completes: each function returns the script for `redflag`. */
export const SCRIPTS = { bash: formatBash, zsh: formatZsh, fish: formatFish } as const;

export type Shell = keyof typeof SCRIPTS;

/** The three scripts work in the same way: they find the place by the words before the cursor, and offer its words. */
function formatBash(places: readonly Place[]): string {
  const cases = places.map(
    ({ after, commands, options }) => `    ${quote(after)})
      commands=${quote(join(commands))}
      options=${quote(join(options))}
      case $previous in
${valueCases(options, (values) => `values=${quote(values.join(' '))}`)}
      esac
      ;;
`,
  );
  return `# Completion of redflag in bash. Load it with: source <(redflag completion bash)
_redflag() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  local place= word commands= options= values= isValue=
  # Bash splits --option=value at the sign.
  if [[ $current == '=' ]]; then
    current=
  elif [[ $previous == '=' ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case "$place $word" in
      ${placePattern(places)}) place="\${place:+$place }$word" ;;
    esac
  done
  case $place in
${cases.join('')}  esac
  if [[ -z $isValue ]]; then
    if [[ $current == -* ]]; then values=$options; else values=$commands; fi
  fi
  COMPREPLY=($(compgen -W "$values" -- "$current"))
}
# Where nothing matches, bash offers files.
complete -o default -F _redflag redflag
`;
}

function formatZsh(places: readonly Place[]): string {
  const cases = places.map(
    ({ after, commands, options }) => `    (${quote(after)})
      commands=(${describe(commands)})
      options=(${describe(options)})
      case $previous in
${valueCases(options, (values) => `values=(${values.map(quote).join(' ')})`, '(')}
      esac
      ;;
`,
  );
  return `#compdef redflag
# Completion of redflag in zsh. After compinit, load it with: source <(redflag completion zsh)
_redflag() {
  local place= word isValue= previous=$words[CURRENT-1]
  local -a commands options values
  if [[ $PREFIX == --*=* ]]; then
    previous=\${PREFIX%%=*}
    compset -P '*='
  fi
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place $word" in
      (${placePattern(places)}) place="\${place:+$place }$word" ;;
    esac
  done
  case $place in
${cases.join('')}  esac
  if [[ -n $isValue ]]; then
    if (( $#values )); then _describe value values; else _files; fi
  elif [[ $PREFIX == -* ]]; then
    _describe -o option options
  elif (( $#commands )); then
    _describe command commands
  else
    _files
  fi
}
# This file may be in a folder of $fpath, or be sourced.
if [[ $funcstack[1] == _redflag ]]; then _redflag "$@"; else compdef _redflag redflag; fi
`;
}

function formatFish(places: readonly Place[]): string {
  const lines = places.flatMap(({ after, commands, options }) => {
    const begin = `complete -c redflag -n ${quote(`__redflag_is_after ${quote(after)}`)}`;
    return [
      ...commands.map(({ text, description }) => `${begin} -f -a ${text} -d ${quote(description)}`),
      ...options.map(({ text, description, values }) => {
        const closed = values && values.length > 0 ? ` -x -a ${quote(values.join(' '))}` : '';
        return `${begin} -l ${text.slice(2)}${values && closed === '' ? ' -r' : closed} -d ${quote(description)}`;
      }),
    ];
  });
  return `# Completion of redflag in fish. Load it with: redflag completion fish | source
function __redflag_is_after
  set -l place ''
  set -l words (commandline -opc)
  for word in $words[2..]
    switch "$place $word"
      case ${placePattern(places, ' ')}
        set place (string trim -- "$place $word")
    end
  end
  test "$place" = "$argv[1]"
end
${lines.join('\n')}
`;
}

/** Returns a pattern for a place and the word that leads to the next one. */
function placePattern(places: readonly Place[], separator = '|'): string {
  return places
    .filter(({ after }) => after !== '')
    .map(({ after }) => quote(after.includes(' ') ? after : ` ${after}`))
    .join(separator);
}

/** Returns the cases of options with a value. After these, no other word can follow. */
function valueCases(options: readonly Word[], set: (values: readonly string[]) => string, open = ''): string {
  const closed = options.filter(({ values }) => values && values.length > 0);
  const others = options.filter(({ values }) => values?.length === 0).map(({ text }) => text);
  return [
    ...closed.map(({ text, values = [] }) => `        ${open}${text}) isValue=1 ${set(values)} ;;`),
    ...(others.length > 0 ? [`        ${open}${others.join('|')}) isValue=1 ;;`] : []),
  ].join('\n');
}

function join(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(' ');
}

function describe(words: readonly Word[]): string {
  return words.map(({ text, description }) => quote(`${text}:${description}`)).join(' ');
}

/** Returns a text as one word of a shell. Fish also reads \\ and \' in it, which no help text has. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
