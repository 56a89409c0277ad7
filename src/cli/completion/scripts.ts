/** The scripts of shells. Each asks `merostore __complete WORDS…`, whose lines `completionLines` describes. */
import { shellWord } from "../output/text.js";

/** Makes a script. It runs the `merostore` in PATH, or these words if there is none. */
type MakeScript = (program: readonly string[]) => string;

const words = (program: readonly string[]): string => program.map(shellWord).join(" ");

export const scripts: Readonly<Record<string, MakeScript>> = {
  bash: (program) => `# Completion of merostore in bash.
_merostore_run() {
  if type -P merostore > /dev/null; then command merostore "$@"; else ${words(program)} "$@"; fi
}
_merostore() {
  local words=() word joined= i line value prefix=
  # Bash splits words at "=": put them together again.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ \${#words[@]} -gt 0 && ( $word == = || -n $joined ) ]]; then
      words[\${#words[@]}-1]+=$word
      joined=
      [[ $word == = ]] && joined=1
    else
      words+=("$word")
    fi
  done
  local current=\${words[\${#words[@]}-1]}
  [[ $current == *=* && $COMP_WORDBREAKS == *=* ]] && prefix=\${current%%=*}=
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "$current"); compopt -o filenames 2> /dev/null ;;
      :folders) while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -d -- "$current"); compopt -o filenames 2> /dev/null ;;
      :goes-on) compopt -o nospace 2> /dev/null ;;
      *) value=\${line%%$'\\t'*}; COMPREPLY+=("\${value#"$prefix"}") ;;
    esac
  done < <(_merostore_run __complete "\${words[@]}" 2> /dev/null)
}
complete -F _merostore merostore
`,
  zsh: (program) => `#compdef merostore
# Completion of merostore in zsh.
_merostore_run() {
  if whence -p merostore > /dev/null; then command merostore "$@"; else ${words(program)} "$@"; fi
}
_merostore() {
  local line goes_on=
  local -a found
  for line in "\${(@f)$(_merostore_run __complete "\${(@)words[2,CURRENT]}" 2> /dev/null)}"; do
    case $line in
      '') ;;
      :files) _files ;;
      :folders) _files -/ ;;
      :goes-on) goes_on=1 ;;
      *) found+=("\${\${line%%$'\\t'*}//:/\\\\:}\${\${(M)line%$'\\t'*}:+:}\${\${(M)line%$'\\t'*}#$'\\t'}") ;;
    esac
  done
  if [[ -n $goes_on ]]; then _describe merostore found -S ''; else _describe merostore found; fi
}
if [[ $funcstack[1] == _merostore ]]; then _merostore "$@"; else compdef _merostore merostore; fi
`,
  fish: (program) => `# Completion of merostore in fish.
function __merostore_run
    if command -q merostore
        command merostore $argv
    else
        ${words(program)} $argv
    end
end
function __merostore_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (__merostore_run __complete $words[2..-1] 2> /dev/null)
        switch $line
            case :files
                __fish_complete_path (commandline -ct)
            case :folders
                __fish_complete_directories (commandline -ct)
            case :goes-on
            case '*'
                echo $line
        end
    end
end
complete -c merostore -f -a '(__merostore_complete)'
`,
};
