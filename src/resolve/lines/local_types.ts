/**
 * Which types a text gives its variables: by a declaration, a parameter, or the call that makes the value.
 * Read line by line with one table of forms a family of languages; what a line does not say stays unknown. Families
 * whose analysis says the types of names (`typed` in `families.ts`) have no forms here. Pure.
 */
import { indentOf } from "../../base/text/position.ts";
import type { Family } from "../../language/families.ts";
import { languageOfPath, toFamily } from "../../language/languages.ts";
import { maskText } from "../../language/mask.ts";
import { DYNAMIC } from "../reference_facts.ts";
import type { LocalType } from "../reference_facts.ts";

/** The lines of a text, 1-based; undefined beyond its ends. */
export type ReadLine = (line: number) => string | undefined;

/** Which declaration is asked about, and where its name is used. */
export interface BlockQuestion {
  readonly name: string;
  /** 1-based line of the declaration. */
  readonly from: number;
  /** 1-based line of the place, after it. */
  readonly to: number;
}

/** A line that can end a block; text in several lines begins anyhow. */
const CLOSER = /^\s*(?:[}\]]|end\b)/;

/**
 * Whether a declaration is out of sight at a later line.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { hasBlockEnded } from "./local_types.ts";
 * const lines = ["it(() => {", "  const app = new A();", "});", "it(() => {", "  app.go();", "});"];
 * const question = { name: "app", from: 2 };
 * const ask = (to: number) => hasBlockEnded((line) => lines[line - 1], { ...question, to });
 * deepEqual([ask(3), ask(5)], [false, true]);
 * ```
 */
export function hasBlockEnded(read: ReadLine, { name, from, to }: BlockQuestion): boolean {
  const declared = read(from);
  if (declared === undefined) return false;
  const own = indentOf(declared);
  // A parameter ends with the block that its own line opens.
  const isParameter = isInBrackets(declared, name);
  for (let at = from + 1; at < to; at++) {
    const line = read(at) ?? "";
    if (!CLOSER.test(line)) continue;
    const indent = indentOf(line);
    if (indent < own || isParameter && indent === own) return true;
  }
  return false;
}

function isInBrackets(line: string, name: string): boolean {
  const at = new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`).exec(line)?.index ?? 0;
  let open = 0;
  for (const char of line.slice(0, at)) open += char === "(" ? 1 : char === ")" ? -1 : 0;
  return open > 0;
}

/** What makes a name mean something, a form each; `NAME` stands for the name. */
const REBINDING: Readonly<Partial<Record<Family, readonly string[]>>> = {
  rust: [
    "\\blet\\b[^=;]*\\bNAME\\b",
    "\\|[^|]*\\bNAME\\b[^|]*\\|",
    "\\bfor\\b[^{]*\\bNAME\\b[^{]*\\bin\\b",
    "\\bNAME\\b[\\s)},]*(?:if\\b.*)?=>",
  ],
};

/** Whether lines `from` to `to` bind the name in more than one of them; false in families that are not read so. */
export function isRebound(
  read: ReadLine,
  { name, from, to, family }: {
    readonly name: string;
    readonly from: number;
    readonly to: number;
    readonly family: Family;
  },
): boolean {
  const forms = REBINDING[family];
  if (forms === undefined) return false;
  const binds = new RegExp(forms.join("|").replaceAll("NAME", RegExp.escape(name)));
  const isParameter = new RegExp(
    `(?<![\\w.])${RegExp.escape(name)}\\s*:|[(,]\\s*${RegExp.escape(name)}\\s*[,)]`,
  );
  let bound = 0;
  for (let at = from; at <= to && bound < 2; at++) {
    const line = read(at) ?? "";
    if (line.length > MAX_LINE_CHARS) continue;
    if (binds.test(line) || at === from && isParameter.test(line)) bound++;
  }
  return bound > 1;
}

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

const CAPITAL = "(?:[\\w$]+(?:\\.|::|\\\\))*[A-Z][\\w$]*";
const CALLED = "[\\w$]+(?:(?:\\.|::|\\\\)[\\w$]+)*";
const COLON: Form = {
  kind: "type",
  pattern: new RegExp(
    `\\b(?<name>[\\w$]+)\\??\\s*:\\s*(?:&(?:mut\\s+)?|readonly\\s+|mut\\s+|Arc<|Box<|Rc<|Optional\\[|type\\[)*"?(?<of>${CAPITAL})`,
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
        if (CAREFUL.has(family) && !isSure(kind, whole, rest)) continue;
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
  const family = toFamily(language?.name ?? null);
  if (language === undefined || family === null) return [];
  // Where what a method gives its object has no declaration, a comment could be taken for one.
  return readLocalTypes(DYNAMIC.has(family) ? maskText(text, language) : text, family);
}

const MAX_LINE_CHARS = 1_000;

/** Families where what is not plain is left open. */
const CAREFUL: ReadonlySet<Family> = new Set(["rust"]);

/** Whether a form has the whole of a type or of a value, and not its beginning. */
function isSure(kind: LocalType["kind"], whole: string, rest: string): boolean {
  if (kind === "call") return isWholeCall(whole.endsWith("(") ? rest : ")");
  return !/^\s*\|(?!\s*None\b)/.test(rest);
}

/** The type that a signature says it answers with, as written; undefined where it says none. */
export function readResultType(signature: string | undefined): string | undefined {
  const tail = /\)\s*(?::|->)?\s*([^()]*)$/.exec(signature ?? "")?.[1] ?? "";
  const inner = /^(?:Promise|Awaitable|Optional|Option|Result|Arc|Box|Rc|Task)[<[]\s*(.+?)[>\],]/
    .exec(tail)?.[1];
  return /(?:[\w$]+(?:\.|::|\\))*[A-Za-z_$][\w$]*/.exec((inner ?? tail).replace(/^[&*"\s]+/, ""))
    ?.[0];
}

/** The type of the parameter `name` in a signature, by the order of words of the family. */
export function readParameterType(
  signature: string | undefined,
  { name, family }: { readonly name: string; readonly family: Family },
): string | undefined {
  const open = `(${(signature ?? "").replace(/^\(/, "")}`;
  const found = readLocalTypes(open, family).find((one) =>
    one.name === name && one.kind === "type"
  );
  return found?.of;
}
