/**
 * JSON with comments and trailing commas, as editors write it, with the places of its values. Pure.
 *
 * Hooks load it at each start, and a clone may hold any text. So the engine reads the text without
 * its comments as plain JSON. A hundred thousand brackets do that no harm; they overflow the stack
 * of `jsonc-parser`.
 */

/** A place in a text, counted from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** The value of a text with the places of its members, or where it cannot be read. */
export type JsoncResult =
  | {
    readonly kind: "value";
    readonly value: unknown;
    /** Where a member begins; the nearest one that exists above it where it does not. */
    readonly locate: (path: readonly PropertyKey[]) => TextPosition;
  }
  | { readonly kind: "fault"; readonly message: string; readonly place: TextPosition };

/**
 * Reads a text as JSON; comments and trailing commas are passed over.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
 * import { parseJsonc } from "./jsonc.ts";
 * const result = parseJsonc('{\n  "a": [1, /* two *\/ 2,], // end\n}');
 * equal(result.kind, "value");
 * if (result.kind === "value") {
 *   deepEqual(result.value, { a: [1, 2] });
 *   deepEqual(result.locate(["a"]), { line: 2, column: 3 });
 * }
 * ```
 */
export function parseJsonc(text: string): JsoncResult {
  const plain = toPlainJson(text);
  try {
    const value: unknown = JSON.parse(plain);
    return {
      kind: "value",
      value,
      locate: (path) => locateOffset(text, findOffset(plain, path.map(String))),
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const position = /at position (\d+)/.exec(message)?.[1];
    const offset = position === undefined ? findFault(plain) : Number(position);
    // The engine's own words end with its place and a piece of the text; ours are more exact.
    const short = message.replace(/,? (?:"|\.\.\.).*is not valid JSON$/s, "")
      .replace(/ in JSON at position.*$/s, "");
    return { kind: "fault", message: short, place: locateOffset(text, offset) };
  }
}

// Behind a comma a comment is taken whole: a brace inside it closes nothing.
const PIECES =
  /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*(?:\n|$)|\/\*(?:(?!\*\/)[\s\S])*\*\/)*[}\]])/g;

/** Blanks out what JSON lacks, so that each offset stays as it was. */
function toPlainJson(text: string): string {
  const start = text.startsWith("\uFEFF") ? ` ${text.slice(1)}` : text;
  return start.replace(
    PIECES,
    (piece) => piece.startsWith('"') ? piece : piece.replaceAll(/[^\n]/g, " "),
  );
}

const LITERAL = /^(?:"|true$|false$|null$|-?\d|[{}[\],])/;

/** For faults that the engine does not place: the first word that is no literal, or a missing value. */
function findFault(json: string): number {
  for (const token of json.matchAll(TOKENS)) if (!LITERAL.test(token[0])) return token.index;
  const missing = /[:[,]\s*(?=[}\],])/.exec(
    json.replaceAll(STRINGS, (text) => "x".repeat(text.length)),
  );
  return missing === null ? json.trimEnd().length : missing.index + missing[0].length;
}

const STRINGS = /"(?:[^"\\]|\\.)*"/g;
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],]|[^\s{}[\],:"]+/g;

interface Level {
  readonly isArray: boolean;
  /** Key or position of the member that is being read; null before a key. */
  member: string | null;
  index: number;
}

/** Walks over text that is known to be JSON. */
function findOffset(json: string, path: readonly string[]): number {
  const levels: Level[] = [];
  let found = 0;
  let matched = 0;
  for (const token of json.matchAll(TOKENS)) {
    const [text] = token;
    const level = levels.at(-1);
    if (text === "}" || text === "]") {
      levels.pop();
      continue;
    }
    if (text === ",") {
      if (level !== undefined) Object.assign(level, advanceMember(level));
      continue;
    }
    const isKey = level !== undefined && level.member === null;
    if (isKey) level.member = JSON.parse(text) as string;
    const isStart = isKey || level === undefined || level.isArray;
    if (isStart && level !== undefined) {
      const depth = levels.length;
      const isOnPath = levels.every(({ member }, at) => member === path[at]);
      if (isOnPath && depth > matched && depth <= path.length) {
        matched = depth;
        found = token.index;
      }
    }
    if (text === "{") levels.push({ isArray: false, member: null, index: 0 });
    if (text === "[") levels.push({ isArray: true, member: "0", index: 0 });
  }
  return found;
}

function advanceMember({ isArray, index }: Level): Partial<Level> {
  return isArray ? { index: index + 1, member: String(index + 1) } : { member: null };
}

function locateOffset(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  const lastBreak = before.lastIndexOf("\n");
  return { line: before.split("\n").length, column: offset - lastBreak };
}
