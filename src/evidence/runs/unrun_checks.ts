/**
 * Finds checks that a project configures, or that rules of its documents ask for, and that none of its verification
 * commands runs. Pure.
 */
import { escapePattern } from "../../base/text/plain_text.ts";
import { RUNNERS } from "../../runners/runners.ts";

/** A rule as the agent words it, with the line of the document that it cites. */
export interface RuleText {
  readonly rule: string;
  /** Such as `CONTRIBUTING.md:12`. */
  readonly source: string;
  /** The cited line; empty where it cannot be read. */
  readonly line: string;
}

/** What a rule asks for, and no command runs. */
export interface UnrunRule {
  readonly source: string;
  /** A command or a flag, such as `golangci-lint run` or `-race`. */
  readonly asks: string;
}

/** Programs that check code, with the words behind them that say which check is meant. */
const COMMANDS: readonly RegExp[] = [
  /\b(?:go|cargo|dotnet|swift|deno|mix|flutter|dart|zig) (?:test|vet|fmt|clippy|lint|check|analyze|format|credo|dialyzer)\b/g,
  /\b(?:npm|pnpm|yarn|bun|composer) (?:run )?(?:test|lint|check|typecheck|type-check|format)(?::[\w-]+)?/g,
  new RegExp(
    `\\b(?:${
      RUNNERS.flatMap(({ name, isPlainName }) => isPlainName ? name : []).join("|")
    }|mypy|pyright|ruff|flake8|pylint|eslint|biome|tsc|stylelint|golangci-lint|staticcheck|gofmt|gofumpt|rubocop|phpstan|psalm|clang-tidy|clang-format|shellcheck|pre-commit|ktlint|detekt|swiftlint|checkstyle|spotless)\\b`,
    "g",
  ),
];
/** Programs that are words of the language too, or whose words say what is run: only where they are written as code. */
const AS_CODE =
  /`\$? ?((?:make|just|task|rake|nox|tox|hatch|bundle exec|npx|poetry|uvx?|\.?\/?gradlew?|\.?\/?mvnw?) [^`]+)`/g;
const FLAG = /(?<![\w-])--?[a-zA-Z][\w-]+/g;
/** A flag without a program is asked of a check only where it stands so: "run the tests with -race". */
const RUN_WITH =
  /\b(?:run|runs|running|pass|passes|executed?)\b.*\b(?:with|using|under)\b[^-]{0,20}(?<![\w-])--?[a-zA-Z]/i;
/** Kinds of checks that a rule may demand without a command, with the words of commands that are such checks. */
const KINDS: readonly (readonly [demanded: RegExp, asks: string, ran: RegExp])[] = [
  [
    /\brace[ -](?:condition )?(?:detect|test|check)\w*/i,
    "the race detector",
    /(?<!\w)-{1,2}race\b|\btsan\b|thread[-_ ]?sanitiz/i,
  ],
  [
    /\blint(?:er|ers|ing|ed)?\b/i,
    "a linter",
    /lint|\b(?:ruff|flake8|clippy|rubocop|biome|credo|vet|staticcheck|detekt|checkstyle|phpcs|pre-commit|check|spotless)\b/i,
  ],
  [
    /\btype[- ]?check(?:s|ed|er|ing)?\b/i,
    "a type checker",
    /type-?check|\b(?:mypy|pyright|tsc|check|build|phpstan|psalm|sorbet|steep|dialyzer)\b/i,
  ],
  [/\bfuzz(?:ing|ed)?\b/i, "a fuzz test", /fuzz/i],
];
/** A sentence that demands something. */
const DEMANDS =
  /\b(?:must|required?|requires|mandatory|always|has to|have to|needs? to|should|shall)\b/i;
/** A sentence in which something is to be run. */
const ASKS =
  /\b(?:run|runs|running|ran|pass|passes|passing|execute|check|checked|lint|test|tests|tested|format|formatted|verify)\b/i;
/** What is run where a check is spoken of. */
const OF_CHECK =
  /\b(?:tests?|tested|testing|lint(?:er|ing)?|build|builds|compile[sd]?|checks?|ci)\b/i;
const FORBIDS = /\b(?:never|not|don't|do not|avoid|without|no longer|instead)\b/i;

/**
 * The commands and flags that stand in rules and in no command.
 *
 * @param ran The words of all commands and the texts behind them.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { listUnmetRules } from "./unrun_checks.ts";
 * const line = "Run the tests with `-race`, and `golangci-lint run`.";
 * const rules = [{ rule: "race detector", source: "CONTRIBUTING.md:12", line }];
 * deepEqual(listUnmetRules(rules, ["go test ./...", "golangci-lint run"]), [
 *   { source: "CONTRIBUTING.md:12", asks: "-race" },
 * ]);
 * ```
 */
export function listUnmetRules(
  rules: readonly RuleText[],
  ran: readonly string[],
): readonly UnrunRule[] {
  const known = ran.map((text) => text.replaceAll(/\s+/g, " "));
  const found = new Map<string, UnrunRule>();
  for (const { rule, source, line } of rules) {
    const isNamed = [line, rule].some((text) => listAsked(text).length > 0);
    for (const asks of isNamed ? [] : [line, rule].flatMap((text) => listDemanded(text, known))) {
      if (!found.has(asks)) found.set(asks, { source, asks });
    }
    for (const asks of [...new Set([line, rule].flatMap(listAsked))]) {
      if (!known.some((text) => isIn(asks, text)) && !found.has(asks)) {
        found.set(asks, { source, asks });
      }
    }
  }
  return [...found.values()];
}

/** The commands and flags that the sentences of a text ask for. */
function listAsked(text: string): readonly string[] {
  return text.split(/(?<=[.!?;])\s+/).flatMap((sentence) => {
    const words = sentence.replaceAll(/["'()`*,]/g, " ").replaceAll(/\s+/g, " ");
    if (!ASKS.test(words) || FORBIDS.test(words)) return [];
    const written = [...sentence.matchAll(AS_CODE)].map(([, command = ""]) => command.trim());
    const named = COMMANDS.flatMap((pattern) => words.match(pattern) ?? [])
      .filter((command) => !written.some((one) => one.includes(command)));
    const commands = [...written, ...named];
    const flags = named.length > 0 || OF_CHECK.test(words) && RUN_WITH.test(words)
      ? words.match(FLAG) ?? []
      : [];
    return [...commands, ...flags];
  });
}

/** The kinds of checks that a text demands and that none of the commands is. */
function listDemanded(text: string, ran: readonly string[]): readonly string[] {
  const sentences = text.split(/(?<=[.!?;])\s+/)
    .filter((sentence) => DEMANDS.test(sentence) && !FORBIDS.test(sentence));
  return KINDS.filter(([demanded, , done]) =>
    sentences.some((sentence) => demanded.test(sentence)) && !ran.some((one) => done.test(one))
  ).map(([, asks]) => asks);
}

/** Whether the words stand in a text, whatever stands between a program and the word behind it. */
function isIn(asks: string, text: string): boolean {
  const escaped = asks.split(" ").map(escapePattern);
  return new RegExp(`(?<![\\w-])${escaped.join(" (?:\\S+ )*?")}(?![\\w-])`).test(text);
}

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
    files:
      "eslint.config.js eslint.config.mjs eslint.config.ts .eslintrc.json .eslintrc.js .eslintrc.cjs .eslintrc.yml"
        .split(" "),
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
