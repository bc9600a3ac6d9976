/**
 * Finds the files that a command line of a shell showed: those that its commands name, and those that the output names before
 * its lines. Whether the lines are theirs is judged by who has the files. Pure.
 */
import type { ShownText } from "../base/text/read_lines.ts";
import type { ShellContext } from "./shell_commands.ts";
import { choosePathRules, parseCommands } from "./shell_commands.ts";

/** Most files of one command line, and most lines of an output that are looked at (guessed). */
const MOST_FILES = 60;
const MOST_LINES = 5_000;
const LINE_CHARS = 2_000;

/** Commands that show nothing of the files that they name. */
const SILENT: readonly string[] = [
  "cd",
  "pushd",
  "rm",
  "mv",
  "cp",
  "mkdir",
  "touch",
  "chmod",
  "ls",
  "(",
];

/** The files that a command line may have shown by its output, each once for each way in which it is named. */
export function listShellReads(
  line: string,
  texts: readonly string[],
  place: ShellContext,
): readonly ShownText[] {
  const { resolve } = choosePathRules(place.root);
  const output = texts.flatMap((text) => text.split("\n")).slice(0, MOST_LINES)
    .map((text) => text.replace(/\r$/, "").slice(0, LINE_CHARS));
  if (output.length === 0) return [];
  const commands = parseCommands(line, place).filter(({ name }) => !SILENT.includes(name));
  const named = commands.flatMap(({ args, folder }) =>
    args.flatMap(readFileWord).map((path) => ({ path: resolve(folder, path), lines: output }))
  );
  const folders = [...new Set(commands.map(({ folder }) => folder))];
  const found = [...groupLines(output)].flatMap(([path, lines]) =>
    folders.map((folder) => ({ path: resolve(folder, path), lines }))
  );
  return [...named, ...found].slice(0, MOST_FILES);
}

/** The file that a word of a command names: itself, or what stands behind a revision (`HEAD:src/a.ts`). */
function readFileWord(word: string): readonly string[] {
  if (word.startsWith("-") || !/[\w]/.test(word) || word.length > 1_000) return [];
  const [, behind] = /^[^\s:/\\]{1,80}:(?!\\|\/)(\S+)$/.exec(word) ?? [];
  return behind === undefined ? [word] : [word, behind];
}

/** A line of a search, with or without its number: `src/a.ts:3:text`, `src/a.ts-4-text`, `src/a.ts:text`. */
const FOUND = /^(?:\.\/)?([^\s:]{1,300}?)(?::(?:\d{1,7}:){0,2}|-\d{1,7}-)(.*)$/;
/** A name before the lines of a file: of a diff, of `head` with several files, of a search with headings. */
const HEADING =
  /^(?:\+\+\+ (?:b\/)?(\S.{0,300}?)|==> (.{1,300}) <==|([\w@./-]{1,300}\.\w{1,12}))\t?$/;

/** The lines of an output by the file that it names before them. */
function groupLines(output: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  const add = (path: string, text: string) => {
    const lines = groups.get(path) ?? [];
    if (lines.length === 0) groups.set(path, lines);
    lines.push(text);
  };
  let heading: string | null = null;
  for (const line of output) {
    const [, diff, head, alone] = HEADING.exec(line.trim()) ?? [];
    const named = diff ?? head ?? alone;
    if (named !== undefined) heading = named;
    else if (heading !== null) add(heading, diffLess(line));
    const [, path, text] = FOUND.exec(line) ?? [];
    if (path !== undefined && text !== undefined && /[./]/.test(path)) add(path, text);
  }
  return groups;
}

/** A line of a diff without its sign. */
function diffLess(line: string): string {
  return /^[+-]/.test(line) ? line.slice(1) : line;
}
