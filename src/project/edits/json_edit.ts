/**
 * Puts members and items into JSON that belongs to somebody else, and takes them out again. Every
 * other byte stays: comments, order, indentation, line ends, a byte order mark. Pure.
 */
import type { Node, ParseError } from "jsonc-parser";
import { createScanner, getNodeValue, parseTree, printParseErrorCode } from "jsonc-parser";
import { formatCanonicalJson } from "../../base/text/json_record.ts";
import { listLineEndings } from "./block_edit.ts";

/** Where a value stands: names of members and positions of items. */
export type JsonPath = readonly (string | number)[];

/** A parsed text, or the place where it cannot be read. */
export type JsonText =
  | { readonly kind: "json"; readonly text: string; readonly root: Node | null }
  | { readonly kind: "fault"; readonly message: string };

/** What has to be remembered of an insertion for its removal. */
export interface Inserted {
  readonly text: string;
  /** How many containers above the value the insertion made. */
  readonly made: number;
  /** Text that the insertion put after the value, in a container that was empty. */
  readonly tail: string;
}

/** An insertion, or why the text has no place for it. */
export type InsertResult =
  | ({ readonly kind: "inserted" } & Inserted)
  | { readonly kind: "fault"; readonly message: string };

const BOM = "\uFEFF";
/** Numbers by which `parseTree` names tokens: comma, line comment, block comment, and the end. */
const COMMA = 5;
const LINE_COMMENT = 12;
const BLOCK_COMMENT = 13;
const TRIVIA: readonly number[] = [LINE_COMMENT, BLOCK_COMMENT, 14, 15];

/** Reads JSON with comments and trailing commas; the root of an empty text is null. */
export function parseJsonText(text: string): JsonText {
  const plain = stripBom(text);
  const errors: ParseError[] = [];
  const root = parseTree(plain, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error !== undefined) {
    const before = plain.slice(0, error.offset).split("\n");
    const place = `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
    return { kind: "fault", message: `${printParseErrorCode(error.error)} at ${place}` };
  }
  if (root !== undefined && root.type !== "object") {
    return { kind: "fault", message: `its top is ${root.type}, not an object` };
  }
  return { kind: "json", text, root: root ?? null };
}

/** The value at a path of a parsed text; undefined where there is none. */
export function readJsonValue(text: string, path: JsonPath): unknown {
  const parsed = parseJsonText(text);
  const node = parsed.kind === "json" && parsed.root !== null ? find(parsed.root, path) : null;
  return node === null ? undefined : getNodeValue(node);
}

/** Inserts a member at `path`, and the objects above it where they are missing. */
export function insertMember(
  text: string,
  path: readonly string[],
  value: unknown,
): InsertResult {
  const parsed = parseJsonText(text);
  if (parsed.kind === "fault") return parsed;
  if (parsed.root === null) return renderWhole(text, path, value);
  let container = parsed.root;
  for (const [depth, name] of path.entries()) {
    if (container.type !== "object") return makeMisfit(path.slice(0, depth), "an object");
    const next = findMember(container, name);
    if (next !== null) {
      container = next;
      continue;
    }
    const rest = path.slice(depth + 1);
    const whole = rest.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
    return insertChild(text, container, { key: name, value: whole, made: rest.length });
  }
  return { kind: "fault", message: `${path.join(".")} is there already` };
}

/** Appends an item to the array at `path`; makes the array where it is missing. */
export function appendItem(text: string, path: readonly string[], item: unknown): InsertResult {
  const parsed = parseJsonText(text);
  if (parsed.kind === "fault") return parsed;
  const array = parsed.root === null ? null : find(parsed.root, path);
  if (array === null) {
    const result = insertMember(text, path, [item]);
    return result.kind === "fault" ? result : { ...result, made: result.made + 1 };
  }
  if (array.type !== "array") return makeMisfit(path, "an array");
  return insertChild(text, array, { key: null, value: item, made: 0 });
}

/** Replaces the value at `path`, or the item of the array there at `index`. */
export function replaceValue(
  text: string,
  path: JsonPath,
  options: { readonly value: unknown; readonly index?: number },
): string {
  const parsed = parseJsonText(text);
  const found = parsed.kind === "json" && parsed.root !== null ? find(parsed.root, path) : null;
  const node = options.index === undefined ? found : found?.children?.[options.index] ?? null;
  if (node === null) return text;
  const shift = text.length - stripBom(text).length;
  const start = node.offset + shift;
  const style = detectStyle(text, node, isOnOneLine(text.slice(start, start + node.length)));
  const rendered = render(options.value, style, readIndent(text, start));
  return text.slice(0, start) + rendered + text.slice(start + node.length);
}

/** Removes a member or an item, and the containers above it that the insertion had made. */
export function removeChild(
  text: string,
  path: JsonPath,
  options: { readonly index?: number; readonly made: number; readonly tail: string },
): string {
  const parsed = parseJsonText(text);
  if (parsed.kind === "fault" || parsed.root === null) return text;
  const value = find(parsed.root, path);
  let node = options.index === undefined ? value : value?.children?.[options.index] ?? null;
  if (node === null) return text;
  let made = options.made;
  for (;;) {
    const child: Node = node.parent?.type === "property" ? node.parent : node;
    const container: Node | undefined = child.parent;
    if (container === undefined) return text;
    const isAlone = container.children?.length === 1;
    if (isAlone && made > 0) {
      node = container;
      made--;
      continue;
    }
    return cut(text, child, { container, tail: options.tail });
  }
}

/** Positions of the items of the array at `path` that satisfy `isWanted`. */
export function findItems(
  text: string,
  path: JsonPath,
  isWanted: (item: unknown) => boolean,
): readonly number[] {
  const items = readJsonValue(text, path);
  if (!Array.isArray(items)) return [];
  return items.flatMap((item, index) => isWanted(item) ? [index] : []);
}

/** True for two equal values, whatever the order of their members. */
export function isEqualJson(a: unknown, b: unknown): boolean {
  return formatCanonicalJson(a) === formatCanonicalJson(b);
}

function stripBom(text: string): string {
  return text.startsWith(BOM) ? text.slice(1) : text;
}

function makeMisfit(path: JsonPath, wanted: string): InsertResult {
  return { kind: "fault", message: `${path.join(".")} is not ${wanted}` };
}

function find(root: Node, path: JsonPath): Node | null {
  let node: Node | null = root;
  for (const step of path) node = node === null ? null : findStep(node, step);
  return node;
}

function findStep(node: Node, step: string | number): Node | null {
  if (typeof step === "string") return node.type === "object" ? findMember(node, step) : null;
  return node.type === "array" ? node.children?.[step] ?? null : null;
}

/** Of two members with one name the last one counts, as for every reader of JSON. */
function findMember(object: Node, name: string): Node | null {
  const property = object.children?.findLast(({ children }) => children?.[0]?.value === name);
  return property?.children?.[1] ?? null;
}

interface Style {
  readonly eol: string;
  readonly unit: string;
  readonly isCompact: boolean;
}

function detectStyle(text: string, near: Node, isCompact: boolean): Style {
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  let root = near;
  while (root.parent !== undefined) root = root.parent;
  const shift = text.length - stripBom(text).length;
  const first = root.children?.[0];
  const indent = first === undefined ? "" : readIndent(text, first.offset + shift);
  return { eol, unit: indent === "" ? "  " : indent, isCompact };
}

/** The blanks at the start of the line that an offset is in. */
function readIndent(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) +
    1;
  return /^\uFEFF?([ \t]*)/.exec(text.slice(start, offset))?.[1] ?? "";
}

function isOnOneLine(text: string): boolean {
  return !/[\r\n]/.test(text);
}

function render(value: unknown, style: Style, indent: string): string {
  if (style.isCompact) return JSON.stringify(value);
  return JSON.stringify(value, null, style.unit).replaceAll("\n", `${style.eol}${indent}`);
}

function renderWhole(text: string, path: readonly string[], value: unknown): InsertResult {
  const whole = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  const lead = text.startsWith(BOM) ? BOM : "";
  const made = `${lead}${JSON.stringify(whole, null, 2)}\n`;
  return { kind: "inserted", text: made, made: path.length - 1, tail: "\n" };
}

/** What goes into a container: with a key a member, without one an item. */
interface Child {
  readonly key: string | null;
  readonly value: unknown;
  readonly made: number;
}

function insertChild(text: string, container: Node, child: Child): InsertResult {
  const shift = text.length - stripBom(text).length;
  const start = container.offset + shift;
  const end = start + container.length - 1;
  const last = container.children?.at(-1);
  const inside = text.slice(start, end);
  const isCompact = last !== undefined && isOnOneLine(text.slice(start, last.offset + shift));
  const style = detectStyle(text, container, isCompact);
  const indent = last === undefined || isCompact
    ? readIndent(text, start) + style.unit
    : readIndent(text, last.offset + shift);
  const key = child.key === null
    ? ""
    : `${JSON.stringify(child.key)}:${isCompact && !/[:,] /.test(inside) ? "" : " "}`;
  const body = `${key}${render(child.value, style, indent)}`;
  const lead = isCompact
    ? (/, /.test(inside) || /[:] /.test(inside) ? " " : "")
    : `${style.eol}${indent}`;
  if (last === undefined) {
    const at = skipSameLine(text, start + 1);
    const rest = text.slice(at, end);
    // A line break that follows already also ends the new line.
    const tail = /^[ \t]*\r?\n/.test(rest) ? "" : `${style.eol}${readIndent(text, start)}`;
    return done(text, [[at, `${lead}${body}${tail}`]], { made: child.made, tail });
  }
  const lastEnd = last.offset + last.length + shift;
  const comma = findComma(text, lastEnd, end);
  if (comma !== null) {
    return done(text, [[findInsertOffset(text, comma + 1, isCompact), `${lead}${body},`]], {
      made: child.made,
      tail: "",
    });
  }
  const at = findInsertOffset(text, lastEnd, isCompact);
  return done(text, [[lastEnd, ","], [at, `${lead}${body}`]], { made: child.made, tail: "" });
}

function done(
  text: string,
  insertions: readonly (readonly [at: number, what: string])[],
  rest: { readonly made: number; readonly tail: string },
): InsertResult {
  let result = text;
  for (const [at, what] of insertions.toReversed()) {
    result = result.slice(0, at) + what + result.slice(at);
  }
  return { kind: "inserted", text: result, ...rest };
}

/**
 * Where the next child is inserted; text put on the same line must not become part of a line
 * comment.
 */
function findInsertOffset(text: string, offset: number, isCompact: boolean): number {
  const behind = skipSameLine(text, offset);
  return isCompact && endsInLineComment(text.slice(offset, behind)) ? offset : behind;
}

function endsInLineComment(comments: string): boolean {
  return /\/\//.test(comments.replaceAll(/\/\*(?:(?!\*\/)[^\r\n])*\*\//g, ""));
}

/** Skips the comments on the rest of a line, because they describe what stands before them. */
function skipSameLine(text: string, offset: number): number {
  const comments = /^(?:[ \t]*(?:\/\*(?:(?!\*\/)[^\r\n])*\*\/|\/\/[^\r\n]*))*/;
  return offset + (comments.exec(text.slice(offset))?.[0].length ?? 0);
}

/** Offset of the next comma when only blanks and comments come before it, else null. */
function findComma(text: string, offset: number, end: number): number | null {
  const scanner = createScanner(text);
  scanner.setPosition(offset);
  for (let token: number = scanner.scan(); scanner.getTokenOffset() < end; token = scanner.scan()) {
    if (token === COMMA) return scanner.getTokenOffset();
    if (!TRIVIA.includes(token)) return null;
  }
  return null;
}

function cut(
  text: string,
  child: Node,
  { container, tail }: { readonly container: Node; readonly tail: string },
): string {
  const shift = text.length - stripBom(text).length;
  const start = child.offset + shift;
  const end = start + child.length;
  const close = container.offset + shift + container.length - 1;
  const blanks = /[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0;
  const lineBreak = /\r?\n$/.exec(text.slice(0, start - blanks))?.[0].length ?? 0;
  const from = lineBreak > 0 || container.children?.[0] !== child
    ? start - blanks - lineBreak
    : start;
  const comma = findComma(text, end, close);
  if (comma !== null) {
    const between = text.slice(end, comma);
    return text.slice(0, from) + between + text.slice(comma + 1);
  }
  const rest = text.slice(end);
  const led = listLineEndings(tail).find((form) => form !== "" && rest.startsWith(form)) ?? "";
  const after = rest.slice(led.length);
  const children = container.children ?? [];
  const before = children[children.indexOf(child) - 1];
  const beforeEnd = before === undefined ? null : before.offset + before.length + shift;
  const lonely = beforeEnd === null ? null : findComma(text, beforeEnd, start);
  const head = lonely === null || beforeEnd === null
    ? text.slice(0, from)
    : text.slice(0, lonely) + text.slice(lonely + 1, from);
  return head + after;
}
