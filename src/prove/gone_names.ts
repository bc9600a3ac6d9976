/** Finds files outside of a diff that still call a function which the diff takes away. No test may run them. */
import type { TreePath } from "../base/paths.ts";
import type { FunctionNames } from "../evidence/tests/moved_tests.ts";
import { languageOfPath } from "../language/languages.ts";
import { isTestSide } from "../language/test_names.ts";
import type { Change, ChangePlace } from "./change.ts";
import { listFunctionNames } from "./hollow_version.ts";
import type { FormFinding } from "./test_forms.ts";

/** Most changed sources, names that are gone, and files that may call one of them (guessed). */
const MOST = { files: 50, names: 20, callers: 20 };
/** Names that objects of the languages themselves have: a call says nothing of whose it is. */
const COMMON =
  /^(?:get|set|has|add|delete|remove|push|pop|shift|map|filter|find|forEach|reduce|join|split|slice|concat|replace|keys|values|items|entries|append|extend|insert|update|copy|clear|index|indexOf|count|size|length|sort|reverse|format|strip|trim|read|write|open|close|next|then|catch|call|apply|bind|equals|compareTo|hashCode|toString|String|Error|Close|Read|Write|Len|run|start|stop|init|main|test)$/;

/** The functions of changed sources, with the file of each that is gone. */
export interface ChangedNames extends FunctionNames {
  readonly files: ReadonlyMap<string, string>;
}

/** Reads them. */
export async function readChangedNames(
  { trees }: Pick<ChangePlace, "trees">,
  { base, tree, files }: Pick<Change, "base" | "tree" | "files">,
): Promise<ChangedNames> {
  const gone = new Map<string, string>();
  const there = new Set<string>();
  const known = new Set<string>();
  const grown = new Set<string>();
  for (const { path, from, kind } of files.slice(0, MOST.files)) {
    if (languageOfPath(path)?.nature !== "code" || isTestSide(path)) continue;
    const before = kind === "added" ? null : await trees.readText(base, from ?? path);
    const after = kind === "deleted" ? null : await trees.readText(tree, path);
    const [old, now] = [
      await listFunctionNames(path, before),
      await listFunctionNames(path, after),
    ];
    for (const name of now) there.add(name);
    for (const name of old) {
      known.add(name);
      if (!isGiven(name, after ?? "")) gone.set(name, path);
    }
    if (now.some((name) => !old.includes(name))) grown.add(path);
  }
  const left = new Map([...gone].filter(([name]) => !there.has(name)));
  return {
    files: left,
    gone: [...left.keys()],
    deleted: [...left].flatMap(([name, path]) => grown.has(path) ? [] : [name]),
    fresh: [...there].filter((name) => !known.has(name)),
    there,
  };
}

/** The calls that are left behind. */
export async function findGoneNames(
  { trees, paths, repo }: ChangePlace,
  { tree, files }: Pick<Change, "tree" | "files">,
  gone: ChangedNames,
): Promise<readonly FormFinding[]> {
  const changed = new Set<string>(files.map(({ path }) => path));
  const names = [...gone.files].filter(([name]) => !COMMON.test(name));
  const found: FormFinding[] = [];
  for (const [name, path] of names.slice(0, MOST.names)) {
    const listed = await repo.git.lineOrNull(["grep", "-l", "-w", "-F", "-e", name, tree]) ?? "";
    const callers = listed.split("\n").map((line) => line.slice(tree.length + 1) as TreePath)
      .filter((caller) => !changed.has(caller) && isOfFamily(caller, path));
    for (const caller of callers.slice(0, MOST.callers)) {
      const text = await trees.readText(tree, caller) ?? "";
      const line = await findCall(caller, text, name, path);
      if (line === null) continue;
      found.push({
        place: `${paths.toProject(caller)}:${line}`,
        what: `still calls ${name}, which is gone from ${path}`,
        settle: "Change this too, or put the name back.",
      });
    }
  }
  return found;
}

/** Whether a text gives a value this name: `export const NAME = other`, `export { NAME }`. */
function isGiven(name: string, text: string): boolean {
  const word = `(?<![\\w$.])${name.replaceAll(/\W/g, "\\$&")}(?![\\w$])`;
  return new RegExp(`${word}\\s*(?::[^=\\n]*)?:?=(?!=)|\\b(?:export|import)\\b[^;\\n]*${word}`)
    .test(text);
}

function isOfFamily(one: string, other: string): boolean {
  const [own, wanted] = [languageOfPath(one), languageOfPath(other)];
  return own?.nature === "code" && own.family === wanted?.family;
}

/** The line of a call in a file that names the changed file or its folder, and has no function of this name itself. */
async function findCall(
  caller: string,
  text: string,
  name: string,
  path: string,
): Promise<number | null> {
  const [file = "", folder = ""] = path.split("/").toReversed();
  const stem = file.replace(/\.\w+$/, "");
  const isNamed = [stem, folder].some((word) =>
    word !== "" && new RegExp(`\\b${word.replaceAll(/\W/g, ".")}\\b`).test(text)
  );
  const call = new RegExp(`(?<![\\w$])${name.replaceAll(/\W/g, "\\$&")}\\s*\\(`);
  if (!isNamed || !call.test(text)) return null;
  if ((await listFunctionNames(caller, text)).includes(name)) return null;
  return text.split("\n").findIndex((line) => call.test(line)) + 1;
}
