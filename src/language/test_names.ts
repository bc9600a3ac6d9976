/** Which files are tests by their names, and what they test, as the rows of the languages say. Pure. */
import { languageOfPath } from "./languages.ts";

/** A test file by its name. */
export interface TestName {
  /** Name of what it tests, without ending and folder; null where only the folder says that it is a test. */
  readonly subject: string | null;
}

/** Folders whose source files are all tests, or help them; `Shop.Tests` is one of C#. */
const FOLDERS = /^(?:tests?|__tests__|specs?|e2e|[\w.-]*\.(?:Unit|Integration)?Tests?|\w+Tests)$/;

/** Folders with what tests read: data, and what they expect. */
const DATA_FOLDERS = /^(?:__snapshots__|__fixtures__|fixtures|testdata)$/;

/** Whether a file is a test, helps tests, or is data that they read. */
export function isTestSide(path: string): boolean {
  const folders = path.split("/").slice(0, -1);
  return parseTestName(path) !== null || /(?:^|\/)conftest\.py$/.test(path) ||
    folders.some((folder) => FOLDERS.test(folder) || DATA_FOLDERS.test(folder));
}

/**
 * Tells by the path alone whether a source file is a test.
 *
 * @param path with `/` between folders.
 * @returns null for any other file, and for files of no known language.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
 * import { parseTestName } from "./test_names.ts";
 * deepEqual(parseTestName("src/user.test.ts"), { subject: "user" });
 * deepEqual(parseTestName("tests/support/server.py"), { subject: null });
 * equal(parseTestName("src/latest.py"), null);
 * ```
 */
export function parseTestName(path: string): TestName | null {
  const language = languageOfPath(path);
  // Data and text are what the tests of a folder read.
  if (language === undefined || language.tests === undefined && language.nature !== "code") {
    return null;
  }
  const folders = path.split("/");
  const name = folders.pop() ?? "";
  const ending = language.extensions.find((extension) =>
    name.toLowerCase().endsWith(`.${extension}`)
  );
  const stem = ending === undefined ? name : name.slice(0, -ending.length - 1);
  const match = language.tests?.names.exec(stem) ?? null;
  if (match !== null) return { subject: match.slice(1).find((group) => group) ?? null };
  return folders.some((folder) => FOLDERS.test(folder)) ? { subject: null } : null;
}
