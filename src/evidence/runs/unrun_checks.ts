/** Finds checks of types and style that a project configures and that none of its verification commands runs. Pure. */

/** A check, the files that configure it, and how it is run. */
interface CheckRow {
  /** The word by which a command or a script calls it. */
  readonly name: string;
  /** Files at the top of the project that only it reads. */
  readonly files: readonly string[];
  /** Its part of a file that others read too. */
  readonly parts?: Readonly<Record<string, RegExp>>;
  readonly run: readonly string[];
}

const CHECKS: readonly CheckRow[] = [
  {
    name: "mypy",
    files: ["mypy.ini", ".mypy.ini"],
    parts: { "pyproject.toml": /^\[tool\.mypy\]/m, "setup.cfg": /^\[mypy\]/m },
    run: ["mypy"],
  },
  {
    name: "pyright",
    files: ["pyrightconfig.json"],
    parts: { "pyproject.toml": /^\[tool\.pyright\]/m },
    run: ["pyright"],
  },
  {
    name: "ruff",
    files: ["ruff.toml", ".ruff.toml"],
    parts: { "pyproject.toml": /^\[tool\.ruff(?:\.lint)?\]/m },
    run: ["ruff", "check", "."],
  },
  {
    name: "flake8",
    files: [".flake8"],
    parts: { "setup.cfg": /^\[flake8\]/m, "tox.ini": /^\[flake8\]/m },
    run: ["flake8"],
  },
  { name: "tsc", files: ["tsconfig.json"], run: ["npx", "tsc", "--noEmit"] },
  {
    name: "eslint",
    files: [
      "eslint.config.js",
      "eslint.config.mjs",
      "eslint.config.ts",
      ".eslintrc.json",
      ".eslintrc.js",
      ".eslintrc.cjs",
      ".eslintrc.yml",
    ],
    run: ["npx", "eslint", "."],
  },
  { name: "biome", files: ["biome.json", "biome.jsonc"], run: ["npx", "biome", "check"] },
  {
    name: "golangci-lint",
    files: [".golangci.yml", ".golangci.yaml", ".golangci.toml"],
    run: ["golangci-lint", "run"],
  },
  { name: "rubocop", files: [".rubocop.yml"], run: ["bundle", "exec", "rubocop"] },
  {
    name: "phpstan",
    files: ["phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon"],
    run: ["vendor/bin/phpstan", "analyse"],
  },
];

/** Files at the top of a project whose presence or text tells of a check. */
export const CHECK_SOURCES: readonly string[] = [
  ...new Set(CHECKS.flatMap(({ files, parts = {} }) => [...files, ...Object.keys(parts)])),
];

/** A configured check that no command runs, with the file that configures it and a command that runs it. */
export interface UnrunCheck {
  readonly name: string;
  readonly by: string;
  readonly run: readonly string[];
}

/**
 * The checks whose name stands in no command, nor in a text behind one.
 *
 * @param texts The texts of {@link CHECK_SOURCES} that the project has, by name.
 * @param ran The words of all commands and the texts behind them.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { listUnrunChecks } from "./unrun_checks.ts";
 * const texts = { "ruff.toml": "", "pyproject.toml": "[tool.mypy]\nstrict = true" };
 * deepEqual(listUnrunChecks(texts, ["pytest -q", "ruff check src"]), [
 *   { name: "mypy", by: "pyproject.toml", run: ["mypy"] },
 * ]);
 * ```
 */
export function listUnrunChecks(
  texts: Readonly<Record<string, string>>,
  ran: readonly string[],
): readonly UnrunCheck[] {
  return CHECKS.flatMap(({ name, files, parts = {}, run }) => {
    const by = [...files, ...Object.keys(parts)].find((file) =>
      texts[file] !== undefined && (files.includes(file) || parts[file]?.test(texts[file]))
    );
    const isWord = new RegExp(`(?:^|[^\\w-])(?:\\w+-)?${name}(?![\\w-])`);
    return by === undefined || ran.some((text) => isWord.test(text)) ? [] : [{ name, by, run }];
  });
}
