/**
 * Programs and scanners that read code: ripgrep, ctags, and the built-in ways where they are missing.
 *
 * @module
 */
export { findTagsByCtags, isReadByCtags } from "./ctags.ts";
export type { CtagsOptions, CtagsResult } from "./ctags.ts";
export { createBackends } from "./detect.ts";
export type { Backends, BackendStatus, DetectOptions } from "./detect.ts";
export type { DefinitionPattern } from "./language_definitions.ts";
export { isOfLanguage, languageByName, languageOfPath, LANGUAGES } from "./languages.ts";
export type { Language } from "./languages.ts";
export { kindOfPlace, maskText, splitComments } from "./mask.ts";
export type { PlaceKind, SplitText } from "./mask.ts";
export { findEndByIndent, findTagsByRegex } from "./regex_tags.ts";
export {
  FolderLook,
  pickRegularFiles,
  readProjectText,
  readSmallText,
  toLeftOutNotices,
} from "./regular_files.ts";
export type { RegularFiles } from "./regular_files.ts";
export { listFilesWithRipgrep, listFileTypes, searchWithRipgrep } from "./ripgrep.ts";
export { listWalkedFiles } from "./ripgrep_run.ts";
export { readSourceText } from "./source_text.ts";
export { decodeText } from "./text_file.ts";
export { comparePaths, cutLine, toPatternNotices } from "./text_query.ts";
export type { LineMatch, TextQuery, TextResult, TextScope } from "./text_query.ts";
export { listFilesByScan, scanText } from "./text_scan.ts";
export { compareTags, isTopLevel } from "./tags.ts";
export type { Tag } from "./tags.ts";
export { toTestName } from "./test_names.ts";
export type { TestName } from "./test_names.ts";
export { hasGrammar, loadQuery, parseText, parseWithGrammar } from "./tree_sitter.ts";
export type {
  ParseOptions,
  SyntaxMatch,
  SyntaxNode,
  SyntaxQuery,
  SyntaxTree,
} from "./tree_sitter.ts";
export { walkFiles } from "./walk.ts";
export type { WalkOptions } from "./walk.ts";
