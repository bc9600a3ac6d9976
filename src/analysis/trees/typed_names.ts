/** Reads from the captures of one match what they say of the types of names. Pure over the nodes that it is given. */
import type { SyntaxNode } from "../../syntax/tree_sitter.ts";
import type { RawTyped } from "./raw_tags.ts";
import { WHOLE_MODULE } from "../../language/kinds.ts";
import { splitTopLevel } from "./expression_text.ts";

const KINDS = [
  "type",
  "value",
  "each",
  "alias",
  "bound",
  "chain",
  "generic",
  "called",
  "extends",
] as const;
/** Longer texts are those of functions and tables, which name no type. */
const MAX_CHARS = 12_000;

/** What one match says; `read` answers the text of a node. */
export function readTypedNames(
  by: ReadonlyMap<string, SyntaxNode>,
  read: (node: SyntaxNode) => string,
): readonly RawTyped[] {
  const typed = by.get("typed");
  const part = by.get("part");
  if (typed !== undefined) {
    return KINDS.flatMap((kind) => {
      const node = by.get(kind);
      if (node === undefined || node.endIndex - node.startIndex > MAX_CHARS) return [];
      const name = by.has("whole") ? WHOLE_MODULE : read(typed);
      return [{
        name,
        ...readPosition(typed),
        kind,
        text: read(node),
        ...(part !== undefined
          ? { part: `.${read(part)}` }
          : by.has("listed")
          ? { part: "..." }
          : {}),
      }];
    });
  }
  const untyped = by.get("untyped");
  if (untyped !== undefined) return readContext(untyped, read);
  const narrowing = by.get("narrowing");
  if (narrowing !== undefined) return readNarrowing(narrowing, read);
  const rebound = by.get("rebound");
  if (rebound !== undefined) return readSelf(rebound, by.get("params") ?? rebound, read);
  const lefts = by.get("lefts");
  return lefts === undefined ? [] : readLefts(lefts, by, read);
}

/** Where a node begins. */
export function readPosition(node: SyntaxNode) {
  const { row, column } = node.startPosition;
  return { start: node.startIndex, row, column };
}

/** `a, b := f()`, `a, b := x, y` and `_, b := range x` of Go. */
function readLefts(
  lefts: SyntaxNode,
  by: ReadonlyMap<string, SyntaxNode>,
  read: (node: SyntaxNode) => string,
): readonly RawTyped[] {
  const right = by.get("rights") ?? by.get("ranged");
  if (right === undefined || right.endIndex - right.startIndex > MAX_CHARS) return [];
  const isRange = by.has("ranged");
  const values = isRange ? [read(right)] : splitTopLevel(read(right), ",");
  const names = read(lefts).split(",");
  const { row, column } = lefts.startPosition;
  let at = 0;
  return names.flatMap((text, index): RawTyped[] => {
    const begin = at + (text.length - text.trimStart().length);
    at += text.length + 1;
    const name = text.trim();
    if (!/^\w+$/.test(name) || name === "_") return [];
    const place = { name, start: lefts.startIndex + begin, row, column: column + begin };
    if (isRange) {
      return index === 1 ? [{ ...place, kind: "each", text: values[0] ?? "" }] : [];
    }
    const own = values.length === names.length ? values[index] : values[0];
    if (own === undefined) return [];
    const isPart = values.length !== names.length && index > 0;
    return [{ ...place, kind: "value", text: own, ...(isPart ? { part: `#${index}` } : {}) }];
  });
}

const SELF = /\bthis\b/;

/** What `this` is in a function that has its own: the object that the function is written into, else nobody says. */
function readSelf(
  holder: SyntaxNode,
  parameters: SyntaxNode,
  read: (node: SyntaxNode) => string,
): readonly RawTyped[] {
  if (!SELF.test(read(holder))) return [];
  const object = holder.type === "method_definition"
    ? holder.parent
    : holder.parent?.type === "pair"
    ? holder.parent.parent
    : null;
  const variable = object?.type === "object" ? object.parent : null;
  const name = variable?.type === "variable_declarator" ? variable.childForFieldName("name") : null;
  const text = name?.type === "identifier" ? read(name) : "";
  return [{ name: "this", ...readPosition(parameters), kind: "value", text }];
}

/** What ends a case, so that the next one is reached by its own value alone. */
const ENDS = new Set([
  "break_statement",
  "return_statement",
  "throw_statement",
  "continue_statement",
]);

/** `case "a":` of `switch (name.member)` and `if (name.member === "a")`: which value the member has in there. */
function readNarrowing(
  node: SyntaxNode,
  read: (node: SyntaxNode) => string,
): readonly RawTyped[] {
  const isCase = node.type === "switch_case";
  const values = isCase ? readCases(node, read) : [];
  const whole = isCase ? node.parent?.parent?.childForFieldName("value") : null;
  const test = isCase ? null : node.childForFieldName("condition")?.namedChildren[0] ?? null;
  const isEqual = test?.type === "binary_expression" &&
    /^===?$/.test(test.childForFieldName("operator")?.type ?? "");
  const asked = isCase
    ? whole?.namedChildren[0]
    : isEqual
    ? test.childForFieldName("left")
    : undefined;
  const other = isEqual ? test.childForFieldName("right") : null;
  const range = isCase ? node : node.childForFieldName("consequence");
  const variable = asked?.childForFieldName("object");
  const member = asked?.childForFieldName("property");
  if (
    asked?.type !== "member_expression" || variable?.type !== "identifier" || !member || !range
  ) return [];
  const all = other === null ? values : [read(other)];
  if (all.length === 0) return [];
  return [{
    name: read(variable),
    ...readPosition(node),
    kind: "narrowed",
    text: `${read(member)}=${all.map((value) => value.replace(/^'(.*)'$/s, '"$1"')).join("|")}`,
    within: [range.startIndex, range.endIndex],
  }];
}

/** The values that lead to a case: its own, and those of the cases before it that have nothing of their own. */
function readCases(node: SyntaxNode, read: (node: SyntaxNode) => string): readonly string[] {
  const values: string[] = [];
  for (let at: SyntaxNode | null = node; at !== null; at = at.previousNamedSibling) {
    if (at.type === "comment") continue;
    if (at !== node) {
      const last = at.namedChildren.at(-1);
      const own = at.childForFieldName("value");
      const isBare = last?.startIndex === own?.startIndex;
      const end = last?.type === "statement_block" ? last.namedChildren.at(-1) : last;
      if (!isBare) return end && ENDS.has(end.type) ? values : [];
    }
    if (at.type !== "switch_case") return [];
    const value = at.childForFieldName("value");
    if (value !== null) values.push(read(value));
  }
  return values;
}

const FUNCTIONS = new Set(["arrow_function", "function_expression", "generator_function"]);
const HOLDERS = new Set([
  ...FUNCTIONS,
  "function_declaration",
  "generator_function_declaration",
  "method_definition",
]);

/** Where a parameter without a type stands: what its function is given to says the type. */
function readContext(
  parameter: SyntaxNode,
  read: (node: SyntaxNode) => string,
): readonly RawTyped[] {
  const single = parameter.parent?.type === "arrow_function" ? parameter : null;
  const own = single ?? parameter.parent;
  const list = single === null ? own?.parent ?? null : null;
  const holder = single === null ? list?.parent ?? null : parameter.parent;
  if (holder === null || holder === undefined || !FUNCTIONS.has(holder.type)) return [];
  const index = list === null || own === null || own === undefined ? 0 : indexOf(list, own);
  const text = readHolder(holder, read);
  if (text === null) return [];
  return [{
    name: read(parameter),
    ...readPosition(parameter),
    kind: "context",
    text,
    part: `@${index}`,
  }];
}

function indexOf(list: SyntaxNode, node: SyntaxNode): number {
  return list.namedChildren.filter((one) => one !== null && one.type !== "comment")
    .findIndex((one) => one?.startIndex === node.startIndex);
}

/** `callee@argument`, or `:type` where the type of the function is declared. */
function readHolder(node: SyntaxNode, read: (node: SyntaxNode) => string): string | null {
  const { parent } = node;
  if (parent === null) return null;
  if (parent.type === "parenthesized_expression") return readHolder(parent, read);
  if (parent.type === "arguments") {
    const callee = parent.parent?.childForFieldName("function");
    if (callee === null || callee === undefined) return null;
    return `${read(callee)}@${indexOf(parent, node)}`;
  }
  if (parent.type === "variable_declarator" || parent.type === "public_field_definition") {
    return readDeclared(parent.childForFieldName("type"), read);
  }
  if (parent.type === "assignment_expression") {
    const left = parent.childForFieldName("left");
    return left === null ? null : `=${read(left)}`;
  }
  const isBody = parent.type === "arrow_function";
  if (parent.type !== "return_statement" && !isBody) return null;
  for (let at: SyntaxNode | null = parent; at !== null; at = at.parent) {
    if (!HOLDERS.has(at.type)) continue;
    const declared = readDeclared(at.childForFieldName("return_type"), read);
    if (declared !== null) return declared;
    // What holds the function may declare the type of the whole: its result is meant.
    const outer = readHolder(at, read);
    return outer === null ? null : `()${outer}`;
  }
  return null;
}

function readDeclared(node: SyntaxNode | null, read: (node: SyntaxNode) => string): string | null {
  return node === null ? null : `:${read(node).replace(/^:\s*/, "")}`;
}
