/**
 * Decides whether a piece of evidence is more than an empty implementation; by the syntax tree
 * where there is a grammar for the language.
 */
import type { Language } from "../../language/languages.ts";
import type { SyntaxTree } from "../../syntax/tree_sitter.ts";
import { languageByName, languageOfPath } from "../../language/languages.ts";
import { maskText } from "../../language/mask.ts";
import { parseText } from "../../syntax/tree_sitter.ts";
import { isDocument } from "../../base/text/document_files.ts";
import { listScripts } from "../embedded_scripts.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { Grammar } from "./empty_bodies.ts";
import { EMPTY_BODY_RULES } from "./empty_rules.ts";
import type { LineSpan } from "./empty_tree.ts";
import { findEmptiedFunction, findFunctionAt, findInTree } from "./empty_tree.ts";
import { isBareMark, isMark, kindOfStatement } from "./empty_wording.ts";

/** A file in which ranges are claimed as done. */
export interface JudgedFile {
  /** Path of the file; its name tells the language. */
  readonly path: string;
  /** The whole file. */
  readonly text: string;
  /**
   * Lines that the session wrote. A function in them is new, so that a bare null as its body counts
   * as empty.
   */
  readonly createdRanges: readonly LineSpan[];
}

/** A range that is claimed as done. */
interface RangeClaim extends JudgedFile, LineSpan {}

/** What the judgement of a range says. */
export type RangeVerdict =
  | { readonly kind: "real" }
  | {
    readonly kind: "empty";
    /** What is wrong, as part of a sentence. */
    readonly reason: string;
    /** Whether a grammar told it, or only a rule about lines. */
    readonly judgedBy: "syntax" | "text";
  };

const REAL: RangeVerdict = { kind: "real" };
/** Reason for a range with only comments and blank lines. */
export const NO_CODE = "it holds only blank lines, comments or brackets";

/**
 * Judges ranges of one file, which is parsed once. A range is empty only when nothing in it does work, so an empty function
 * beside a real one passes. A range that cuts through a function is judged by the whole function.
 */
export async function judgeRanges(
  file: JudgedFile,
  spans: readonly LineSpan[],
): Promise<readonly RangeVerdict[]> {
  const language = languageOfPath(file.path);
  if (language !== undefined && language.holdsScripts) {
    return await Promise.all(spans.map((span) => judgeMarkup({ ...file, ...span }, language)));
  }
  using parsed = await parseCode(file, language);
  return spans.map((span) =>
    parsed === null
      ? judgeText({ ...file, ...span }, language)
      : judgeTree(parsed, { span, created: file.createdRanges })
  );
}

/**
 * Judges a place where lines were only removed: empty when the removed lines were the work of a
 * function.
 *
 * @param line the line of the file now after which the lines stood.
 */
export async function judgeRemoval(
  file: { readonly path: string; readonly text: string },
  line: number,
): Promise<RangeVerdict> {
  using parsed = await parseCode(file, languageOfPath(file.path));
  const reason = parsed === null
    ? null
    : findEmptiedFunction(parsed.tree.root, parsed.grammar, line);
  return reason === null ? REAL : { kind: "empty", reason, judgedBy: "syntax" };
}

/** The innermost functions around lines of a file; empty where no grammar tells. */
export async function findFunctions(
  file: { readonly path: string; readonly text: string },
  spans: readonly LineSpan[],
): Promise<readonly LineSpan[]> {
  using parsed = await parseCode(file, languageOfPath(file.path));
  if (parsed === null) return [];
  const { tree, grammar } = parsed;
  return spans.flatMap(({ start }) => findFunctionAt(tree.root, grammar, start) ?? []);
}

interface Parsed {
  readonly tree: SyntaxTree;
  readonly grammar: Grammar;
  [Symbol.dispose](): void;
}

/** The syntax tree of a file; null where the file is judged without one. */
async function parseCode(
  { path, text }: { readonly path: string; readonly text: string },
  language: Language | undefined,
): Promise<Parsed | null> {
  const rule = EMPTY_BODY_RULES.get(language?.grammar ?? "");
  // Stubs of types have no bodies by design.
  const isStub = /\.pyi$/i.test(path);
  if (language === undefined || rule === undefined || isStub) return null;
  if (text.length > LIMITS.fileBytes.value) return null;
  const tree = await parseText(text, language.name);
  if (tree === null) return null;
  const grammar = { name: language.grammar ?? "", rule };
  return { tree, grammar, [Symbol.dispose]: () => tree[Symbol.dispose]() };
}

function judgeTree(
  { tree, grammar }: Parsed,
  options: { readonly span: LineSpan; readonly created: readonly LineSpan[] },
): RangeVerdict {
  const found = findInTree(tree.root, grammar, options);
  if (found.isReal) return REAL;
  const [reason] = found.reasons;
  if (reason === undefined && found.isNeutral) return REAL;
  return { kind: "empty", reason: reason ?? NO_CODE, judgedBy: "syntax" };
}

/** Markup is real wherever it has text; a range inside a script is judged as that script. */
async function judgeMarkup(claim: RangeClaim, language: Language): Promise<RangeVerdict> {
  for (const { first, last, language: name, padded: text } of listScripts(claim.text)) {
    if (claim.start < first || claim.end > last) continue;
    const inner = languageByName(name);
    if (inner === undefined) break;
    using parsed = await parseCode({ path: claim.path, text }, inner);
    if (parsed === null) break;
    return judgeTree(parsed, { span: claim, created: claim.createdRanges });
  }
  return judgeText(claim, language);
}

/**
 * Judges without a tree: a range is empty when no line of it has more than a comment or a
 * placeholder.
 */
function judgeText(claim: RangeClaim, language: Language | undefined): RangeVerdict {
  const masked = language === undefined ? claim.text : maskText(claim.text, language);
  const lines = claim.text.split("\n");
  // Of a document, what is to be done may be the content.
  const isDocuments = isDocument(claim.path) || language?.nature === "prose";
  let isStandIn = false;
  for (const [at, line] of masked.split("\n").slice(claim.start - 1, claim.end).entries()) {
    const code = toCode(line, lines[claim.start - 1 + at] ?? "").trim();
    if (code === "") continue;
    const kind = kindOfStatement(code);
    const isReal = isDocuments ? !isBareMark(code) : !isMark(code) && kind !== "placeholder";
    if (isReal) return REAL;
    isStandIn = true;
  }
  const reason = isStandIn ? "it only says that it is not implemented" : NO_CODE;
  return { kind: "empty", reason, judgedBy: "text" };
}

/** A line without its comments, which the mask marks with one character for each UTF-16 unit. */
function toCode(masked: string, line: string): string {
  return masked.replaceAll(/./g, (sign, at: number) => sign === "\u0001" ? "" : line.charAt(at));
}
