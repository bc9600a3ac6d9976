/**
 * What finds text in files: ripgrep, and the built-in scan where it is missing.
 *
 * @module
 */
export { createBackends } from "./detect.ts";
export type { Backends, BackendStatus, DetectOptions } from "./detect.ts";
export { listHolding, runText } from "./live_context.ts";
export type {
  Holding,
  HoldingOptions,
  ListFiles,
  ListFilesOptions,
  LiveExplorerOptions,
} from "./live_context.ts";
export {
  FolderLook,
  pickRegularFiles,
  readProjectText,
  readSmallText,
  toLeftOutNotices,
} from "./regular_files.ts";
export type { RegularFiles } from "./regular_files.ts";
export { listFilesWithRipgrep, listFileTypes } from "./ripgrep.ts";
export { listWalkedFiles } from "./ripgrep_run.ts";
export { comparePaths, cutLine, toPatternNotices } from "./text_query.ts";
export type { LineMatch, TextQuery, TextResult, TextScope } from "./text_query.ts";
export { listFilesByScan } from "./text_scan.ts";
export { toCutNotices, walkFiles } from "./walk.ts";
export type { WalkCut } from "./walk.ts";
export type { WalkOptions } from "./walk.ts";
