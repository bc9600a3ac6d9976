/** Whether a text names a test: by its file, by its title, or as a runner writes it. Pure. */
import { escapePattern } from "../../base/text/plain_text.ts";
import { normaliseText } from "../../base/text/shared_words.ts";

/** So many words in a row are no accident; a shorter title has to be marked as a name. */
const TITLE_WORDS = 3;
/** Names of code, which no prose has by accident: `test_in`, `testIn`, `test2`. */
const COMPOUND = /^\S*(?:\w_\w|\p{Ll}\p{Lu}|\p{L}\d)\S*$/u;
/** Files that say by their name that they hold tests: `login_test`, `LoginTest`, `login.spec`; not `test` alone. */
const TEST_FILE = /^(?=.*(?:test|spec|IT$))\S*(?:[_.-]|\p{Ll}\p{Lu})\S*$/iu;
/** What stands before a title that is named: quotes, or the scope in which runners put it. */
const MARKED = String.raw`(?:["'\u0060“‘«]|[>›]\s*|::|[\w)\]][#./])`;

/**
 * Whether a text names the test: `tests/test_auth.py::TestLogin::test_in[1-a]`, `TestLogin/empty_name`, `LoginTest#in`,
 * `auth::tests::in`, `login form shows 3 fields`, or the file of the test.
 *
 * @param test its file, or `path: title`.
 */
export function namesTest(text: string, test: string): boolean {
  const [path = "", title = ""] = test.split(/: (.*)/s);
  const file = path.slice(path.lastIndexOf("/") + 1);
  const stem = file.replace(/\.\w+$/, "");
  const files = TEST_FILE.test(stem) ? [file, stem] : [file];
  return files.some((name) => name !== "" && compileName(name).test(text)) ||
    title.trim() !== "" && namesTitle(text, title.trim());
}

function namesTitle(text: string, title: string): boolean {
  if (COMPOUND.test(title)) return compileName(title).test(text);
  const words = normaliseText(title);
  if (words.split(" ").length >= TITLE_WORDS) {
    return compileTitle(title).test(text) || ` ${normaliseText(text)} `.includes(` ${words} `);
  }
  const spaced = title.split(/[\s_]+/).map(escapePattern).join("[\\s_]+");
  return new RegExp(`${MARKED}${spaced}(?![\\p{L}\\p{N}])`, "iu").test(text);
}

/** A name as a whole word, in any case. */
function compileName(name: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escapePattern(name)}(?![\\p{L}\\p{N}_])`, "iu");
}

/** A title as a pattern. It may have places that each run fills: `adds %i and %i`, `adds ${a}`, `adds $a`. */
export function compileTitle(title: string, end = "(?:$|[^\\w])"): RegExp {
  const parts = title.split(/%[a-zA-Z#%]|\$\{[^}]*\}|\$\w+|\{\w*\}/).map(escapePattern);
  return new RegExp(`(?:^|[^\\w])${parts.join(".*")}${end}`);
}
