/**
 * The languages: which files they are, how their comments, names and definitions are written, and what their tests are called.
 *
 * @module
 */
export { IN_BLOCK, OF_TYPE, WHOLE_MODULE } from "./fact_marks.ts";
export { DefinitionPattern } from "./definition_pattern.ts";
export { FAMILIES, familiesWith } from "./families.ts";
export type { Family, FamilyRow } from "./families.ts";
export {
  canNameType,
  declaresType,
  holdsMethods,
  isAddition,
  isCallable,
  isClass,
  isField,
  isMade,
  isMember,
  isOpenSpace,
  isSmall,
  isSpace,
  isType,
  isVariable,
  KINDS,
} from "./kinds.ts";
export type { Kind } from "./kinds.ts";
export {
  isOfLanguage,
  isText,
  keepOfSign,
  languageByName,
  languageOfPath,
  LANGUAGES,
  toFamily,
} from "./languages.ts";
export type { BodyRow, MutantRow, Nature, TestRow, TestSkips } from "./language_row.ts";
export type { Language } from "./languages.ts";
export { kindOfPlace, maskText, splitComments, STRING_RUN } from "./mask.ts";
export type { PlaceKind, SplitText } from "./mask.ts";
export { toKind } from "./tags.ts";
export type { Tag } from "./tags.ts";
export { isTestCommand, toNarrowRun, toOwnFiles, toRunnable } from "./test_runners.ts";
export { SCRIPT_LANGUAGES } from "./runner_words.ts";
export type { NamedRun } from "./test_runners.ts";
export { findRepeated } from "./repeated_tests.ts";
export type { JudgingHelper } from "./test_helpers.ts";
export { COMPARES, FAILS, findJudgingHelpers } from "./test_helpers.ts";
export { findTestsAt } from "./test_blocks.ts";
export type { TestBlock } from "./test_blocks.ts";
export { isTestSide, toTestName } from "./test_names.ts";
export type { TestName } from "./test_names.ts";
