/**
 * Blanks the comments and strings of a source text, so that what is left is code at its old place. By
 * the comment syntax of the language table, not by a parser: literal expressions such as `/"/` may
 * mislead it to the end of their line. Pure.
 */
import type { Language } from "./languages.ts";

const COMMENT = "\u0001";
const STRING = "\u0002";
const COMMENT_RUN = new RegExp(`${COMMENT}+`, "g");
/** A string of a masked text, with its quotes; one of several lines is several runs. */
export const STRING_RUN = new RegExp(`${STRING}+`, "g");

/** What a place in a text is. */
export type PlaceKind = "code" | "comment" | "string";

/** What the mask says about one place. */
export function kindOfPlace(masked: string, at: number): PlaceKind {
  const char = masked.charAt(at);
  return char === COMMENT ? "comment" : char === STRING ? "string" : "code";
}

/** The text with every character of comments and strings replaced; line ends stay. */
export function maskText(text: string, language: Language): string {
  return new Masker(text, language).run();
}

/** A text twice, line by line the same: without its comments, and its comments alone. */
export interface SplitText {
  readonly code: string;
  readonly comments: string;
}

/** Parts a text into code (strings included) and comments. */
export function splitComments(text: string, language: Language): SplitText {
  if (language.lineComments.length + language.blockComments.length === 0) {
    return { code: text, comments: "" };
  }
  const masked = maskText(text, language);
  let code = "";
  let comments = "";
  let at = 0;
  // Line ends inside a block comment are kept by the mask, so a run never holds one.
  for (const { 0: run, index } of masked.matchAll(COMMENT_RUN)) {
    const before = text.slice(at, index);
    code += `${before} `;
    comments += `${keepLineEnds(before)}${text.slice(index, index + run.length)} `;
    at = index + run.length;
  }
  const rest = text.slice(at);
  return { code: code + rest, comments: comments + keepLineEnds(rest) };
}

function keepLineEnds(text: string): string {
  let ends = "";
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) ends += "\n";
  return ends;
}

class Masker {
  readonly #text: string;
  readonly #language: Language;
  readonly #starts: RegExp;
  #parts: string[] = [];
  #at = 0;

  constructor(text: string, language: Language) {
    this.#text = text;
    this.#language = language;
    const starts = [
      ...language.blockComments.map(([open]) => open),
      ...language.lineComments,
      ...language.quotes,
    ];
    const sources = starts.sort((a, b) => b.length - a.length).map(escape);
    this.#starts = new RegExp([...sources, "[{}]"].join("|"), "g");
  }

  run(): string {
    this.#code(false);
    return this.#parts.join("");
  }

  /** Copies code; inside a string's interpolation it ends at the brace that closes it. */
  #code(inString: boolean): void {
    let depth = 0;
    while (this.#at < this.#text.length) {
      this.#starts.lastIndex = this.#at;
      const match = this.#starts.exec(this.#text);
      if (match === null) {
        this.#copy(this.#text.length);
        return;
      }
      const token = match[0];
      this.#copy(match.index);
      if (token === "{" || token === "}") {
        if (inString && token === "}" && depth-- === 0) return;
        if (token === "{") depth++;
        this.#copy(this.#at + 1);
      } else if (!this.#token(token)) this.#copy(this.#at + token.length);
    }
  }

  /** Handles what may begin a comment or a string; false when it does not. */
  #token(token: string): boolean {
    const { blockComments, lineComments, quotes } = this.#language;
    const block = blockComments.find(([open]) => open === token);
    const before = this.#at === 0 ? "\n" : this.#text.charAt(this.#at - 1);
    if (block !== undefined) {
      // Ruby's block comments count at the start of a line only.
      if (token.startsWith("=") && before !== "\n") return false;
      const end = this.#text.indexOf(block[1], this.#at + token.length);
      this.#blank(end < 0 ? this.#text.length : end + block[1].length, COMMENT);
      return true;
    }
    if (lineComments.includes(token)) {
      // "https://", "$#" and "#[Attribute]" are no comments.
      if (token === "//" && before === ":") return false;
      if (token === "#" && /[\w$&{'"]/.test(before)) return false;
      if (token === "#" && this.#language.name === "PHP" && this.#text[this.#at + 1] === "[") {
        return false;
      }
      const end = this.#text.indexOf("\n", this.#at);
      this.#blank(end < 0 ? this.#text.length : end, COMMENT);
      return true;
    }
    if (!quotes.includes(token)) return false;
    this.#string(token, before);
    return true;
  }

  #string(quote: string, before: string): void {
    const isLong = quote.length === 3 || quote === "`";
    const interpolation = this.#interpolationOf(quote, before);
    this.#blank(this.#at + quote.length, STRING);
    let at = this.#at;
    while (at < this.#text.length) {
      const char = this.#text.charAt(at);
      if (char === "\\") at += 2;
      else if (char === "\n" && !isLong) break;
      else if (this.#text.startsWith(quote, at)) {
        at += quote.length;
        break;
      } else if (interpolation !== undefined && this.#text.startsWith(interpolation, at)) {
        this.#blank(at + interpolation.length, STRING);
        this.#code(true);
        at = this.#at;
      } else at++;
    }
    this.#blank(Math.min(at, this.#text.length), STRING);
  }

  #interpolationOf(quote: string, before: string): string | undefined {
    const { name, interpolation } = this.#language;
    if (name === "Python") return /[fF]/.test(before) ? "{" : undefined;
    if (interpolation === undefined || quote === "'") return undefined;
    // In JavaScript and its kin only the backtick interpolates.
    return this.#language.quotes.includes("`") && quote !== "`" ? undefined : interpolation;
  }

  #copy(to: number): void {
    this.#parts.push(this.#text.slice(this.#at, to));
    this.#at = to;
  }

  #blank(to: number, sign: string): void {
    if (to <= this.#at) return;
    this.#parts.push(this.#text.slice(this.#at, to).replace(/[^\r\n]/g, sign));
    this.#at = to;
  }
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
