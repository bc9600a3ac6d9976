/** Reads types as they are written in TypeScript and Go. What no name tells (conditions, literals) stays unknown. Pure. */
import type { Place } from "../reference_facts.ts";

/** A type by its words. */
export type TypeForm =
  | { readonly kind: "named"; readonly name: string; readonly args: readonly TypeForm[] }
  /** Many of a type: arrays, slices, and the values of maps. */
  | { readonly kind: "list"; readonly of: TypeForm }
  | { readonly kind: "tuple"; readonly of: readonly TypeForm[] }
  | {
    readonly kind: "function";
    readonly parameters: readonly Parameter[];
    readonly result: TypeForm;
  }
  /** One of several, or all of several at once. */
  | { readonly kind: "either" | "both"; readonly of: readonly TypeForm[] }
  /** The type of a value. */
  | { readonly kind: "of"; readonly expression: string }
  /** The type of a member of a type. */
  | { readonly kind: "member"; readonly of: TypeForm; readonly name: string }
  /** A type whose names are seen from another place: what a type parameter stands for. */
  | { readonly kind: "placed"; readonly of: TypeForm; readonly place: Place }
  | { readonly kind: "unknown" };

/** A parameter of a function. */
export interface Parameter {
  readonly type: TypeForm;
  readonly isRest: boolean;
}

const UNKNOWN: TypeForm = { kind: "unknown" };
const TOKEN =
  /\s*(\.\.\.|=>|\?\.|<-|[\p{L}_$][\p{L}\p{N}_$]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|\d[\w.]*|\S)/uy;
const NOTHING = new Set(["null", "undefined", "void", "never", "nil"]);
/** Types of which only what they hold matters. */
const SAME = new Set([
  "Readonly",
  "Partial",
  "Required",
  "NonNullable",
  "Omit",
  "Pick",
  "DeepPartial",
]);
const LISTS = new Set(
  "Array ReadonlyArray Set ReadonlySet Iterable IterableIterator AsyncIterable Generator".split(
    " ",
  ),
);
const MAPS = new Set(["Map", "ReadonlyMap", "WeakMap", "Record"]);
const MAX_DEPTH = 12;

/**
 * The form of a type.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { readTypeForm } from "./type_text.ts";
 * const named = (name: string) => ({ kind: "named", name, args: [] });
 * deepEqual(readTypeForm("User[] | undefined"), { kind: "list", of: named("User") });
 * deepEqual(readTypeForm("map[string]*pkg.User"), { kind: "list", of: named("pkg.User") });
 * ```
 */
export function readTypeForm(text: string): TypeForm {
  const known = FORMS.get(text);
  if (known !== undefined) return known;
  const reader = new TypeReader(text);
  const form = reader.all();
  if (FORMS.size >= MAX_FORMS) FORMS.clear();
  FORMS.set(text, form);
  return form;
}

const FORMS = new Map<string, TypeForm>();
const MAX_FORMS = 20_000;

/** The form of a function by its parameters and result as they are written; unknown where they were cut. */
export function readSignature(signature: string): TypeForm {
  return signature.endsWith("…") ? UNKNOWN : readTypeForm(`func ${signature}`);
}

const MAPPED =
  /^\{ (?:[+-]? ?readonly )?\[ ([\w$]+) in keyof ([\w$]+) \] (?:[+-]? ?\? )?: \2 \[ \1 \](?: \| undefined)? ?[;,]? ?\}$/;

/** Whether a form is that of `never` and its like, which the reader leaves out of what is one of several. */
function isNothing(form: TypeForm): boolean {
  return form.kind === "either" && form.of.length === 0;
}

/**
 * A generic function as whoever implements it sees it: what it is given is at least what its type parameters extend. What it
 * answers with, and what functions are given that it takes, each call says.
 */
function withBounds(
  form: TypeForm & { kind: "function" },
  bounds: ReadonlyMap<string, TypeForm>,
): TypeForm {
  const fill = (type: TypeForm): TypeForm =>
    type.kind === "named" && type.args.length === 0
      ? bounds.get(type.name) ?? type
      : type.kind === "list"
      ? { ...type, of: fill(type.of) }
      : type;
  const parameters = form.parameters.map((one) => ({ ...one, type: fill(one.type) }));
  return { ...form, parameters };
}

class TypeReader {
  readonly #tokens: string[] = [];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    TOKEN.lastIndex = 0;
    for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
      this.#tokens.push(match[1] ?? "");
    }
  }

  all(): TypeForm {
    const form = this.#form();
    return this.#at < this.#tokens.length ? UNKNOWN : form;
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? "";
  }

  #take(token: string): boolean {
    if (this.#peek() !== token) return false;
    this.#at++;
    return true;
  }

  #form(): TypeForm {
    if (++this.#depth > MAX_DEPTH) {
      this.#at = this.#tokens.length + 1;
      return UNKNOWN;
    }
    this.#take("|");
    const either = [this.#both()];
    while (this.#take("|")) either.push(this.#both());
    this.#depth--;
    if (this.#peek() === "extends") return this.#condition();
    const real = either.filter((one) => !(one.kind === "named" && NOTHING.has(one.name)));
    return real.length === 1 ? real[0] ?? UNKNOWN : { kind: "either", of: real };
  }

  /** `T extends A ? B : never` is a `B`; where neither side is nothing, none is certain. */
  #condition(): TypeForm {
    this.#skipTo(["?", ",", ">", ")", "]", "}", ";"]);
    if (!this.#take("?")) return UNKNOWN;
    const yes = this.#form();
    const no = this.#take(":") ? this.#form() : UNKNOWN;
    return isNothing(no) ? yes : isNothing(yes) ? no : UNKNOWN;
  }

  #both(): TypeForm {
    this.#take("&");
    const both = [this.#postfix()];
    while (this.#take("&")) both.push(this.#postfix());
    return both.length === 1 ? both[0] ?? UNKNOWN : { kind: "both", of: both };
  }

  #postfix(): TypeForm {
    let form = this.#primary();
    while (this.#peek() === "[") {
      this.#at++;
      if (this.#take("]")) {
        form = { kind: "list", of: form };
        continue;
      }
      const key = /^["'](\w+)["']$/.exec(this.#peek())?.[1];
      this.#skipTo(["]"]);
      this.#take("]");
      form = key === undefined ? UNKNOWN : { kind: "member", of: form, name: key };
    }
    return form;
  }

  #primary(): TypeForm {
    const token = this.#peek();
    if (token === "*" || token === "readonly" || token === "abstract") {
      this.#at++;
      return this.#postfix();
    }
    if (token === "..." || token === "[") return this.#many();
    if (token === "(") return this.#inBrackets();
    if (token === "<") {
      const bounds = this.#bounds();
      const form = this.#primary();
      return form.kind === "function" ? withBounds(form, bounds) : form;
    }
    if (token === "{") {
      const end = this.#closing("{", "}");
      const mapped = this.#mapped();
      this.#at = end + 1;
      return mapped;
    }
    this.#at++;
    if (token === "func") return this.#peek() === "(" ? this.#inBrackets() : UNKNOWN;
    if (token === "map") {
      this.#pass("[", "]");
      return { kind: "list", of: this.#primary() };
    }
    if (token === "chan" || token === "<-") {
      if (token === "<-") this.#take("chan");
      return { kind: "list", of: this.#primary() };
    }
    if (token === "typeof") return { kind: "of", expression: this.#dotted() };
    if (/^(?:keyof|unique|infer|asserts|new|import|struct|interface)$/.test(token)) {
      this.#skipTo([",", ">", ")", "]", "|", ";"]);
      return UNKNOWN;
    }
    if (!/^[\p{L}_$]/u.test(token)) return UNKNOWN;
    this.#at--;
    return this.#named();
  }

  /** What the type parameters of a function extend, by their names. */
  #bounds(): ReadonlyMap<string, TypeForm> {
    const end = this.#closing("<", ">");
    const bounds = new Map<string, TypeForm>();
    for (this.#at++; this.#at < end; this.#at++) {
      const name = this.#tokens[this.#at++] ?? "";
      if (this.#take("extends")) bounds.set(name, this.#form());
      this.#skipTo([","], end);
    }
    this.#at = end + 1;
    return bounds;
  }

  /** `{ [K in keyof T]: T[K] }` has the members of `T`; of other objects no name tells anything. */
  #mapped(): TypeForm {
    const text = this.#tokens.slice(this.#at, this.#closing("{", "}") + 1).join(" ");
    const [, , name] = MAPPED.exec(text) ?? [];
    return name === undefined ? UNKNOWN : { kind: "named", name, args: [] };
  }

  #dotted(): string {
    let name = this.#tokens[this.#at++] ?? "";
    while (this.#peek() === ".") {
      this.#at++;
      name += `.${this.#tokens[this.#at++] ?? ""}`;
    }
    return name;
  }

  #named(): TypeForm {
    const name = this.#dotted();
    if (this.#peek() === "is") {
      this.#skipTo([",", ">", ")", ";"]);
      return UNKNOWN;
    }
    const args: TypeForm[] = [];
    if (this.#take("<")) {
      do args.push(this.#form()); while (this.#take(","));
      this.#take(">");
    }
    const [first = UNKNOWN, second = UNKNOWN] = args;
    if (SAME.has(name) && args.length > 0) return first;
    if (LISTS.has(name) && args.length > 0) return { kind: "list", of: first };
    if (MAPS.has(name) && args.length > 1) return { kind: "list", of: second };
    return { kind: "named", name, args };
  }

  /** `[]T` and `[3]T` of Go, `[A, B]` of TypeScript, `...T`. */
  #many(): TypeForm {
    if (this.#take("...")) return { kind: "list", of: this.#primary() };
    this.#at++;
    if (this.#take("]")) return { kind: "list", of: this.#primary() };
    if (/^\d/.test(this.#peek()) && this.#tokens[this.#at + 1] === "]") {
      this.#at += 2;
      return { kind: "list", of: this.#primary() };
    }
    const of: TypeForm[] = [];
    do {
      this.#label();
      of.push(this.#form());
    } while (this.#take(","));
    this.#take("]");
    return { kind: "tuple", of };
  }

  #label(): void {
    const isLabel = this.#tokens[this.#at + 1] === ":" ||
      this.#tokens[this.#at + 1] === "?" && this.#tokens[this.#at + 2] === ":";
    if (!isLabel) return;
    while (!this.#take(":")) this.#at++;
  }

  /** A function with its parameters, a type in brackets, or several results of Go. */
  #inBrackets(): TypeForm {
    const isFunc = this.#tokens[this.#at - 1] === "func";
    const end = this.#closing();
    const next = this.#tokens[end + 1];
    if (isFunc || next === "=>") return this.#function(end);
    this.#at++;
    const of = this.#parameters(end).map(({ type }) => type);
    return of.length === 1 ? of[0] ?? UNKNOWN : { kind: "tuple", of };
  }

  #function(end: number): TypeForm {
    this.#at++;
    const parameters = this.#parameters(end);
    const hasResult = this.#take("=>") || this.#take(":") || /^[\p{L}*([]/u.test(this.#peek());
    const result = hasResult ? this.#form() : UNKNOWN;
    return { kind: "function", parameters, result };
  }

  /** What stands before the closing bracket; names of parameters are left out, and shared types given to each. */
  #parameters(end: number): readonly Parameter[] {
    const found: {
      readonly type: TypeForm;
      readonly isRest: boolean;
      readonly isAlone: boolean;
    }[] = [];
    while (this.#at < end) {
      const start = this.#at;
      let isRest = this.#take("...");
      const second = this.#tokens[this.#at + 1] ?? "";
      const isWord = /^[\p{L}_$]/u.test(this.#peek());
      let isAlone = false;
      if (/^[[{]/.test(this.#peek()) && this.#isPattern()) {
        this.#passPattern();
      } else if (isWord && (second === ":" || second === "?")) {
        this.#label();
      } else if (
        isWord && this.#at + 1 < end && !/^[,).<|&[]$/.test(second) ||
        isWord && second === "[" && this.#isGoList()
      ) {
        this.#at++;
        isRest = this.#take("...") || isRest;
      } else isAlone = isWord && (second === "," || this.#at + 1 === end);
      const type = this.#form();
      found.push({
        type: isRest && type.kind !== "list" ? { kind: "list", of: type } : type,
        isRest,
        isAlone,
      });
      if (this.#take("=")) this.#skipTo([","], end);
      if (!this.#take(",") && this.#at < end) this.#skipTo([","], end);
      this.#take(",");
      if (this.#at === start) break;
    }
    this.#at = end + 1;
    // `a, b string`: the names before share the type.
    const isNamed = found.some(({ isAlone }) => !isAlone);
    return found.map(({ type, isRest, isAlone }, index) => {
      const shared = isNamed && isAlone
        ? found.slice(index).find((one) => !one.isAlone)
        : undefined;
      return { type: shared?.type ?? type, isRest };
    });
  }

  #isGoList(): boolean {
    return this.#tokens[this.#at + 2] === "]" &&
      /^[\p{L}*[(]/u.test(this.#tokens[this.#at + 3] ?? "");
  }

  /** Whether brackets take a parameter apart: a colon stands behind them. */
  #isPattern(): boolean {
    const open = this.#peek();
    const end = this.#closing(open, open === "[" ? "]" : "}");
    return this.#tokens[end + 1] === ":";
  }

  #passPattern(): void {
    const open = this.#peek();
    this.#pass(open, open === "[" ? "]" : "}");
    this.#take(":");
  }

  #closing(open = "(", close = ")"): number {
    let depth = 0;
    for (let at = this.#at; at < this.#tokens.length; at++) {
      if (this.#tokens[at] === open) depth++;
      if (this.#tokens[at] === close && --depth === 0) return at;
    }
    return this.#tokens.length;
  }

  #pass(open: string, close: string): void {
    this.#at = this.#closing(open, close) + 1;
  }

  #skipTo(ends: readonly string[], limit = this.#tokens.length): void {
    let depth = 0;
    for (; this.#at < limit; this.#at++) {
      const token = this.#peek();
      if (depth === 0 && ends.includes(token)) return;
      if (/^[([{<]$/.test(token)) depth++;
      if (/^[)\]}>]$/.test(token)) depth--;
    }
  }
}
