/** Tells tests that moved or were renamed, and those of code that is gone, from tests that are lost. */
import { languageOfPath } from "../../language/languages.ts";
import type { DiffedFile } from "./diffed_file.ts";
import type { TestBlock, TestCode } from "./read_tests.ts";
import { removeComments } from "./read_tests.ts";

/** Names of the functions in changed sources. */
export interface FunctionNames {
  /** Those that are in no changed source any more. */
  readonly gone: readonly string[];
  /** Those of `gone` whose file got no function in exchange. */
  readonly deleted: readonly string[];
  /** Those that came. */
  readonly fresh: readonly string[];
  /** Those that are there. */
  readonly there: ReadonlySet<string>;
}

/** No source was looked at. */
export const NO_NAMES: FunctionNames = { gone: [], deleted: [], fresh: [], there: new Set() };

/** A changed file with the tests of both sides. */
export interface ReadFile {
  readonly file: DiffedFile;
  readonly then: TestCode;
  readonly now: TestCode;
}

/** A test of before that its file has not any more. */
export interface MovedTest {
  readonly path: string;
  readonly block: TestBlock;
  /** `moved`: the same code stands elsewhere or under another name; `left`: all that it calls was deleted. */
  readonly how: "moved" | "left";
}

/** The tests of before that are no loss. */
export function findMovedTests(
  files: readonly ReadFile[],
  names: FunctionNames,
): readonly MovedTest[] {
  const list = (side: "then" | "now") =>
    files.flatMap(({ file, [side]: { tests } }) => {
      const text = side === "then" ? file.before : file.after;
      const code = removeComments(text, languageOfPath(file.path));
      return tests.map((block) => {
        const own = code.slice(block.first - 1, block.last).join("\n");
        return { path: file.path, block, own, form: toForm(own, block.name, names) };
      });
    });
  const [before, after] = [list("then"), list("now")];
  const isSame = (one: (typeof before)[number], other: (typeof after)[number]) =>
    one.path === other.path && one.block.name === other.block.name;
  const come = after.filter((one) => !before.some((old) => isSame(old, one)));
  return before.filter((one) => !after.some((now) => isSame(one, now)))
    .flatMap(({ path, block, own, form }): readonly MovedTest[] => {
      const at = come.findIndex((one) => one.form === form && !one.block.isOff);
      if (at >= 0) {
        come.splice(at, 1);
        return [{ path, block, how: "moved" }];
      }
      const words: readonly string[] = own.match(/[\w$]+/g) ?? [];
      const isLeft = words.some((word) => names.deleted.includes(word)) &&
        !words.some((word) => names.there.has(word));
      return isLeft ? [{ path, block, how: "left" }] : [];
    });
}

/** A side without the tests, so that nothing is asked of them. */
export function leaveOut(code: TestCode, blocks: readonly TestBlock[]): TestCode {
  const isIn = ({ first, last }: Pick<TestBlock, "first" | "last">) =>
    blocks.some((block) => block.first <= first && last <= block.last);
  return {
    parts: code.parts.filter((part) => !isIn(part)),
    tests: code.tests.filter((test) => !isIn(test)),
  };
}

/** The code of a test without blanks, its own name, and the names of functions that are gone or came. */
function toForm(own: string, name: string | null, { gone, fresh }: FunctionNames): string {
  const text = name === null ? own : own.replace(name, "§");
  const others = new Set([...gone, ...fresh]);
  return text.replaceAll(/[\w$]+/g, (word) => others.has(word) ? "§f" : word).replaceAll(/\s/g, "");
}
