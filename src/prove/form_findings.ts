/** Reads the changed files of a diff for forms that prove nothing, and for what decides about tests beside them. */
import type { TreePath } from "../base/paths.ts";
import { findTestsAt } from "../evidence/tests/read_tests.ts";
import { maySteer } from "../evidence/tests/runner_settings.ts";
import type { VerifyCommand } from "../evidence/runs/verify_commands.ts";
import type { LineChanges } from "../git/trees/changed_lines.ts";
import { languageOfPath } from "../language/languages.ts";
import { isTestSide, parseTestName } from "../language/test_names.ts";
import type { Change, ChangePlace } from "./change.ts";
import type { FormFinding, ReadSource, ReadTest } from "./test_forms.ts";
import { findForms } from "./test_forms.ts";

/** Most changed files that are read (guessed). */
const MOST_FILES = 100;
const EITHER =
  "Either it or the code may be wrong: find out which, and say how you know. Put it back where it was right.";
/** What takes the place of a method that asserts. */
const REPLACES =
  /(?:\bsetattr\(\s*(?:unittest|\w*TestCase)\b.*\bassert|\b(?:\w*TestCase|unittest|assert|expect|chai|jest|pytest|Assert(?:ions)?)\.(?:prototype\.|TestCase\.)?(?:assert\w*|strictEqual|equal|deep\w*|ok|raises|fail|throws|to[A-Z]\w*)\s*=(?!=))/;
/** Files that a runtime loads by itself. */
const LOADED = /(?:^|\/)(?:(?:site|user)customize\.py|[^/]+\.pth)$/;

/** What the changed files show. */
export async function findFormsOf(
  { trees, paths }: Pick<ChangePlace, "trees" | "paths">,
  { base, tree, files }: Pick<Change, "base" | "tree" | "files">,
  commands: readonly Pick<VerifyCommand, "run">[],
): Promise<readonly FormFinding[]> {
  const read = files.slice(0, MOST_FILES);
  const lines = await trees.changedLines(base, tree, read.map(({ path }) => path));
  const tests: ReadTest[] = [];
  const sources: ReadSource[] = [];
  const texts = new Map<string, string>();
  const found: FormFinding[] = [];
  const isCodeGone = files.some(({ path, kind }) => kind === "deleted" && !isTestSide(path));
  for (const [path, change] of lines) {
    const name = paths.toProject(path);
    const text = change.isBinary || change.change.kind === "deleted"
      ? ""
      : await trees.readText(tree, path) ?? "";
    const added = listAdded(text, change);
    found.push(...findBeside(name, added.map((one) => one.text).join("\n"), change, commands));
    const isGone = change.change.kind === "deleted" && !isCodeGone &&
      parseTestName(path) !== null && languageOfPath(path)?.nature === "code";
    if (isGone) found.push({ place: name, what: "a file of tests is gone", settle: EITHER });
    if (isTestData(path) && await isOtherData(trees, { base, path, change, added })) {
      found.push({ place: name, what: "test data was changed", settle: EITHER });
    }
    if (languageOfPath(path)?.nature !== "code") continue;
    if (change.isBinary) {
      const what = "git takes it for data, so that nobody sees its lines";
      found.push({ place: name, what, settle: "Take out the bytes that no text has." });
    }
    if (parseTestName(path) === null) {
      if (!isTestSide(path)) sources.push({ path: name, added });
      continue;
    }
    texts.set(name, text);
    const rows = text.split("\n");
    for (const { name: title, first, last } of await findTestsAt(path, text, change.ranges)) {
      const place = `${name}: ${title ?? `line ${first}`}`;
      tests.push({
        place,
        path: name,
        name: title ?? "",
        text: rows.slice(first - 1, last).join("\n"),
      });
    }
  }
  return [...found, ...findForms({ tests, sources, texts })];
}

function listAdded(text: string, { ranges }: LineChanges): ReadSource["added"] {
  const rows = text.split("\n");
  return ranges.flatMap(({ start, end }) =>
    rows.slice(start - 1, end).map((text, at) => ({ line: start + at, text }))
  );
}

/** What decides about the tests without being one: a plugin, a replaced assertion, the script of a command. */
function findBeside(
  path: string,
  added: string,
  { change: { kind } }: LineChanges,
  commands: readonly Pick<VerifyCommand, "run">[],
): readonly FormFinding[] {
  const replaced = REPLACES.exec(added)?.[0];
  const isScript = kind !== "added" && parseTestName(path) === null &&
    commands.some(({ run }) => isStarted(run, path));
  return [
    ...(replaced === undefined
      ? []
      : [{ place: path, what: `an assertion is replaced: ${replaced.trim()}`, settle: EITHER }]),
    ...(LOADED.test(path) && kind !== "deleted"
      ? [{ place: path, what: "is loaded into each run before its tests", settle: EITHER }]
      : []),
    ...(isScript
      ? [{ place: path, what: "the script that runs the tests was changed", settle: EITHER }]
      : []),
  ];
}

/** Programs that run the file that they are given. */
const INTERPRETER =
  /(?:^|\/)(?:(?:ba|da|z|k)?sh|env|node|deno|run|bun|tsx|python[\d.]*|ruby|perl|php)$/;

/** Whether a command starts a file: by itself, or by an interpreter. What others are given is what they look at. */
function isStarted(run: readonly string[], path: string): boolean {
  const at = run.findIndex((word) => word.replace(/^\.\//, "") === path);
  return at >= 0 &&
    run.slice(0, at).every((word) => word.startsWith("-") || INTERPRETER.test(word));
}

/** Whether a file holds what tests take or expect, and is neither code nor a known snapshot or setting. */
function isTestData(path: TreePath): boolean {
  const nature = languageOfPath(path)?.nature;
  return isTestSide(path) && nature !== "code" && nature !== "prose" && !maySteer(path);
}

/** Whether data that was there is different or gone; more data beside it changes nothing. */
async function isOtherData(
  trees: ChangePlace["trees"],
  { base, path, change: { change, isBinary, hunks }, added }: {
    readonly base: string;
    readonly path: TreePath;
    readonly change: LineChanges;
    readonly added: ReadSource["added"];
  },
): Promise<boolean> {
  if (change.kind === "added") return false;
  if (isBinary || change.kind === "deleted") return true;
  const old = (await trees.readText(base, change.from ?? path) ?? "").split("\n");
  const now = new Set(added.map(({ text }) => text.trim().replace(/,$/, "")));
  return hunks.some(({ oldStart, oldCount }) =>
    old.slice(oldStart - 1, oldStart - 1 + oldCount).some((line) =>
      !now.has(line.trim().replace(/,$/, ""))
    )
  );
}
