/**
 * What can stand at the end of a command line, from the table of commands: their names, options and values, and what their
 * usage names that can be looked up. Shells ask it word by word, by scripts that are made here.
 */
import { PROGRAM_NAME } from "../../base/version.ts";
import type { Command, CommandEntry, OptionRow } from "../command.ts";
import { COMMON_OPTIONS } from "../command.ts";
import { findCommand } from "../commands.ts";

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
export function findShellScript(shell: Shell): string {
  return SCRIPTS[shell];
}

/** One word that could stand there. */
export interface WordCandidate {
  readonly word: string;
  /** What it means, for shells that show it. */
  readonly about?: string;
}

/** Looks up names of the program and of the project. */
export interface CompletionNames extends ProjectNames {
  readonly commands: readonly CommandEntry[];
}

/** Looks up names of the project. */
export interface ProjectNames {
  /** Names that the index has and that begin so; none where no index was built. */
  symbols(prefix: string): Promise<readonly WordCandidate[]>;
  /** Sessions on record, the newest first. */
  sessions(): Promise<readonly WordCandidate[]>;
}

/**
 * Completes a command line.
 *
 * @param words the words behind the program's name; the last one is being typed and may be empty.
 * @returns candidates that begin with it; none where the shell should offer files.
 */
export async function complete(
  words: readonly string[],
  names: CompletionNames,
): Promise<readonly WordCandidate[]> {
  const typed = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const found = findCommand(before, names.commands);
  const isBegun = ({ word }: WordCandidate) => typed === "=" || word.startsWith(typed);
  // `session` alone is no command, and `attest` is one with another below it.
  const below = listNextWords(before, names.commands).filter(isBegun);
  if (found === null) return below;
  const command = await found.entry.load();
  const rest = await completeCommand(command, { before: found.rest, typed }, names);
  return [...found.rest.length === 0 ? below : [], ...rest.filter(isBegun)];
}

/** The next words of the names of commands that begin with the given words. */
function listNextWords(
  before: readonly string[],
  commands: readonly CommandEntry[],
): readonly WordCandidate[] {
  const found = new Map<string, WordCandidate>();
  for (const { name, summary } of commands) {
    const parts = name.split(" ");
    const word = parts[before.length];
    const isBelow = before.every((given, at) => given === parts[at]);
    if (word === undefined || !isBelow || found.has(word)) continue;
    const isWhole = parts.length === before.length + 1;
    found.set(word, isWhole ? { word, about: summary } : { word });
  }
  return [...found.values()];
}

interface Line {
  /** The words behind the name of the command. */
  readonly before: readonly string[];
  readonly typed: string;
}

async function completeCommand(
  command: Command,
  { before, typed }: Line,
  names: CompletionNames,
): Promise<readonly WordCandidate[]> {
  const rows = [...command.options, ...COMMON_OPTIONS];
  if (!before.includes("--")) {
    // Some shells take the equals sign for a word of its own.
    const [last = "", sign] = typed === "="
      ? [before.at(-1), "="]
      : before.at(-1) === "="
      ? [before.at(-2), "="]
      : [before.at(-1)];
    const asked = rows.find((row) => last === `--${row.name}` && row.kind !== "flag");
    if (asked !== undefined && (asked.fallback === undefined || sign !== undefined)) {
      return await listValues(asked, names, typed === "=" ? "" : typed);
    }
    const [, named, value] = /^--([^=]+)=(.*)$/.exec(typed) ?? [];
    const inline = rows.find(({ name, kind }) => name === named && kind !== "flag");
    if (inline !== undefined) {
      const values = await listValues(inline, names, value ?? "");
      return values.map(({ word, ...rest }) => ({ word: `--${named}=${word}`, ...rest }));
    }
    if (typed.startsWith("-")) {
      const given = new Set(before);
      return rows.filter(({ name, kind }) => kind === "list" || !given.has(`--${name}`))
        .map(({ name, summary }) => ({ word: `--${name}`, about: summary }));
    }
  }
  const place = countPositionals(before, rows);
  const usage = command.usage.split(" ").filter((part) => part !== "");
  const part = usage[place] ?? (usage.at(-1)?.includes("...") === true ? usage.at(-1) : undefined);
  if (part === undefined) return [];
  const alternatives = part.replaceAll(/[[\].]/g, "").split("|");
  return (await Promise.all(alternatives.map((one) => listMeant(one, names, typed)))).flat();
}

function countPositionals(before: readonly string[], rows: readonly OptionRow[]): number {
  let count = 0;
  for (let at = 0; at < before.length; at++) {
    const word = before[at] ?? "";
    if (word === "--") return count + before.length - at - 1;
    if (!word.startsWith("-")) count++;
    const row = rows.find(({ name }) => word === `--${name}`);
    const takesNext = row !== undefined && row.kind !== "flag" && row.fallback === undefined;
    if (takesNext) at += before[at + 1] === "=" ? 2 : 1;
  }
  return count;
}

async function listValues(
  row: OptionRow,
  names: CompletionNames,
  typed: string,
): Promise<readonly WordCandidate[]> {
  if (row.values !== undefined) return row.values.map((word) => ({ word }));
  return await listMeant(row.value ?? "", names, typed);
}

/** What a word of a usage line stands for; a word in small letters stands for itself. */
async function listMeant(
  meant: string,
  names: CompletionNames,
  typed: string,
): Promise<readonly WordCandidate[]> {
  switch (meant) {
    case "SYMBOL":
      return typed === "" ? [] : await names.symbols(typed);
    case "SESSION":
      return await names.sessions();
    case "COMMAND":
      return listNextWords([], names.commands);
    case "SHELL":
      return SHELLS.map((word) => ({ word }));
  }
  return /^[a-z]+$/.test(meant) ? [{ word: meant }] : [];
}
