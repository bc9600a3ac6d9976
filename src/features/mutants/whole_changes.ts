/** Finds versions in which a whole part counts for nothing: a branch, an operand, a function, what is done to an argument. Pure. */
import type { SyntaxNode } from "../../syntax/tree_sitter.ts";
import { clipLine } from "../../base/text/clip.ts";
import type { Mutant } from "./mutant_rules.ts";

/** A mutant without its file and what stands there. */
export type Part = Omit<Mutant, "path" | "before">;
type Span = Pick<Mutant, "line" | "start" | "end">;

/** What ends the program, as an expression and as a statement, then no and yes, by language. */
const WORDS: readonly (readonly [languages: RegExp, fail: string, no?: string, yes?: string])[] = [
  [/^Python$/, "1 // 0", "False", "True"],
  // A literal would make what follows unreachable for the checks of types.
  [/^(?:JavaScript|TypeScript|TSX)$/, '(() => { throw new Error("met"); })()', "!1", "!0"],
  [/^Go$/, 'func() bool { panic("met") }()'],
  [/^Java$/, '"".equals(Integer.parseInt(""))'],
  [/^C(?:\+\+)?$/, "*(volatile int *)0", "0", "1"],
  [/^Rust$/, 'panic!("met")'],
  [/^PHP$/, "throw new \\Error('met')"],
  [/^Ruby$/, 'raise("met")'],
];
/** A side that may not be read twice. */
const ACTS = /\+\+|--|[^=!<>]=[^=>]|\b(?:await|yield)\b/;
/** What Go does with every error: nobody tests each place. */
const PASSES_ON = /\berr\w* != nil$/i;

/** How a language joins conditions, and what ends a program there; null where nothing is known of it. */
export function findWords(language: string) {
  const found = WORDS.find(([languages]) => languages.test(language));
  if (found === undefined) return null;
  const [, fail, no = "false", yes = "true"] = found;
  const [and, or] = language === "Python" ? ["and", "or"] : ["&&", "||"];
  return { fail, no, yes, and, or };
}

/** A comparison that ends the program where both sides are equal; null where reading a side twice does something. */
export function writeBoundProbe(language: string, parts: readonly string[]): string | null {
  const words = findWords(language);
  const [left = "", operator = "", right = ""] = parts;
  if (words === null || parts.length !== 3 || ACTS.test(parts.join(" "))) return null;
  const { fail, and, or } = words;
  const equal = words.no === "!1" ? "===" : "==";
  return `(${left} ${equal} ${right} ${and} ${fail} ${or} ${left} ${operator} ${right})`;
}

/** A condition that never holds, and one that always does; none where nothing is known of the language. */
export function turnBranch(language: string, condition: string, span: Span): readonly Part[] {
  const words = findWords(language);
  if (words === null) return [];
  const { fail, and, or, no, yes } = words;
  const shown = `\`${clipLine(condition, 60)}\``;
  const join = (by: string, word: string) => `(${condition}) ${by} ${word}`;
  const probe = { ...span, passing: false };
  const never: Part = {
    ...{ ...span, kind: "branch", after: join(and, no), words: `${shown} never true` },
    probe: { ...probe, after: join(and, fail), failing: null },
  };
  const always: Part = {
    ...{ ...span, kind: "condition", after: join(or, yes), words: `${shown} always true` },
    probe: { ...probe, after: join(or, fail), failing: true },
  };
  return PASSES_ON.test(condition) ? [always] : [never, always];
}

/** The versions of `a && b` and `a || b` without one of both. */
export function dropOperands(
  language: string,
  [left, operator, right]: readonly [SyntaxNode, string, SyntaxNode],
): readonly Part[] {
  const words = findWords(language);
  if (words === null) return [];
  const { fail } = words;
  const other = operator === words.and ? words.or : words.and;
  const [a, b] = [`(${left.text})`, `(${right.text})`];
  const [start, end] = [left.startIndex, right.endIndex];
  const drop = (first: SyntaxNode, from: number, to: number, after: string): Part => ({
    ...{ kind: "logical", line: lineOf(first), start: from, end: to, after: "" },
    ...ACTS.test(after) ? {} : { probe: { start, end, after, failing: true, passing: false } },
  });
  // The same sign on the left is a place of its own.
  const isChain = left.children.some((child) => child?.text === operator);
  const first = `((${a} ${other} (${b} ${operator} ${fail})) ${operator} ${b})`;
  return [
    drop(right, left.endIndex, end, `(${a} ${operator} (${b} ${other} ${fail}))`),
    ...isChain ? [] : [drop(left, start, right.startIndex, first)],
  ];
}

function lineOf({ startPosition }: SyntaxNode): number {
  return startPosition.row + 1;
}

/** Blocks that say nothing by themselves: what they belong to does. */
const BLOCK = /^(?:statement_block|block|compound_statement|body_statement|constructor_body)$/;
const OTHERWISE = /else|catch|except|rescue|^when|match_arm|case/;
const CASE = /^(?:switch_case|switch_default|expression_case|default_case)$/;

/** Where statements begin that no condition guards, and what stands round one that is put there. */
interface Entry {
  readonly at: number;
  readonly before: string;
  readonly behind: string;
}

/** The place at the top of a function or of another case; null for other nodes. */
function findEntry(node: SyntaxNode, functions: ReadonlySet<string>): Entry | null {
  const { parent } = node;
  if (CASE.test(node.type)) {
    const first = node.children[node.children.findIndex((child) => child?.type === ":") + 1];
    return first ? { at: first.startIndex, before: "", behind: "; " } : null;
  }
  const first = node.firstNamedChild;
  if (!BLOCK.test(node.type) || !parent || !first || /^(?:super|this)\(/.test(first.text)) {
    return null;
  }
  const isOther = OTHERWISE.test(parent.type) ||
    parent.childForFieldName("alternative")?.id === node.id;
  const isShort = /lambda|closure|literal|arrow|expression/.test(parent.type) &&
    parent.startPosition.row === parent.endPosition.row;
  if (isShort || !(functions.has(parent.type) || isOther)) return null;
  if (node.text.startsWith("{")) return { at: node.startIndex + 1, before: " ", behind: ";" };
  const isOneLine = parent.startPosition.row === first.startPosition.row;
  const isJoined = isOneLine || node.type === "body_statement";
  const behind = isJoined ? "; " : `\n${" ".repeat(first.startPosition.column)}`;
  return { at: first.startIndex, before: "", behind };
}

/** An error at the top of a function or case, and copies of what the function is given. */
export function enterNode(
  language: string,
  node: SyntaxNode,
  { functions, isChanged }: {
    readonly functions: ReadonlySet<string>;
    readonly isChanged: (line: number) => boolean;
  },
): readonly Part[] {
  const fail = findWords(language)?.fail;
  const entry = findEntry(node, functions);
  const line = node.namedChildren.map((child) => child === null ? 0 : lineOf(child)).find(
    isChanged,
  );
  if (fail === undefined || entry === null || line === undefined) return [];
  const { at, before, behind } = entry;
  const span = { line, start: at, end: at };
  const words = "an error there: none reaches it";
  const after = `${before}${fail}${behind}`;
  const holder = node.parent !== null && functions.has(node.parent.type) ? node.parent : null;
  return [
    { ...span, kind: "reach", after, words, isSubtle: true },
    ...holder === null ? [] : copyArguments(language, holder, { entry, span }),
  ];
}

const CHANGES = "sort|reverse|push|pop|shift|unshift|splice|fill|append|extend|insert|add|update|" +
  "setdefault|popitem|remove|discard|clear|delete|set|put|addAll|removeIf|replaceAll";
/** What changes the value of a name, as the name with what follows. */
const CHANGED = new RegExp(
  `(?<![\\w.$])([\\w$]+)((?:\\[[^\\]\\n]*\\]|\\.\\w+)*)(?:\\.(?:${CHANGES})\\(|(?:\\[[^\\]\\n]*\\]|\\.\\w+)\\s*(?:[-+*/|]|\\?\\?|<<)?=(?![=>]))`,
  "g",
);
/** What a name is given that holds nothing of an argument, and names of the object itself. */
const FRESH = "(?:\\[\\]|\\{\\}|new \\w+(?:<.*>)?\\(\\)|(?:set|dict|list)\\(\\))";
const OWN = /^(?:self|this|cls)$/;
/** What is handed to a function that changes it. */
const HANDED = /\b(?:sort|slices|Collections|Arrays)\.\w+\((\w+)\b/g;

/** How a language copies an argument, which is called A there. */
const COPIES: readonly (readonly [languages: RegExp, type: RegExp, copy: string])[] = [
  [/^Python$/, /^/, 'A = __import__("copy").deepcopy(A)'],
  [/^(?:JavaScript|TypeScript|TSX)$/, /^/, "try { A = structuredClone(A); } catch {}"],
  [/^Go$/, /\[\]/, "A = append(A[:0:0], A...)"],
  [/^Java$/, /^List\b/, "A = new java.util.ArrayList<>(A)"],
  [/^Java$/, /\[\]/, "A = A.clone()"],
];
/** What fails where something given is changed after all: above a function, from its argument FROM on, or in it. */
const PYTHON_TRAP =
  '@(lambda f: __import__("functools").wraps(f)(lambda *a, **k: (lambda dump: (lambda old, result: result if dump() == old else 1 // 0)(dump(), f(*a, **k)))(lambda: __import__("pickle").dumps((a[FROM:], k)))))';
const SCRIPT_TRAP =
  "[ALL].flatMap((one) => [one, ...Object.values(one ?? {})]).forEach((one) => Object.freeze(one))";

/** The version in which a function works on copies of its arguments; none where it changes nothing in place. */
function copyArguments(
  language: string,
  node: SyntaxNode,
  { entry: { before, behind }, span }: { readonly entry: Entry; readonly span: Span },
): readonly Part[] {
  const body = node.childForFieldName("body")?.text ?? "";
  const list = node.childForFieldName("parameters") ?? node.childForFieldName("parameter");
  const given = list?.namedChildCount === 0 ? [list] : list?.namedChildren ?? [];
  const copies = new Map(given.flatMap((one) => {
    const { name = "", type = "" } = readParameter(one);
    const copy = COPIES.find((row) => row[0].test(language) && row[1].test(type))?.[2];
    return name === "" || copy === undefined ? [] : [[name, copy.replaceAll(/\bA\b/g, name)]];
  }));
  const isFresh = (name: string) =>
    new RegExp(`\\b${name.replaceAll("$", "\\$")}\\b[^=\\n;]*=\\s*${FRESH}`).test(body);
  const changed = [...body.matchAll(CHANGED), ...body.matchAll(HANDED)].flatMap(([, name = ""]) =>
    OWN.test(name) || isFresh(name) ? [] : [name]
  );
  const isDirect = changed.some((name) => copies.has(name));
  const isPython = language === "Python";
  if (copies.size === 0 || changed.length === 0) return [];
  if (!isDirect && !isPython && findWords(language)?.no !== "!1") return [];
  const join = (texts: Iterable<string>) =>
    [...texts].map((text) => `${before}${text}${behind}`).join("");
  const words = "a copy of its arguments: none looks at what becomes of them";
  const part = { ...span, kind: "argument", after: join(copies.values()), words } as const;
  if (isDirect) return [{ ...part, isSubtle: true }];
  const from = OWN.test(list?.firstNamedChild?.text ?? "") ? "1" : "0";
  const above = `${PYTHON_TRAP.replace("FROM", from)}\n${" ".repeat(node.startPosition.column)}`;
  const at = isPython ? node.startIndex : span.start;
  const after = isPython
    ? above
    : join([SCRIPT_TRAP.replace("ALL", [...copies.keys()].join(", "))]);
  return [{ ...part, probe: { start: at, end: at, after, failing: false, passing: true } }];
}

/** The name of a parameter, with its type; nothing where it has none of its own. */
function readParameter(
  node: SyntaxNode | null,
): { readonly name?: string; readonly type?: string } {
  const [name] = ["name", "pattern", "left"].flatMap((field) =>
    node?.childForFieldName(field) ?? []
  );
  const own = name ?? (node?.type === "typed_parameter" ? node.firstNamedChild : node);
  const isName = /^[\w$]+$/.test(own?.text ?? "") && !OWN.test(own?.text ?? "");
  return isName ? { name: own?.text ?? "", type: node?.childForFieldName("type")?.text ?? "" } : {};
}
