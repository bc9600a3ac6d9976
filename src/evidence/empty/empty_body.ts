/**
 * Decides whether a piece of evidence is more than an empty implementation; by the syntax tree
 * where there is a grammar for the language.
 */
import { LIMITS } from "../../base/settings/limits.ts";
import { isDocument } from "../../base/text/document_files.ts";
import type { LineRange } from "../../git/trees/changed_lines.ts";
import type { Language } from "../../language/languages.ts";
import { languageByName, languageOfPath } from "../../language/languages.ts";
import { listScripts } from "../../syntax/embedded_scripts.ts";
import type { SyntaxTree } from "../../syntax/tree_sitter.ts";
import { parseText } from "../../syntax/tree_sitter.ts";
import { removeComments } from "../tests/read_tests.ts";
import type { CodeLanguage } from "./empty_function.ts";
import { findFunctionAt, findInTree } from "./empty_tree.ts";
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
  readonly createdRanges: readonly LineRange[];
}

/** What the judgement of a range says. */
export type RangeVerdict =
  | { readonly kind: "real" }
  | {
    readonly kind: "empty";
    /** What is wrong, as part of a sentence. */
    readonly reason: string;
    /** Whether a grammar says it, or only a rule about lines. */
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
  spans: readonly LineRange[],
): Promise<readonly RangeVerdict[]> {
  const language = languageOfPath(file.path);
  if (language?.holdsScripts) {
    return await Promise.all(spans.map((span) => judgeMarkup(file, span, language)));
  }
  using parsed = await parseCode(file, language);
  return spans.map((span) =>
    parsed === null ? judgeText(file, span, language) : judgeTree(parsed, file, span)
  );
}

/**
 * Judges a place where lines were only removed: empty when the removed lines were the work of a
 * function.
 *
 * @param line the line of the file now after which the lines stood.
 */
export async function judgeRemoval(
  file: Pick<JudgedFile, "path" | "text">,
  line: number,
): Promise<RangeVerdict> {
  using parsed = await parseCode(file, languageOfPath(file.path));
  const reason = parsed === null
    ? null
    : findFunctionAt(parsed.root, parsed.language, { line, isGap: true }).reason;
  return reason === null ? REAL : { kind: "empty", reason, judgedBy: "syntax" };
}

/** The innermost functions around lines of a file; empty where no grammar tells. */
export async function findFunctions(
  file: Pick<JudgedFile, "path" | "text">,
  spans: readonly LineRange[],
): Promise<readonly LineRange[]> {
  using parsed = await parseCode(file, languageOfPath(file.path));
  return parsed === null
    ? []
    : spans.flatMap(({ start }) =>
      findFunctionAt(parsed.root, parsed.language, { line: start, isGap: false }).lines ?? []
    );
}

interface Parsed extends SyntaxTree {
  readonly language: CodeLanguage;
}

/** The syntax tree of a file; null where the file is judged without one. */
async function parseCode(
  { path, text }: Pick<JudgedFile, "path" | "text">,
  language: Language | undefined,
): Promise<Parsed | null> {
  if (language?.bodies === undefined || text.length > LIMITS.fileBytes.value) return null;
  // Stubs of types have no bodies by design.
  if (/\.pyi$/i.test(path)) return null;
  const { bodies } = language;
  const tree = await parseText(text, language.name);
  return tree === null ? null : { ...tree, language: { ...language, bodies } };
}

function judgeTree(
  { root, language }: Parsed,
  { createdRanges: created }: JudgedFile,
  span: LineRange,
): RangeVerdict {
  const { isReal, isNeutral, reasons: [reason] } = findInTree(root, language, { span, created });
  if (isReal || (reason === undefined && isNeutral)) return REAL;
  return { kind: "empty", reason: reason ?? NO_CODE, judgedBy: "syntax" };
}

/** Markup is real wherever it has text; a range inside a script is judged as that script. */
async function judgeMarkup(
  file: JudgedFile,
  span: LineRange,
  language: Language,
): Promise<RangeVerdict> {
  const script = listScripts(file.text)
    .find(({ first, last }) => span.start >= first && span.end <= last);
  using parsed = script === undefined
    ? null
    : await parseCode({ path: file.path, text: script.padded }, languageByName(script.language));
  return parsed === null ? judgeText(file, span, language) : judgeTree(parsed, file, span);
}

/** Judges without a tree: a range is empty when no line of it has more than a comment or a placeholder. */
function judgeText(
  { path, text }: JudgedFile,
  { start, end }: LineRange,
  language: Language | undefined,
): RangeVerdict {
  // Of a document, what is to be done may be the content.
  const isDocuments = isDocument(path) || language?.nature === "prose";
  const lines = removeComments(text, language).slice(start - 1, end)
    .map((line) => line.trim()).filter((line) => line !== "");
  const isStandIn = (line: string) =>
    isDocuments ? isBareMark(line) : isMark(line) || kindOfStatement(line) === "placeholder";
  if (!lines.every(isStandIn)) return REAL;
  const reason = lines.length > 0 ? "it only says that it is not implemented" : NO_CODE;
  return { kind: "empty", reason, judgedBy: "text" };
}
