/** The scripts by which shells complete command lines. Each asks the program for what can follow, so that none gets old. */
import { PROGRAM_NAME } from "../../base/version.ts";

/** The shells that have a script. */
export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;

/** The name of one of them. */
export type Shell = (typeof SHELLS)[number];

/** Where the script of each shell goes, in a sentence. */
export const SHELL_PLACES: Readonly<Record<Shell, string>> = {
  bash: `In ~/.bashrc: eval "$(${PROGRAM_NAME} completions bash)"`,
  zsh: `In ~/.zshrc, after compinit: eval "$(${PROGRAM_NAME} completions zsh)"`,
  fish: `${PROGRAM_NAME} completions fish > ~/.config/fish/completions/${PROGRAM_NAME}.fish`,
  powershell:
    `In $PROFILE: ${PROGRAM_NAME} completions powershell | Out-String | Invoke-Expression`,
};

const ASK = `${PROGRAM_NAME} completions --words`;

const SCRIPTS: Readonly<Record<Shell, string>> = {
  // Bash takes "=" for a word of its own, which the first candidates behind it would replace.
  bash: `_code_intel() {
  local line typed="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  while IFS=$'\\t' read -r line _; do
    COMPREPLY+=("$(printf '%q' "$line")")
  done < <(${ASK} -- "\${words[@]}" 2>/dev/null)
  if [[ $typed == = ]]; then COMPREPLY=("\${COMPREPLY[@]/#/=}"); fi
}
complete -o default -o nosort -F _code_intel ${PROGRAM_NAME}
`,
  zsh: `#compdef ${PROGRAM_NAME}
_code_intel() {
  local -a found
  local line about
  while IFS=$'\\t' read -r line about; do
    found+=("\${line//:/\\\\:}\${about:+:$about}")
  done < <(${ASK} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#found )); then _describe -V ${PROGRAM_NAME} found; else _files; fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _code_intel "$@"
else
  compdef _code_intel ${PROGRAM_NAME}
fi
`,
  fish: `function __code_intel
  set -l words (commandline -opc)
  set -l typed (commandline -ct)
  set -l found (${ASK} -- $words[2..-1] "$typed" 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path "$typed"
  end
end
complete -c ${PROGRAM_NAME} -f -k -a '(__code_intel)'
`,
  // Older versions drop an empty argument, so that a new word is said by an option.
  powershell: `Register-ArgumentCompleter -Native -CommandName ${PROGRAM_NAME} -ScriptBlock {
  param($typed, $line, $cursor)
  $words = @($line.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.StartOffset -lt $cursor } | ForEach-Object { "$_" })
  $next = @(if ($typed -eq '') { '--next' })
  ${ASK} @next '--' @words 2>$null | ForEach-Object {
    $word, $about = $_ -split "\\t", 2
    if (-not $about) { $about = $word }
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $about)
  }
}
`,
};

/** The script of a shell. */
export function toShellScript(shell: Shell): string {
  return SCRIPTS[shell];
}
