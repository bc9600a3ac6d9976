/**
 * Several repositories at once: which others a project asks, and what they say to its questions.
 *
 * @module
 */
export type {
  AmbiguousName,
  MemberState,
  MemberStatus,
  OtherAnswer,
  OtherReferences,
  OtherRepository,
} from "./answer_types.ts";
export type { ListedMember } from "./membership.ts";
export type { LinesQuery, LineTools } from "./search_lines.ts";
export { createWorkspace } from "./lazy.ts";
export type { AskOptions, Workspace, WorkspaceOptions } from "./workspace.ts";
