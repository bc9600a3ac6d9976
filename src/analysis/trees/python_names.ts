/**
 * Reads what the captures of one match in Python say of the types of names. Each type is a short
 * form (`expression_text.ts`), made of the tree. Beside the steps of other languages it has `*`,
 * one of what a loop goes through, and the head `None`. Pure over the nodes that it is given.
 */
import { readPosition } from "./typed_names.ts";
import type { SyntaxNode } from "../../syntax/tree_sitter.ts";
import { writePythonType } from "./python_type_text.ts";
import type { RawTyped } from "./raw_tags.ts";

type Read = (node: SyntaxNode) => string;
type Captures = ReadonlyMap<string, SyntaxNode>;

const MAX_DEPTH = 24;
const MAX_SHORT_CHARS = 240;
/** Functions that give what they are given, in another order or holder. */
const SAME = new Set("list tuple set frozenset sorted reversed iter".split(" "));
/** Decorators after which a function answers as its signature says. */
const PLAIN =
  /^(?:\w+\.)*(?:staticmethod|classmethod|abstractmethod|override|final|overload|cache|lru_cache|wraps|contextmanager|asynccontextmanager)$/;
/** Decorators that make a function one whose answer pytest gives to the parameters of its name. */
const FIXTURE = /^(?:\w+\.)*(?:yield_)?fixture$/;
/** Decorators that make a function one that is read without a call. */
const READ = /^(?:\w+\.)*(?:\w*property|abstractproperty|\w+\.(?:setter|getter|deleter))$/;

/** What one match says of names; several facts where several names are bound at once. */
export function readPythonNames(by: Captures, read: Read): readonly RawTyped[] {
  const typed = by.get("typed") ?? by.get("attribute");
  if (typed !== undefined) return readNamed(typed, by, read);
  const lefts = by.get("lefts");
  if (lefts !== undefined) return readLefts(lefts, by, read);
  const narrowed = by.get("narrowed");
  if (narrowed !== undefined) return [readNarrowed(narrowed, read)];
  const decorated = by.get("decorated");
  if (decorated !== undefined) return readDecorated(decorated, read);
  const injected = by.get("injected");
  if (injected !== undefined) return readInjected(injected, read);
  const returned = by.get("returned");
  return returned === undefined ? [] : readReturned(returned, read);
}

function readNamed(typed: SyntaxNode, by: Captures, read: Read): readonly RawTyped[] {
  const place = { name: read(typed), ...readPosition(typed) };
  const type = by.get("type");
  const value = by.get("value");
  const declared = type === undefined ? undefined : writePythonType(read(type));
  if (by.has("attribute")) {
    const text = declared === undefined ? shortenNode(value, read) : `<${declared}>`;
    return [{ ...place, kind: "attribute", text, isShort: true }];
  }
  const chain = by.get("chain");
  if (chain !== undefined) {
    // What has only names before the dot is known by the place itself.
    const text = /^[\w.\s]+$/.test(read(chain)) ? "" : shortenNode(chain, read);
    return text === "" ? [] : [{ ...place, kind: "chain", text, isShort: true }];
  }
  if (declared !== undefined) {
    const many = by.has("listed") ? `Array<${declared}>` : declared;
    return [{ ...place, kind: "type", text: many, isShort: true }];
  }
  for (const kind of ["alias", "bound"] as const) {
    const node = by.get(kind);
    if (node === undefined) continue;
    return [{ ...place, kind, text: writePythonType(read(node)), isShort: true }];
  }
  const each = by.get("each");
  const within = by.get("within");
  const made = shortenNode(each ?? value, read);
  const text = made === ""
    ? ""
    : each !== undefined
    ? `${made}*`
    : by.has("entered")
    ? `${made}${isAsync(typed) ? ".__aenter__()~" : ".__enter__()"}`
    : made;
  return [{ ...place, kind: "value", text, isShort: true, ...rangeOf(within) }];
}

/** `a, b = f()`, `a, b = x, y` and `for a, b in x`. */
function readLefts(lefts: SyntaxNode, by: Captures, read: Read): readonly RawTyped[] {
  const ranged = by.get("ranged");
  const rights = by.get("rights");
  const right = ranged ?? rights;
  const counted = ranged === undefined ? undefined : argumentOf(ranged, "enumerate", read);
  const whole = shortenNode(counted ?? right, read);
  const parts = rights?.type === "expression_list" || rights?.type === "tuple"
    ? rights.namedChildren
    : undefined;
  return lefts.namedChildren.flatMap((node, index): RawTyped[] => {
    if (node?.type !== "identifier") return [];
    const text = parts !== undefined
      ? shortenNode(parts[index] ?? undefined, read)
      : whole === ""
      ? ""
      : counted !== undefined
      ? index === 1 ? `${whole}*` : ""
      : `${whole}${ranged === undefined ? "" : "*"}#${index}`;
    const place = { name: read(node), ...readPosition(node) };
    return [{ ...place, kind: "value", text, isShort: true, ...rangeOf(by.get("within")) }];
  });
}

/** `isinstance(name, Type)`: in the block that follows the name is of the type, elsewhere nobody says. */
function readNarrowed(name: SyntaxNode, read: Read): RawTyped {
  const place = { name: read(name), ...readPosition(name), kind: "value" as const, isShort: true };
  const type = name.nextNamedSibling;
  let call = name.parent?.parent ?? null;
  while (call?.parent?.type === "boolean_operator" && / and /.test(read(call.parent))) {
    call = call.parent;
  }
  const block = call?.parent?.childForFieldName("condition")?.startIndex === call?.startIndex
    ? call?.parent?.childForFieldName("consequence") ?? null
    : null;
  const isOne = type?.type === "identifier" || type?.type === "attribute";
  if (block === null || type === null || !isOne) return { ...place, text: "" };
  return { ...place, text: `<${writePythonType(read(type))}>`, ...rangeOf(block) };
}

/** What decorators make of a function: one that is read, or whatever they answer with. */
function readDecorated(name: SyntaxNode, read: Read): readonly RawTyped[] {
  const place = { name: read(name), ...readPosition(name), kind: "value" as const, isShort: true };
  const whole = name.parent?.parent ?? null;
  const outer = (whole === null ? [] : collectDecorators(whole))
    .find((one) => !PLAIN.test(calleeOf(one, read)));
  if (outer === undefined) return [];
  if (READ.test(read(outer))) return [{ ...place, text: "()" }];
  const text = shortenNode(outer, read);
  return [{ ...place, text: text === "" ? "?" : `${text}()` }];
}

function calleeOf(node: SyntaxNode, read: Read): string {
  return read(node.type === "call" ? node.childForFieldName("function") ?? node : node);
}

/** A parameter of a test or a fixture, which pytest gives the fixture of its name where no decorator gives it a value. */
function readInjected(name: SyntaxNode, read: Read): readonly RawTyped[] {
  const word = read(name);
  if (word === "self" || word === "cls") return [];
  const around = findFunction(name);
  const test = around?.childForFieldName("name") ?? null;
  if (around === null || test === null) return [];
  if (!read(test).startsWith("test") && !isFixture(around, read)) return [];
  const isGiven = listDecorators(around).some((one) =>
    !FIXTURE.test(calleeOf(one, read)) && new RegExp(`\\b${word}\\b`).test(read(one))
  );
  return isGiven
    ? []
    : [{ name: word, ...readPosition(name), kind: "injected", text: word, isShort: true }];
}

/** What a function answers with, at the place where it does; a `yield` is the answer of fixtures alone. */
function readReturned(node: SyntaxNode, read: Read): readonly RawTyped[] {
  const around = findFunction(node);
  const name = around?.childForFieldName("name") ?? null;
  if (around === null || name === null || around.childForFieldName("return_type") !== null) {
    return [];
  }
  const given = node.type === "yield" && node.child(1)?.type !== "from" && isFixture(around, read)
    ? node.namedChild(0) ?? undefined
    : undefined;
  const text = shortenNode(node.type === "yield" ? given : node, read);
  return [{ name: read(name), ...readPosition(node), kind: "returned", text, isShort: true }];
}

/** The function round a node; null where a class or a function without a name comes first. */
function findFunction(node: SyntaxNode): SyntaxNode | null {
  for (let at = node.parent; at !== null; at = at.parent) {
    if (at.type === "lambda" || at.type === "class_definition") return null;
    if (at.type === "function_definition") return at;
  }
  return null;
}

/** The decorators of a function and of the types that hold it, without their signs. */
function listDecorators(around: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let at = around.parent; at !== null; at = at.parent) {
    if (at.type === "decorated_definition") found.push(...collectDecorators(at));
  }
  return found;
}

function isFixture(around: SyntaxNode, read: Read): boolean {
  const whole = around.parent;
  return whole?.type === "decorated_definition" &&
    collectDecorators(whole).some((one) => FIXTURE.test(calleeOf(one, read)));
}

function collectDecorators(whole: SyntaxNode): readonly SyntaxNode[] {
  return whole.namedChildren.flatMap((one) =>
    one?.type === "decorator" ? one.namedChildren.slice(0, 1) : []
  ).filter((one) => one !== null);
}

/** The short form of an expression; empty where its names do not tell its type. */
function shortenNode(node: SyntaxNode | undefined, read: Read): string {
  const short = node === undefined ? null : shorten(node, read, 0);
  return short === null || short.length > MAX_SHORT_CHARS ? "" : short;
}

function shorten(node: SyntaxNode | null, read: Read, depth: number): string | null {
  if (node === null || depth > MAX_DEPTH) return null;
  const inner = (field: string) => shorten(node.childForFieldName(field), read, depth + 1);
  const after = (head: string | null, tail: string) => head === null ? null : `${head}${tail}`;
  switch (node.type) {
    case "identifier":
      return read(node);
    case "none":
      return "None";
    case "attribute": {
      const name = node.childForFieldName("attribute");
      return name === null ? null : after(inner("object"), `.${read(name)}`);
    }
    case "call":
      return shortenCall(node, read, depth);
    case "subscript": {
      const isSlice = node.childForFieldName("subscript")?.type === "slice";
      return after(inner("value"), isSlice ? "" : "[]");
    }
    case "await":
      return after(shorten(node.namedChild(0), read, depth + 1), "~");
    case "parenthesized_expression":
      return shorten(node.namedChild(0), read, depth + 1);
    case "named_expression":
      return inner("value");
    case "boolean_operator":
      // The other operand stands in for what may be missing; where it says another type, so would the declaration.
      return node.childForFieldName("operator")?.type === "or" ? inner("left") : null;
    case "conditional_expression": {
      const [first, , other] = node.namedChildren;
      const both = [first, other].map((one) => shorten(one ?? null, read, depth + 1))
        .filter((one) => one !== "None");
      return both.every((one) => one === both[0]) ? both[0] ?? null : null;
    }
    default:
      return null;
  }
}

function shortenCall(node: SyntaxNode, read: Read, depth: number): string | null {
  const callee = node.childForFieldName("function");
  const name = callee === null ? "" : read(callee);
  const first = node.childForFieldName("arguments")?.namedChild(0) ?? null;
  if (/^(?:\w+\.)?cast$/.test(name) && first !== null) return `<${writePythonType(read(first))}>`;
  if (SAME.has(name)) return shorten(first, read, depth + 1);
  const short = shorten(name === "next" ? first : callee, read, depth + 1);
  return short === null ? null : `${short}${name === "next" ? "*" : "()"}`;
}

/** The first argument of a call of a function by its plain name. */
function argumentOf(node: SyntaxNode, name: string, read: Read): SyntaxNode | undefined {
  const callee = node.type === "call" ? node.childForFieldName("function") : null;
  if (callee === null || read(callee) !== name) return undefined;
  return node.childForFieldName("arguments")?.namedChild(0) ?? undefined;
}

function isAsync(node: SyntaxNode): boolean {
  for (let at = node.parent; at !== null; at = at.parent) {
    if (at.type === "with_statement") return at.child(0)?.type === "async";
  }
  return false;
}

function rangeOf(node: SyntaxNode | undefined): Pick<RawTyped, "within"> {
  return node === undefined ? {} : { within: [node.startIndex, node.endIndex] };
}
