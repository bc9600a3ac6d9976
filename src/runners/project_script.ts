/**
 * The project's own script that starts a runner of tests, narrowed to some test files. Its configuration, its variables
 * and what it builds first belong to the run, and a guessed command has none of them. Pure.
 */
import { parseGlob } from "../base/text/glob.ts";
import { languageOfPath } from "../language/languages.ts";
import { findRunner, isAt, keepRunnable, programOf, trimPath } from "./narrow_run.ts";
import type { FileArguments, Runner, TestTools } from "./runner.ts";
import { fileWords, quotePath, readMembers } from "./runner.ts";
import { isTestCommand, RUNNERS } from "./runners.ts";

/** A command that runs test files, and the files that it runs. */
export interface ScriptRun {
  readonly command: string;
  readonly files: readonly string[];
}

/** A script, read. */
interface TestScript {
  readonly runner: Runner;
  readonly args: FileArguments;
  /** Words that the runner needs before files: `run` of a vitest that would watch. */
  readonly more: readonly string[];
  /** What stands before its last command. */
  readonly lead: string;
  /** The words of that command, as they stand there. */
  readonly words: readonly string[];
  /** Those of them that name files, folders and globs. */
  readonly places: readonly string[];
}

/** Package managers by what they lock packages with. */
const LOCKS = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
] as const;

/** Scripts that do more than run the tests once come last. */
const SPECIAL = /watch|cov|update|debug|bench|\bui\b|\bci\b/;
/** Options with which a run does not end, or changes files. */
const UNENDING = /^(?:-w|-u|--(?:watch(?:All)?|ui|inspect(?:-brk)?|update\w*))$/;
const WRAPPERS = /^(?:nyc|c8)$/;

/** Narrows the script that fits test files best: one that names a place of theirs, then `test`; null where none is clear. */
export function runByScript(files: readonly string[], tools: TestTools): ScriptRun | null {
  const all = listScripts(tools);
  const scripts = all.flatMap((one) => {
    const isNamed = isTestCommand({ name: one.name, run: [] });
    const script = isNamed ? readScript(one.text, files, all) : null;
    return script !== null && speaks(script, files).length > 0 ? [{ ...one, script }] : [];
  });
  const rank = ({ name, script: { places } }: typeof scripts[number]) =>
    (files.some((path) => covers(places, path)) ? 0 : 4) + (SPECIAL.test(name) ? 2 : 0) +
    (name === "test" ? 0 : 1);
  const [best] = scripts.toSorted((a, b) => rank(a) - rank(b));
  if (best === undefined) return null;
  const own = speaks(best.script, files);
  return { command: buildCommand(best, best.script, own), files: own };
}

/** Narrows a command that starts a script by its name, as `npm test` does; null where the script is not clear. */
export function narrowScript(
  run: readonly string[],
  tests: readonly string[],
  tools: TestTools,
): ScriptRun | null {
  const [, name] =
    /^(?:(?:npm|pnpm|yarn|bun)(?: run)?|deno task) ([\w:.-]+)$/.exec(run.join(" ")) ?? [];
  const all = listScripts(tools);
  const one = all.find((one) => one.name === name);
  const script = one === undefined ? null : readScript(one.text, tests, all);
  if (one === undefined || script === null) return null;
  const own = speaks(script, tests).filter((path) => covers(script.places, path));
  const files = keepRunnable(own);
  return { command: buildCommand(one, script, files), files };
}

/** The scripts of the project, each with the words that start it. */
function listScripts({ texts, hasFile }: TestTools) {
  const [, manager = "npm"] = LOCKS.find(([lock]) => hasFile(lock)) ?? [];
  const scripts = Object.entries(readMembers(texts["package.json"], "scripts")).map(
    ([name, text]) => {
      const word = name === "test" && manager !== "bun" ? name : `run ${quotePath(name)}`;
      const start = `${manager} ${word}${manager === "npm" ? " --" : ""}`;
      return { name, text, start, wrap: (text: string) => `npx -c ${quotePath(text)}` };
    },
  );
  const tasks = readMembers(texts["deno.json"] ?? texts["deno.jsonc"], "tasks");
  return [
    ...scripts,
    ...Object.entries(tasks).map(([name, text]) => {
      return { name, text, start: `deno task ${quotePath(name)}`, wrap: (text: string) => text };
    }),
  ];
}

/** Those of the files whose language the runner of a script runs. */
function speaks({ runner }: TestScript, files: readonly string[]): readonly string[] {
  return files.filter((path) => runner.languages.includes(languageOfPath(path)?.name ?? ""));
}

function covers(places: readonly string[], path: string): boolean {
  return places.length === 0 || places.some((word) => {
    const place = trimPath(unquote(word));
    const glob = /[*?{]/.test(place) ? parseGlob(place) : null;
    return glob === null ? isAt([place], path) : glob.kind === "glob" && glob.test(path);
  });
}

function unquote(word: string): string {
  return word.replaceAll(/["']/g, "");
}

/** The command: further words for the script, or where it names places its text with the files in their stead. */
function buildCommand(
  { start, wrap }: ReturnType<typeof listScripts>[number],
  { args: { exactly }, more, lead, words, places }: TestScript,
  files: readonly string[],
): string {
  const named = exactly === undefined
    ? fileWords(files)
    : [exactly, ...files.map(quotePath)].join(" ");
  const [first = ""] = places;
  if (first === "") return [start, ...more, named].join(" ");
  const rest = words.flatMap((word) =>
    word === first ? [named] : places.includes(word) ? [] : [word]
  );
  return wrap(`${lead}${rest.join(" ")}`);
}

/** The last command of a text without pipes, variables and brackets of a shell. */
const LAST_COMMAND = /^(?<lead>.*(?:&&|;)\s*)?(?<last>(?:"[^"$`]*"|'[^']*'|[^"'&;|<>`$()\\\n])+)$/;

/** Reads a script; null where its last command starts no runner that takes files. */
function readScript(
  text: string,
  files: readonly string[],
  scripts: readonly { readonly name: string; readonly text: string }[],
): TestScript | null {
  const { lead = "", last = "" } = LAST_COMMAND.exec(text)?.groups ?? {};
  const [, next] = /^(?:npm|pnpm|yarn)(?: run)? ([\w:.-]+)(?: --)?$/.exec(last.trim()) ?? [];
  const passed = scripts.find(({ name }) => name === next);
  if (passed !== undefined) {
    const inner = readScript(passed.text, files, scripts.filter((one) => one !== passed));
    return inner?.places.length === 0 ? inner : null;
  }
  const words = last.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  const plain = words.map(unquote);
  const found = findStart(plain);
  if (found === null) return null;
  const { args, from } = found;
  const own = plain.slice(from);
  if (own.some((word) => word === "--" || args.refused?.test(word) || UNENDING.test(word))) {
    return null;
  }
  const places = words.slice(from).filter((word, at) => {
    const before = own[at - 1] ?? "";
    // Behind an option that is not known only what leads to one of the files is surely a place.
    const isValue = args.valued.test(before) ||
      before.startsWith("-") && !before.includes("=") && !args.flags?.test(before) &&
        !files.some((path) => covers([word], path));
    return !word.startsWith("-") && !isValue;
  });
  return { ...found, lead, words, places };
}

function findStart(words: readonly string[]) {
  let start = words.findIndex((word) => !/^\w+=/.test(word));
  if (WRAPPERS.test(programOf(words[start] ?? ""))) {
    const isRunner = (word: string) =>
      RUNNERS.some(({ programs }) => programs.includes(programOf(word)));
    start = words.findIndex((word, at) => at > start && isRunner(word));
  }
  if (start < 0) return null;
  const found = findRunner(words.slice(start));
  if (found !== null) return { ...found, from: found.from + start, more: [] };
  const program = programOf(words[start] ?? "");
  const runner = RUNNERS.find(({ onlyTests, programs }) =>
    onlyTests === true && programs.includes(program)
  );
  const { files: args } = runner ?? {};
  return runner === undefined || args?.after === undefined
    ? null
    : { runner, args, from: start + 1, more: words.includes("--run") ? [] : args.after };
}
