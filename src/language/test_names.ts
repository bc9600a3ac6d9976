/** The naming table of tests: which files are tests by their names, and what they test. Pure. */
import { languageOfPath } from "./languages.ts";

/** A test file by its name. */
export interface TestName {
  /** Name of what it tests, without ending and folder; null where only the folder says that it is a test. */
  readonly subject: string | null;
}

interface Shape {
  /** Names of the languages, as in the table of languages. */
  readonly languages: readonly string[];
  /** The name without its endings; the first group that is there names what is tested. */
  readonly names: RegExp;
}

const SCRIPTS = ["JavaScript", "TypeScript", "TSX", "Vue", "Svelte"];

// `UserTests`, `TestUser`, `user_test` are told by capitals and signs: `latest` and `contest` are no tests.
const SHAPES: readonly Shape[] = [
  { languages: SCRIPTS, names: /^(.+)[._-](?:test|spec|cy|e2e)s?$|^test[_-](.+)$/i },
  { languages: ["Python"], names: /^tests?_(.+)$|^(.+)_tests?$|^tests$/ },
  { languages: ["Go", "Dart", "Elixir"], names: /^(.+)_test$/ },
  { languages: ["Rust", "Zig"], names: /^(.+)_tests?$|^tests?$/ },
  { languages: ["Ruby"], names: /^(.+)_(?:spec|test)$|^test_(.+)$/ },
  { languages: ["PHP"], names: /^(.+)(?:TestCase|Test|Spec|Cest)$/ },
  {
    languages: ["Java", "Kotlin", "Scala"],
    names: /^(.+)(?:TestCase|Tests?|Spec|IT|Suite)$|^Test([A-Z].*)$/,
  },
  { languages: ["C#"], names: /^(.+)(?:Tests?|Specs?)$|^Test([A-Z].*)$/ },
  { languages: ["Swift"], names: /^(.+)(?:Tests?|Spec)$/ },
  {
    languages: ["C", "C++"],
    names: /^(.+)(?:[_-](?:unit)?tests?|Tests?)$|^tests?[_-](.+)$|^Test([A-Z].*)$/,
  },
  { languages: ["Lua", "Bash"], names: /^(.+)[_-](?:spec|test)$|^test[_-](.+)$/ },
  { languages: ["Haskell"], names: /^(.+)(?:Spec|Test)$/ },
];

/** Folders whose source files are all tests, or help them; `Shop.Tests` is one of C#. */
const FOLDERS = /^(?:tests?|__tests__|specs?|e2e|[\w.-]*\.(?:Unit|Integration)?Tests?|\w+Tests)$/;

/**
 * Tells by the path alone whether a source file is a test.
 *
 * @param path with `/` between folders.
 * @returns null for any other file, and for files of no known language.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
 * import { toTestName } from "./test_names.ts";
 * deepEqual(toTestName("src/user.test.ts"), { subject: "user" });
 * deepEqual(toTestName("tests/support/server.py"), { subject: null });
 * equal(toTestName("src/latest.py"), null);
 * ```
 */
export function toTestName(path: string): TestName | null {
  const language = languageOfPath(path);
  if (language === undefined || NO_TESTS.has(language.name)) return null;
  const folders = path.split("/");
  const name = folders.pop() ?? "";
  const ending = language.extensions.find((extension) =>
    name.toLowerCase().endsWith(`.${extension}`)
  );
  const stem = ending === undefined ? name : name.slice(0, -ending.length - 1);
  const shape = SHAPES.find(({ languages }) => languages.includes(language.name));
  const match = shape?.names.exec(stem) ?? null;
  if (match !== null) return { subject: match.slice(1).find((group) => group) ?? null };
  return folders.some((folder) => FOLDERS.test(folder)) ? { subject: null } : null;
}

/** Languages of data and text: in a folder of tests they are what tests read. */
const NO_TESTS: ReadonlySet<string> = new Set([
  "CSS",
  "HTML",
  "JSON",
  "Markdown",
  "SCSS",
  "SQL",
  "TOML",
  "YAML",
]);
