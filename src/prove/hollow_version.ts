/** Makes the version of a file in which the functions that are new do nothing. Reads syntax trees and no disk. */
import type { CodeLanguage } from "../evidence/empty/empty_function.ts";
import {
  bodiesOf,
  headerOf,
  roleOf,
  textWithoutComments,
} from "../evidence/empty/empty_function.ts";
import type { HollowRow } from "../language/language_row.ts";
import { languageOfPath } from "../language/languages.ts";
import type { SyntaxNode } from "../syntax/tree_sitter.ts";
import { parseText } from "../syntax/tree_sitter.ts";

/** What new functions give back: the simplest value of their type, another, their first argument, a list or an item of it. */
export const HOLLOW_KINDS = ["value", "other", "argument", "wrapped", "last", "first"] as const;

/** Which functions do nothing: those that the text of before lacks, or those that are different there too. */
export type HollowScope = "new" | "changed";

/** A file whose new functions do nothing. */
export interface HollowVersion {
  readonly text: string;
  /** The functions that do nothing, by their names. */
  readonly names: readonly string[];
}

/** A function with a body. */
interface FoundFunction {
  /** With the class or the receiver that it belongs to. */
  readonly id: string;
  readonly name: string;
  readonly node: SyntaxNode;
  readonly body: SyntaxNode;
  /** Whether another function is round it. */
  readonly isInner: boolean;
}

/** Names of what makes an object or starts the program: without it nothing else can run. */
const KEPT = /^(?:constructor|__\w+__|initialize|new|main|init)$/;
const MOST_DEPTH = 60;

/**
 * The version of a text in which each function of the scope does nothing.
 *
 * @param before null for a new file.
 * @returns null where no function is new, or nothing is known of the language.
 */
export async function makeHollow(
  { path, before, after }: {
    readonly path: string;
    readonly before: string | null;
    readonly after: string;
  },
  kind: typeof HOLLOW_KINDS[number],
  scope: HollowScope = "new",
): Promise<HollowVersion | null> {
  const row = languageOfPath(path);
  const hollow = row?.mutants?.hollow;
  if (row?.bodies === undefined || hollow === undefined) return null;
  const language: CodeLanguage = { ...row, bodies: row.bodies };
  using tree = await parseText(after, row.name);
  if (tree === null) return null;
  const known = await readKnown(before, language);
  const different = listFunctions(tree.root, language)
    .filter(({ id, name, node, isInner }) =>
      !KEPT.test(name) &&
      (scope === "new" ? !known.has(id) : !isInner && known.get(id) !== node.text)
    );
  // What is inside of a function that does nothing does nothing.
  const fresh = different.filter(({ id }) =>
    !different.some((outer) => id.startsWith(`${outer.id}.`))
  );
  const values = fresh.map((found) => ({
    value: chooseValue(found, { hollow, language }),
    other: chooseOther(kind, found, { hollow, language }),
  }));
  if (fresh.length === 0) return null;
  const isSame = values.every(({ value, other = value }) => other === value);
  if (kind !== "value" && isSame) return null;
  const text = fresh.reduceRight((text, found, at) => {
    const { other, value = null } = values[at] ?? {};
    return writeLeave(text, found, { hollow, language, value: other ?? value });
  }, after);
  return { text, names: fresh.map(({ name }) => name) };
}

/** Names of the functions of a text; none where there is none, or where nothing is known of its language. */
export async function listFunctionNames(
  path: string,
  text: string | null,
): Promise<readonly string[]> {
  const row = languageOfPath(path);
  if (row?.bodies === undefined || text === null) return [];
  const tree = await parseText(text, row.name);
  if (tree === null) return [];
  const found = listFunctions(tree.root, { ...row, bodies: row.bodies });
  const names = found.filter(({ isInner }) => !isInner).map(({ name }) => name);
  tree[Symbol.dispose]();
  return names;
}

/** The functions of a text with their own texts; none where there is none. */
async function readKnown(
  text: string | null,
  language: CodeLanguage,
): Promise<ReadonlyMap<string, string>> {
  const tree = text === null ? null : await parseText(text, language.name);
  if (tree === null) return new Map();
  const found = listFunctions(tree.root, language).map(({ id, node }) => [id, node.text] as const);
  tree[Symbol.dispose]();
  return new Map(found);
}

/** The functions with a name, of classes and inside of others too. */
function listFunctions(
  root: SyntaxNode,
  language: CodeLanguage,
  holder = "",
  depth = 0,
): readonly FoundFunction[] {
  if (depth > MOST_DEPTH) return [];
  return root.namedChildren.flatMap((node) => {
    const [body] = bodiesOf(node, language);
    const role = roleOf(node, language);
    if (role === "comment" || role === "neutral") return [];
    if (role !== "function" || body === undefined) {
      const own = role === "class"
        ? `${holder}${node.childForFieldName("name")?.text ?? ""}.`
        : holder;
      return listFunctions(node, language, own, depth + 1);
    }
    const name = readName(node, language);
    const receiver = node.childForFieldName("receiver")?.text ?? "";
    if (name === "" || node.hasError || /constructor/.test(node.type)) return [];
    const id = `${holder}${receiver}${name}`;
    const inner = listFunctions(body, language, `${id}.`, depth + 1)
      .map((one) => ({ ...one, isInner: true }));
    return [{ id, name, node, body, isInner: false }, ...inner];
  });
}

function readName(node: SyntaxNode, language: CodeLanguage): string {
  return (node.childForFieldName("name") ?? node.childForFieldName("key"))?.text ??
    /([\w$]+[?!]?)\s*(?:[(=:]|$)/.exec(headerOf(node, language))?.[1] ?? "";
}

/** What is given back, the simplest value or (`at` 2) another; null for nothing. */
function chooseValue(
  found: FoundFunction,
  { hollow, language, at = 1 }: {
    readonly hollow: HollowRow;
    readonly language: CodeLanguage;
    readonly at?: 1 | 2;
  },
): string | null {
  const type = readType(found, language);
  if (type === null) return null;
  if (language.grammar !== "go" || !type.startsWith("(")) return writeValue(type, hollow, at);
  const types = splitTypes(type.slice(1, -1));
  // Results with names have their zero values already.
  return types.some((one) => /^\w+ /.test(one) && !/^(?:chan|func|map|struct)\b/.test(one))
    ? null
    : types.map((one) => writeValue(one, hollow, at)).join(", ");
}

/** The types of several results. */
function splitTypes(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    const sign = text[at] ?? "";
    if ("([{".includes(sign) && sign !== "") depth++;
    else if (")]}".includes(sign) && sign !== "") depth--;
    else if ((sign === "," && depth === 0) || sign === "") {
      if (text.slice(from, at).trim() !== "") parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  return parts;
}

/** What a kind of version gives back in the place of the simplest value; undefined where it is the same. */
function chooseOther(
  kind: typeof HOLLOW_KINDS[number],
  found: FoundFunction,
  { hollow, language }: { readonly hollow: HollowRow; readonly language: CodeLanguage },
): string | undefined {
  if (kind === "value") return undefined;
  const type = readType(found, language);
  if (type === null) return undefined;
  if (kind === "other") return chooseValue(found, { hollow, language, at: 2 }) ?? undefined;
  const form = kind === "argument" ? "ARG" : hollow.items?.[kind];
  const { name, own } = readArgument(found, hollow.parameter) ?? {};
  if (form === undefined || name === undefined) return undefined;
  const list = own ?? `${type}[]`;
  const isItem = !/^(?:array|boolean|number|object)$/.test(type) && list !== type;
  const isFitting = kind === "argument"
    ? (own ?? type) === type.replaceAll(/\s/g, "")
    : kind === "wrapped"
    ? LIST.test(type)
    : isItem && list.includes(type);
  return isFitting ? form.replaceAll("ARG", () => name).replaceAll("TYPE", type) : undefined;
}

/** Types of which a list of one thing may be. */
const LIST =
  /^(?:unknown|null|array|any)$|^(?:readonly |Readonly)?(?:Array|List|list|Collection|Iterable|Sequence|\[)|\[\]$/;

function writeValue(type: string, { values }: HollowRow, at: 1 | 2 = 1): string {
  const found = values.find(([pattern]) => pattern.test(type));
  const value = found?.[at] ?? found?.[1] ?? "";
  return value.replaceAll("TYPE", type).replaceAll("ITEM", type.replace(/^(?:\*|\[\])/, ""));
}

/** The declared type of the result, or the kind of what the body gives back; null where that is nothing. */
function readType({ node, body }: FoundFunction, language: CodeLanguage): string | null {
  for (const holder of [node, body.parent ?? node]) {
    const { type: kind } = holder;
    const field = ["return_type", "result", "type", "returns"].map((name) =>
      holder.childForFieldName(name)
    ).find((one) => one !== null);
    if (field === undefined || field === null || /declarator|assignment|pair/.test(kind)) continue;
    const stars = /^\**/.exec(holder.childForFieldName("declarator")?.text ?? "")?.[0] ?? "";
    const type = `${field.text.replace(/^\s*(?::|->)\s*/, "").trim()}${stars}`;
    return /^(?:void|Promise<void>|None|Unit)$/.test(type) ? null : type;
  }
  // A result in Go is always declared.
  return language.grammar === "go" ? null : guessType(textWithoutComments(body, language.bodies));
}

/** The kind of value by what the body gives back; null where it gives back nothing. */
function guessType(text: string): string | null {
  // An index says which part is given, not what it is.
  const body = text.replaceAll(/(?<=\w)\[[^\]\n]*\]/g, "");
  const given = [...body.matchAll(/\breturn\b[ \t]*([^;\n}]*)/g)].map((found) => found[1] ?? "");
  const isBlock = /^\s*\{/.test(body) || /[\n;]/.test(body) || given.length > 0;
  const value = (isBlock ? given.findLast((one) => /\S/.test(one)) : body)?.trim();
  if (/\byield\b/.test(body) || value === undefined) return null;
  if (given.some((one) => one.trim() === "null")) return "null";
  if (/^(?:[fr]?["'`])/.test(value)) return "string";
  if (/^\[/.test(value)) return "array";
  if (/^\(?\{/.test(value)) return "object";
  if (/^(?:true|false|True|False|!|not )|[<>]=?|[!=]==?|&&|\b(?:and|in|is)\b/.test(value)) {
    return "boolean";
  }
  return /^-?[\d.]+$|\s[-+*/%]\s|\.length\b|\blen\(|\bMath\.|\bround\(/.test(value)
    ? "number"
    : "unknown";
}

/** The first parameter, with its type where that has to fit; undefined for none. */
function readArgument(
  { body }: FoundFunction,
  pattern: RegExp,
): { readonly name: string; readonly own: string | undefined } | undefined {
  const holder = body.parent;
  const list = holder?.childForFieldName("parameters") ?? holder?.childForFieldName("parameter") ??
    holder?.childForFieldName("declarator")?.descendantsOfType("parameter_list")[0];
  const texts = list?.namedChildCount === 0
    ? [list.text]
    : list?.namedChildren.map(({ text }) => text);
  const first = texts?.find((text) => !/^(?:self|cls|&self|&mut self|\(\))$/.test(text));
  const { name, type: own } = pattern.exec(first ?? "")?.groups ?? {};
  return name === undefined ? undefined : { name, own: own?.replaceAll(/\s/g, "") };
}

/** The text in which the function leaves at once. What stands behind stays, so that nothing of the file is unused. */
function writeLeave(
  text: string,
  { node, body }: FoundFunction,
  { hollow, language, value }: {
    readonly hollow: HollowRow;
    readonly language: CodeLanguage;
    readonly value: string | null;
  },
): string {
  const leave = value === null
    ? hollow.leave.replace(/return .*?VALUE[^;}]*/, "return")
    : hollow.leave.replaceAll("VALUE", () => value);
  const { startIndex: from, endIndex: to } = body;
  const replace = (start: number, end: number, by: string) =>
    text.slice(0, start) + by + text.slice(end);
  if (!language.bodies.blocks.has(body.type)) {
    const form = /\(VALUE.*\)/.exec(hollow.leave)?.[0] ?? "(VALUE)";
    return replace(
      from,
      to,
      form.replaceAll("VALUE", () => value ?? writeValue("unknown", hollow)),
    );
  }
  if (text[from] === "{") return replace(from, from + 1, `{ ${leave}`);
  if (body.startPosition.row === node.startPosition.row) return replace(from, to, leave);
  const indent = text.slice(text.lastIndexOf("\n", from - 1) + 1, from);
  return replace(from, from, `${leave}\n${/^\s*$/.test(indent) ? indent : ""}`);
}
