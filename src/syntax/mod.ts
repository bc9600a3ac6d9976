/**
 * Syntax trees of code, by the vendored grammars. Nothing is loaded before the first parse.
 *
 * @module
 */
export type { IgnoredDifferences } from "./normal_form.ts";
export { isSameCode, normaliseCode } from "./normal_form.ts";
export type { CompiledPatterns } from "./pattern_files.ts";
export { sealPatterns, toPatternFile } from "./pattern_files.ts";
export { compilePatterns, loadQuery, parseText, parseWithGrammar } from "./tree_sitter.ts";
export type {
  ParseOptions,
  SyntaxMatch,
  SyntaxNode,
  SyntaxQuery,
  SyntaxTree,
} from "./tree_sitter.ts";
