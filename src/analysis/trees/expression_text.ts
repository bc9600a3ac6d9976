/**
 * Shortens expressions to what tells their type: names, members, calls and casts, without arguments. The short form
 * has only a beginning and what follows it, so that whoever reads it needs no grammar. Pure.
 *
 * | written | short form |
 * |---|---|
 * | `a.b?.c!` | `a.b.c` |
 * | `make(x, y).go()` | `make().go()` |
 * | `list[0]`, `rows["key"]` | `list[]`, `rows.key` |
 * | `await load()` | `load()~` |
 * | `new Map<string, User>()`, `x as User`, `&User{}`, `x.(User)` | `<Map<string, User>>`, `<User>` |
 * | `{ ...a, b, c: d }` | `{...a,b,c:d}` |
 */

/** Which spelling of expressions holds. Those of Python are read from the tree (`python_names.ts`). */
export type Spelling = "script" | "go" | "python";

const MAX_CHARS = 12_000;
const MAX_SHORT_CHARS = 240;
const MAX_KEYS = 40;
/** A longer value of a key is left out, so that the others stay. */
const MAX_VALUE_CHARS = 60;
const MAX_DEPTH = 16;
const NAME = /[\p{L}\p{N}_$#]/u;
const WORD = /[\p{L}_$#][\p{L}\p{N}_$]*/uy;
/** What begins an expression whose type no name tells. */
const CLOSED = new Set(
  "function func class async typeof void delete yield if switch null nil true false undefined struct interface chan"
    .split(" "),
);
const CLOSERS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/**
 * The short form of an expression; null where its names do not tell its type.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { shortenExpression } from "./expression_text.ts";
 * const read = (text: string) => shortenExpression(text, "script");
 * deepEqual([read("(await z.load(1, f(2))).at"), read("a + b")], ["z.load()~.at", null]);
 * ```
 */
export function shortenExpression(text: string, spelling: Spelling, depth = 0): string | null {
  if (text.length > MAX_CHARS || depth > MAX_DEPTH) return null;
  const short = new Shortener(text, spelling, depth).whole();
  return short === null || short.length > MAX_SHORT_CHARS ? null : short;
}

class Shortener {
  readonly #text: string;
  readonly #spelling: Spelling;
  /** How many brackets hold it. */
  readonly #depth: number;
  #at = 0;
  #words = 0;

  constructor(text: string, spelling: Spelling, depth: number) {
    this.#text = text;
    this.#spelling = spelling;
    this.#depth = depth;
  }

  whole(): string | null {
    const first = this.#unary();
    if (this.#at >= MAX_CHARS) return null;
    this.#skipBlanks();
    const rest = this.#text.slice(this.#at);
    if (rest === "" || rest === ";") return first;
    const cast = /^(?:as|satisfies)\s+(?!const\b)(?:[\s\S]*\sas\s+)?([\s\S]+)$/.exec(rest)?.[1];
    if (cast !== undefined) return formatCast(cast);
    if (/^as\s+const\s*$/.test(rest)) return first;
    const either = /^(?:\|\||\?\?)(?!=)([\s\S]+)$/.exec(rest)?.[1];
    // The other operand stands in for what may be missing; where it says another type, so would the declaration.
    return either === undefined
      ? null
      : first ?? shortenExpression(either, this.#spelling, this.#depth + 1);
  }

  #unary(): string | null {
    this.#skipBlanks();
    if (this.#spelling === "go") { while (/[&*]/.test(this.#char())) this.#at++; }
    this.#skipBlanks();
    const char = this.#char();
    if (char === "(") return this.#group();
    if (char === "{" && this.#spelling === "script") return this.#keys();
    if (char === "[" && this.#spelling === "go") return this.#literalType();
    const word = this.#word();
    if (word === "" || CLOSED.has(word)) return null;
    if (word === "await" && this.#spelling === "script") {
      const inner = this.#isNested() ? null : this.#unary();
      return inner === null ? null : `${inner}~`;
    }
    if (word === "new" && this.#spelling === "script") return this.#made();
    if (word === "map" && this.#spelling === "go" && this.#char() === "[") {
      this.#at -= word.length;
      return this.#literalType();
    }
    if (word === "make" && this.#spelling === "go" && this.#char() === "(") {
      const inside = this.#brackets();
      const [type = ""] = splitTopLevel(inside, ",");
      return this.#after(formatCast(type));
    }
    return this.#after(word);
  }

  /** Whether words and brackets stand in one another too often to be meant. */
  #isNested(): boolean {
    return ++this.#words > MAX_DEPTH;
  }

  /** What stands in round brackets, unless it is the head of a function. */
  #group(): string | null {
    const inside = this.#brackets();
    this.#skipBlanks();
    if (this.#text.startsWith("=>", this.#at) || this.#char() === ":") return null;
    const inner = shortenExpression(inside, this.#spelling, this.#depth + 1);
    return inner === null ? null : this.#after(inner);
  }

  #made(): string | null {
    this.#skipBlanks();
    let name = this.#word();
    while (name !== "" && this.#char() === ".") {
      this.#at++;
      name += `.${this.#word()}`;
    }
    if (name === "") return null;
    const types = this.#char() === "<" ? this.#angles() : "";
    if (this.#char() === "(") this.#brackets();
    return this.#after(`<${name}${types}>`);
  }

  /** `[]Type{…}` and `map[Key]Type{…}` of Go. */
  #literalType(): string | null {
    const open = this.#text.indexOf("{", this.#at);
    if (open < 0) return null;
    const type = this.#text.slice(this.#at, open);
    this.#at = open;
    this.#brackets();
    return this.#after(formatCast(type));
  }

  /** The names of an object that is written out, with what it spreads. */
  #keys(): string | null {
    const parts = splitTopLevel(this.#brackets(), ",").slice(0, MAX_KEYS)
      .flatMap((part) => {
        const text = part.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "").trim();
        const plain = /^(?:\.\.\.)?[\w$.]+$/.exec(text)?.[0];
        if (plain !== undefined) return [plain];
        const [head = "", key] = /^([\w$]+)\s*:\s*/.exec(text) ?? [];
        const value = key === undefined
          ? null
          : shortenExpression(text.slice(head.length), this.#spelling, this.#depth + 1);
        return value === null || value.length > MAX_VALUE_CHARS ? [] : [`${key}:${value}`];
      });
    return this.#after(`{${parts.join(",")}}`);
  }

  #after(head: string): string | null {
    let short = head;
    for (;;) {
      const from = this.#at;
      this.#skipBlanks();
      const isApart = this.#at > from;
      const char = this.#char();
      if (this.#text.startsWith("?.", this.#at) || char === ".") {
        this.#at += char === "." ? 1 : 2;
        this.#skipBlanks();
        if (this.#char() === "(" && char === ".") {
          short = formatCast(this.#brackets());
          continue;
        }
        if (/[(\[]/.test(this.#char())) continue;
        const name = this.#word();
        if (name === "") return null;
        short += `.${name}`;
      } else if (char === "(") {
        if (this.#spelling === "go" && short === "new") {
          return this.#after(formatCast(this.#brackets()));
        }
        this.#brackets();
        short += "()";
      } else if (char === "[") {
        const key = /^\s*["'`]([\w$]+)["'`]\s*$/.exec(this.#brackets())?.[1];
        short += key === undefined ? "[]" : `.${key}`;
      } else if (char === "`") {
        this.#at = skipString(this.#text, this.#at);
        short += "()";
      } else if (char === "!" && this.#text.charAt(this.#at + 1) !== "=") this.#at++;
      else if (char === "<" && !isApart && /^<[^()=;{}]*>\s*\(/.test(this.#text.slice(this.#at))) {
        this.#angles();
      } else if (char === "{" && this.#spelling === "go" && /^[\w.]+$/.test(short)) {
        this.#brackets();
        short = formatCast(short);
      } else {
        return short;
      }
    }
  }

  #char(): string {
    return this.#text.charAt(this.#at);
  }

  #word(): string {
    WORD.lastIndex = this.#at;
    const word = WORD.exec(this.#text)?.[0] ?? "";
    this.#at += word.length;
    return word;
  }

  #skipBlanks(): void {
    for (;;) {
      while (/\s/.test(this.#char())) this.#at++;
      if (this.#text.startsWith("//", this.#at)) this.#at = endOf(this.#text, "\n", this.#at);
      else if (this.#text.startsWith("/*", this.#at)) this.#at = endOf(this.#text, "*/", this.#at);
      else return;
    }
  }

  /** Passes what stands in brackets, and answers it. */
  #brackets(): string {
    const from = this.#at + 1;
    this.#at = skipBrackets(this.#text, this.#at);
    return this.#text.slice(from, this.#at - 1);
  }

  #angles(): string {
    const from = this.#at;
    let depth = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#char();
      if (char === "<") depth++;
      // The sign of a function's type is no bracket.
      if (char === ">" && this.#text.charAt(this.#at - 1) !== "=" && --depth === 0) break;
    }
    this.#at++;
    return this.#text.slice(from, this.#at);
  }
}

function formatCast(type: string): string {
  return `<${type.replace(/\s+/g, " ").trim()}>`;
}

function endOf(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from);
  return at < 0 ? text.length : at + end.length;
}

/** The index after the string that begins at `at`. */
function skipString(text: string, at: number): number {
  const quote = text.charAt(at);
  for (let end = at + 1; end < text.length; end++) {
    const char = text.charAt(end);
    if (char === "\\") end++;
    else if (char === quote) return end + 1;
    else if (char === "\n" && quote !== "`") return end;
  }
  return text.length;
}

/** The index after the bracket that closes the one at `at`; the end of the text where none does. */
function skipBrackets(text: string, at: number): number {
  const open: string[] = [];
  for (let end = at; end < text.length;) {
    const char = text.charAt(end);
    const closer = CLOSERS[char];
    if (/["'`]/.test(char)) end = skipString(text, end);
    else if (char === "/" && /[/*]/.test(text.charAt(end + 1))) {
      end = endOf(text, text.charAt(end + 1) === "/" ? "\n" : "*/", end);
    } else if (char === "/" && /[(,=:[!&|?{;]\s*$/.test(text.slice(Math.max(0, end - 8), end))) {
      end = skipPattern(text, end);
    } else {
      if (closer !== undefined) open.push(closer);
      else if (char === open.at(-1)) open.pop();
      end++;
      if (open.length === 0) return end;
    }
  }
  return text.length;
}

/** The index after the regular expression that begins at `at`. */
function skipPattern(text: string, at: number): number {
  let isInClass = false;
  for (let end = at + 1; end < text.length; end++) {
    const char = text.charAt(end);
    if (char === "\\") end++;
    else if (char === "[") isInClass = true;
    else if (char === "]") isInClass = false;
    else if (char === "\n") return at + 1;
    else if (char === "/" && !isInClass) return end + 1;
  }
  return text.length;
}

/** Cuts a text at a sign that stands in no bracket and no string. */
export function splitTopLevel(text: string, sign: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length;) {
    const char = text.charAt(at);
    if (/["'`]/.test(char)) at = skipString(text, at);
    else if (CLOSERS[char] !== undefined) at = skipBrackets(text, at);
    else {
      if (char === sign) {
        parts.push(text.slice(from, at));
        from = at + 1;
      }
      at++;
    }
  }
  return text.slice(from).trim() === "" ? parts : [...parts, text.slice(from)];
}

const MAX_BACK = 2_000;
/** Words that stand before an expression, and are no part of it. */
const KEYWORDS = new Set(
  "return await typeof void delete throw case in of if else while for switch yield range defer go"
    .split(" "),
);

/**
 * Where the expression begins that ends before `end`: names, members, calls and indices, back to what is none of
 * them. Null where it is not to be found near.
 */
export function findExpressionStart(text: string, end: number): number | null {
  const limit = Math.max(0, end - MAX_BACK);
  let at = end;
  for (;;) {
    at = skipBlanksBack(text, at);
    for (; /[)\]}]/.test(text.charAt(at - 1)); at = skipBlanksBack(text, at)) {
      const open = findOpening(text, at - 1, limit);
      if (open === null) return null;
      // A literal of Go stands right behind its type; another block is no part of an expression.
      if (text.charAt(open) === "{" && !NAME.test(text.charAt(open - 1))) break;
      at = open;
      if (/[!?]/.test(text.charAt(at - 1)) && text.charAt(at - 2) !== " ") at--;
    }
    if (text.charAt(at - 1) === ">" && text.charAt(at) === "(") {
      const open = text.lastIndexOf("<", at);
      if (open < limit) return null;
      at = open;
    }
    let begin = at;
    while (begin > limit && NAME.test(text.charAt(begin - 1))) begin--;
    const word = text.slice(begin, at);
    if (KEYWORDS.has(word)) return skipBlanksAhead(text, at);
    at = begin;
    const before = skipBlanksBack(text, begin);
    const isMember = text.charAt(before - 1) === "." && !text.endsWith("..", before);
    if (!isMember) {
      const isMade = /(?<![\w$.])new$/.test(text.slice(Math.max(0, before - 5), before));
      return isMade && begin < end ? before - 3 : begin;
    }
    at = before - 1;
    if (/[?!]/.test(text.charAt(at - 1))) at--;
    if (at <= limit) return null;
  }
}

function skipBlanksAhead(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text.charAt(at))) at++;
  return at;
}

function skipBlanksBack(text: string, from: number): number {
  let at = from;
  while (at > 0 && /\s/.test(text.charAt(at - 1))) at--;
  return at;
}

/** The index of the bracket that the one at `at` closes. */
function findOpening(text: string, at: number, limit: number): number | null {
  let depth = 0;
  for (let from = at; from >= limit; from--) {
    const char = text.charAt(from);
    if (/["'`]/.test(char)) {
      const open = text.lastIndexOf(char, from - 1);
      if (open < limit) return null;
      from = open;
    } else if (/[)\]}]/.test(char)) depth++;
    else if (/[([{]/.test(char) && --depth === 0) return from;
  }
  return null;
}
