/**
 * Which types a text gives its variables: by a declaration, a parameter, or the call that makes the value.
 * Read line by line with one table of forms a family of languages; what a line does not say stays unknown. Families
 * whose analysis says the types of names (`typed` in `families.ts`) have no forms here. Pure.
 */
import type { Family } from "../../language/families.ts";
import { familyOf, languageOfPath } from "../../language/languages.ts";
import { maskText } from "../../language/mask.ts";
import { DYNAMIC } from "../reference_facts.ts";
import type { LocalType } from "../reference_facts.ts";

/**
 * Whether what is called is the whole value: behind `Cat()` stands no `.dog()`. A call that goes on in
 * the next line is taken as it begins.
 *
 * @param rest what stands behind the opening bracket of the call.
 */
export function isWholeCall(rest: string): boolean {
  let open = 1;
  let at = 0;
  for (; at < rest.length && open > 0; at++) {
    const sign = rest[at];
    if (sign === "(") open++;
    else if (sign === ")") open--;
  }
  if (open > 0) return true;
  return /^(?:\?|\.await|\.unwrap\(\)|\.expect\([^)]*\))*\s*(?:$|[;){:#]|\/\/|as\b)/.test(
    rest.slice(at),
  );
}

interface Form {
  readonly kind: LocalType["kind"];
  /** Groups `name` and `of`. */
  readonly pattern: RegExp;
  readonly isField?: true;
}

const CAPITAL = "(?:[\\w$]+(?:\\.|::|\\\\))*_*[A-Z][\\w$]*";
const CALLED = "[\\w$]+(?:(?:\\.|::|\\\\)[\\w$]+)*";
const COLON: Form = {
  kind: "type",
  pattern: new RegExp(
    `\\b(?<name>[\\w$]+)\\??\\s*:\\s*(?:&(?:'\\w+\\s+)?(?:mut\\s+)?|readonly\\s+|mut\\s+|Arc<|Box<|Rc<|Optional\\[|type\\[)*"?(?<of>${CAPITAL})`,
    "gd",
  ),
};
const NEW: Form = {
  kind: "type",
  pattern: new RegExp(
    `(?<name>[\\w$]+)(?:\\s*:[^=;,(){}]*)?\\s*=\\s*(?:await\\s+)?new\\s+(?<of>${CALLED})`,
    "gd",
  ),
};
const MADE: Form = {
  kind: "call",
  pattern: new RegExp(
    `(?<name>[\\w$]+)(?:\\s*:[^=;,(){}]*)?\\s*:?=\\s*(?:await\\s+|try\\s+|&)*(?<of>${CALLED})\\s*(?:<[^>()]*>)?\\(`,
    "gd",
  ),
};
const BEFORE: Form = {
  kind: "type",
  pattern: new RegExp(
    `\\b(?<of>${CAPITAL})(?:<[^;={}()]*>)?(?:\\[\\])?\\??[&*\\s]+(?:const\\s+)?\\$?(?<name>[a-z_]\\w*)\\s*(?=[;=,):{]|$|in\\b)`,
    "gd",
  ),
};

const FORMS: Readonly<Partial<Record<Family, readonly Form[]>>> = {
  rust: [COLON, MADE],
  jvm: [NEW, BEFORE, COLON, MADE],
  c_sharp: [NEW, BEFORE, MADE],
  php: [
    { ...NEW, pattern: /\$(?<name>\w+)\s*=\s*new\s+\\?(?<of>(?!class\b)[\w\\]+)/gd },
    {
      ...NEW,
      pattern: /\$this->(?<name>\w+)\s*(?:\?\?)?=\s*new\s+\\?(?<of>(?!class\b)[\w\\]+)/gd,
      isField: true,
    },
    {
      ...NEW,
      pattern: /\$this->(?<name>\w+)(?<of>)(?=\s*(?:\?\?)?=(?![=>~]))/gd,
      isField: true,
    },
    { ...BEFORE, pattern: /(?<of>\\?[A-Z][\w\\]*)\s+(?:&|\.\.\.)?\$(?<name>\w+)/gd },
    { ...MADE, pattern: /\$(?<name>\w+)\s*=\s*(?<of>[\w\\]+::\w+)\(/gd },
  ],
  // `Foo f(1);` makes a variable.
  c: [NEW, BEFORE, {
    kind: "type",
    pattern: new RegExp(BEFORE.pattern.source.replace("(?=[;", "(?=[(;"), "gd"),
  }, MADE],
  swift: [COLON, MADE],
  dart: [NEW, BEFORE, MADE],
  ruby: [{
    kind: "type",
    pattern: /(?<![\w@])(?<name>\w+)\s*=\s*(?<of>[A-Z][\w:]*)\.new\b/gd,
  }, {
    kind: "type",
    pattern: /(?<name>@{1,2}\w+)\s*(?:\|\|)?=\s*(?<of>[A-Z][\w:]*)\.new\b/gd,
    isField: true,
  }, {
    kind: "type",
    pattern: /(?<name>@{1,2}\w+)(?<of>)(?=(?:\s*,[^=\n]*?)?\s*(?:\|\||&&|[-+*\/])?=(?![=~>]))/gd,
    isField: true,
  }, {
    // What RSpec gives its examples by name.
    kind: "type",
    pattern: /\b(?:let!?|subject!?)\s*\(?\s*:(?<name>\w+)\)?\s*\{\s*(?<of>[A-Z][\w:]*)\.new\b/gd,
  }],
};

const WORDS = new Set(
  "if for while return func function switch catch super new else await".split(" "),
);

/**
 * Every variable whose line says what it is, in order.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { readLocalTypes } from "./local_types.ts";
 * const found = readLocalTypes("var app = new Server();\nvoid f(Store db) {}", "jvm");
 * deepEqual(found.map(({ name, of }) => [name, of]), [["app", "Server"], ["db", "Store"]]);
 * ```
 */
export function readLocalTypes(text: string, family: Family): readonly LocalType[] {
  const forms = FORMS[family];
  if (forms === undefined) return [];
  const found: LocalType[] = [];
  text.split("\n").forEach((line, at) => {
    if (line.length > MAX_LINE_CHARS) return;
    for (const { kind, pattern, isField } of forms) {
      for (const { 0: whole, groups, index, indices } of line.matchAll(pattern)) {
        const { name = "", of = "" } = groups ?? {};
        const rest = line.slice(index + whole.length);
        // In Rust what is called is often not the whole value.
        const isPart = family === "rust" && kind === "call" && whole.endsWith("(") &&
          !isWholeCall(rest);
        if (isPart) continue;
        if (WORDS.has(of) || WORDS.has(name)) continue;
        const column = (indices?.groups?.["name"]?.[0] ?? index) + 1;
        found.push({ name, line: at + 1, column, kind, of, ...(isField ? { isField } : {}) });
      }
    }
  });
  return found;
}

/** The same for the text of a file. */
export function readFileTypes(path: string, text: string): readonly LocalType[] {
  const language = languageOfPath(path);
  const family = familyOf(language?.name ?? null);
  if (language === undefined || family === null) return [];
  // Where what a method gives its object has no declaration, a comment could be taken for one.
  return readLocalTypes(DYNAMIC.has(family) ? maskText(text, language) : text, family);
}

const MAX_LINE_CHARS = 1_000;

/** The type that a signature says it answers with, as written; undefined where it says none. */
export function readResultType(signature: string | undefined): string | undefined {
  const tail = /\)\s*(?::|->)?\s*([^()]*)$/.exec(signature ?? "")?.[1] ?? "";
  const inner = /^(?:Promise|Awaitable|Optional|Option|Result|Arc|Box|Rc|Task)[<[]\s*(.+?)[>\],]/
    .exec(tail)?.[1];
  return /(?:[\w$]+(?:\.|::|\\))*[A-Za-z_$][\w$]*/.exec((inner ?? tail).replace(/^[&*"\s]+/, ""))
    ?.[0];
}
