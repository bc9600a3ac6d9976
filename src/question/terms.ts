/** What a question names: quoted text, symbols, paths, and the words that may be in the code. Pure. */

/** The parts of a question that can be looked for. */
export interface QuestionTerms {
  /** Names of symbols as they are written in code, likeliest first. */
  readonly symbols: readonly string[];
  /** Paths of files or folders. */
  readonly paths: readonly string[];
  /** Text between quotes. */
  readonly quoted: readonly string[];
  /** Other words, in their order, without those of every sentence. */
  readonly words: readonly string[];
}

const QUOTED = /`([^`\n]{1,200})`|"([^"\n]{1,200})"|'([^'\n]{2,200})'|「([^」\n]{1,200})」/g;
const ENDINGS =
  "tsx?|jsx?|mjs|cjs|vue|svelte|py|go|rs|rb|java|kts?|php|[ch]|[ch]pp|cc|cs|s?css|html?|md|json|ya?ml|toml|sql|sh|lua|exs?|swift|scala|dart|zig|hs|xml|txt";
const PATH = new RegExp(
  `(?:\\.{0,2}/)?(?:[\\w@.-]+/)+[\\w@.-]*[\\w-]|\\b[\\w.-]+\\.(?:${ENDINGS})\\b`,
  "g",
);
const SYMBOL =
  /(?:[A-Za-z_$][\w$]*(?:::|->|[.#\\]))+[A-Za-z_$][\w$]*(?:\(\))?|[A-Za-z_$][\w$]*\(\)|\b[a-z_$][a-z0-9$]*[A-Z][\w$]*|\b[A-Z][a-z0-9]+(?:[A-Z][\w$]*)+|\b\w+_\w+\b/g;
/** Single letters, as in "e.g", that only look like a name with its holder. */
const ABBREVIATION = /^\w(?:\.\w)+$/;
const WORD = /[\p{L}\p{N}]+/gu;
const STOP = new Set(
  ("the and for with what where which when who why how does did doing done this that these those there here from into onto " +
    "are was were been being have has had can could should would will shall must may might not but its it's our your their " +
    "all any each every some one two use uses used using work works working code file files function functions class " +
    "classes method methods call calls called find show list tell me please about happens happen after before between")
    .split(" "),
);
const MIN_WORD_CHARS = 3;
const MAX_EACH = 8;

/**
 * Takes a question apart.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { readTerms } from "./terms.ts";
 * const { symbols, paths, words } = readTerms("Where does parseConfig read src/app.ts for the login?");
 * deepEqual([symbols, paths, words], [["parseConfig"], ["src/app.ts"], ["read", "login"]]);
 * ```
 */
export function readTerms(question: string): QuestionTerms {
  const quoted = [...question.matchAll(QUOTED)].map((match) =>
    match.slice(1).find((part) => part !== undefined) ?? ""
  );
  const plain = question.replace(QUOTED, " $1$2$3$4 ");
  const paths = [...new Set(plain.match(PATH) ?? [])].filter((path) => !/^\d/.test(path));
  const withoutPaths = paths.reduce((text, path) => text.replaceAll(path, " "), plain);
  const symbols = (withoutPaths.match(SYMBOL) ?? []).map((name) => name.replace(/\(\)$/, ""))
    .filter((name) => !ABBREVIATION.test(name));
  const rest = symbols.reduce((text, name) => text.replaceAll(name, " "), withoutPaths);
  // A single quoted word is a name, whatever it looks like.
  const named = quoted.filter((text) => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(text));
  const words = (rest.match(WORD) ?? []).filter((word) =>
    (word.length >= MIN_WORD_CHARS || /[^\0-\x7f]/.test(word)) && !STOP.has(word.toLowerCase())
  );
  const few = (list: readonly string[]) => [...new Set(list)].slice(0, MAX_EACH);
  return {
    symbols: few([...symbols, ...named]),
    paths: few(paths),
    quoted: few(quoted),
    words: few(words.filter((word) => !named.includes(word))),
  };
}
