/** Tells of a comment whether it marks open work, or is code that somebody took out of use. */
import type { Language } from "../../language/languages.ts";
import { anyOf } from "../../base/text/any_of.ts";
import { parseText } from "../../syntax/tree_sitter.ts";

/** A mark as one is set: at the beginning of a comment, before a colon or a bracket, or at its end. */
const MARK =
  /^[^\p{L}\p{N}]*@?(?:TODO|FIXME|XXX|HACK)\b|\b(?:TODO|FIXME|XXX|HACK)\b\s*(?:[:([]|\W*$)/u;
const LOWER_MARK = /^[^\p{L}\p{N}]*(?:todo|fixme|hack)\s*[:(]/u;

/** Whether a comment has an open mark; one that only speaks of such marks has none. */
export function isOpenMark(comment: string): boolean {
  return MARK.test(comment) || LOWER_MARK.test(comment);
}

/** What a comment is beside its text. */
const COMMENT_SIGNS = /^\s*(?:\/\/|#|--|;+|%|\/\*+|\*|<!--|\{\/\*)\s?|\s*(?:\*\/\}?|-->)\s*$/g;
const DOCUMENTS = /^\s*(?:\/\/[\/!]|\/\*\*|\*|#!|#\[|"""|''')/;
/** Words in a row, as a sentence has them and no code. */
const PROSE = /(?:^|\s)[A-Za-z][a-z']*,?(?:\s+[a-z']+,?){3,}/;

/** The text of a line that is a comment as a whole; null for documentation, and for what is too short to say anything. */
export function readCommentText(line: string): string | null {
  if (DOCUMENTS.test(line)) return null;
  const text = line.replaceAll(COMMENT_SIGNS, "").trim();
  return text.length < 4 ? null : text;
}

/** What any sentence may be read as: text of a page, a command with its words, a name, a label. */
const SAYS_NOTHING =
  /^(?:command|text|comment|ERROR|labeled_statement|empty_statement|identifier|php_tag)$/;
/** Statements that no sentence is: what a line of code does. */
const DOES = anyOf(
  /assign|declar|definition|call|invocation|return|throw|raise|import|require|macro|_item$|var|const|let|bind/,
  /^(?:if|while|for|unless|switch|match|try|with|function|class|method|decorat|assert|delete|defer|go_)/,
  /^(?:print|echo|yield|await)/,
);
/** What no sentence has beside a command: options, values, quotes. */
const SIGNS = /\s--?\w|[$="'|]/;
/** What a line that opens a block needs behind it to be whole, by its end. */
const OPEN: readonly (readonly [end: RegExp, rest: string])[] = [
  [/./, ""],
  [/\{$/, "}"],
  [/\{$/, "})"],
  [/\{$/, "\n:\n}"],
  [/:$/, "\n  pass"],
  [/\b(?:then|do)$|^def\b/, "\nend"],
  [/\($/, ")"],
  [/\($/, ") {}"],
  [/\bthen$/, "\n:\nfi"],
  [/\bdo$/, "\n:\ndone"],
];

/** What stands around a statement, in languages that have none at the top. */
const AROUND: Readonly<Record<string, readonly [string, string]>> = {
  C: ["void a() {\n", "\n}"],
  "C++": ["void a() {\n", "\n}"],
  Dart: ["void a() {\n", "\n}"],
  Go: ["package a\nfunc a() {\n", "\n}"],
  PHP: ["<?php\n", ""],
  Rust: ["fn a() {\n", "\n}"],
};
/** Lines of code, in languages without a grammar. */
const FORMS = anyOf(
  /^[^.!?]*[\w)\]"'`]\s*;$|^[^.!?]*\)?\s*\{$/,
  /^(?:const|let|var|val|my|local|our)\s+[\w$@%, ]+=\s*\S|^[$@%]?\w[\w.]*\s*[-+*/.|&:]?=\s*[^=\s>]/,
  /^(?:await\s+)?[$\w]+(?:(?:\.|->|::)\w+)*!?\s*\([^)]*[\w"'`\])]?\s*\)$/,
);

/**
 * Whether a line that is a comment as a whole is code: by the syntax tree of its language, or by its keywords where it has
 * no grammar.
 *
 * @param heads first words of the lines of code of the file: what it calls.
 */
export async function isCommentedOut(
  line: string,
  language: Language,
  heads: ReadonlySet<string>,
): Promise<boolean> {
  const text = readCommentText(line);
  if (text === null) return false;
  if (language.words !== undefined) return isQuery(text, language.words);
  if (PROSE.test(text.replaceAll(/"[^"]*"|'[^']*'/g, '""'))) return false;
  const { name, nature, family, grammar } = language;
  if (nature === "code" && family !== "shell") return await isCode(text, language);
  if (!/^(?:code|style|markup)$/.test(nature)) return false;
  const [head = ""] = text.split(/\s/, 1);
  const statements = await parseComment(text, ["", ""], grammar === null ? "css" : name);
  return statements.some((type) => !SAYS_NOTHING.test(type)) ||
    (statements.length > 0 && heads.has(head) && SIGNS.test(text));
}

/** Whether a text is a statement of a programming language, or a member of a class. */
async function isCode(text: string, { name, grammar }: Language): Promise<boolean> {
  if (/^[\]})][\s;,\]})]*(?:else\s*\{)?$/.test(text)) return true;
  if (grammar === null) return FORMS.test(text);
  if (/^@\w+(?![\w.]*\()|^#/.test(text)) return false;
  const statements = await parseComment(text, AROUND[name] ?? ["", ""], name);
  if (statements.some((type) => DOES.test(type))) return true;
  return /[;{]$/.test(text) &&
    (await parseComment(text, ["class A {\n", "\n}"], name)).length > 0;
}

/** Types of the statements in a text; none where it is no code of the language. */
async function parseComment(
  text: string,
  [before, after]: readonly [string, string],
  language: string,
): Promise<readonly string[]> {
  for (const [, rest] of OPEN.filter(([end]) => end.test(text))) {
    using tree = await parseText(`${before}${text}${rest}${after}`, language);
    if (tree === null) return [];
    if (tree.root.hasError) continue;
    const [first, end] = [before.length, before.length + text.length - 1];
    const node = tree.root.namedDescendantForIndex(first, end) ?? tree.root;
    const isBlock = before !== "" && node.startIndex < first;
    const statements = before === ""
      ? tree.root.namedChildren
      : isBlock
      ? node.namedChildren
      : [node];
    return statements.filter(({ startIndex }) => startIndex >= first)
      .flatMap((one) =>
        /^(?:expression_)?statement$|^exp$|^top_splice$|_list$/.test(one.type)
          ? one.namedChildren
          : [one]
      )
      // An annotation of a type gives nothing a value.
      .filter((one) => !/assign/.test(one.type) || one.text.includes("="))
      .map(({ type }) => type);
  }
  return [];
}

/** Whether a text begins with a keyword and ends as a statement, or has keywords in capitals beside a sign or another one. */
function isQuery(text: string, names: RegExp): boolean {
  const isKeyword = (word: string) => [...word.matchAll(names)].length === 0;
  const [head = ""] = text.match(/^[A-Za-z]+/) ?? [];
  if (head === "" || !isKeyword(head)) return false;
  if (/[\w)'"]\s*;$/.test(text)) return true;
  const capitals = (text.match(/\b[A-Z]{2,}\b/g) ?? []).filter(isKeyword);
  return capitals.includes(head) && (capitals.length > 1 || /[=*(<>]/.test(text));
}
