/**
 * What the program knows of its clients: their files and their hooks.
 *
 * @module
 */
export { toClaudeSetup, toServer } from "./claude_code.ts";
export { toCodexSetup, toTomlTable } from "./codex.ts";
export {
  findOurHandlers,
  isOurHookGroup,
  SERVER_KEY,
  toOurHookGroup,
  toShellWords,
} from "./setup.ts";
export type {
  ClientName,
  FileWish,
  JsonPiece,
  ProgramCommand,
  SetupInput,
  SkillText,
} from "./setup.ts";
export {
  glanceActive,
  glanceRecords,
  glanceSessions,
  isVerifying,
} from "../hooks/active_session.ts";
export type { RecordsGlance, SessionGlance } from "../hooks/active_session.ts";
export { toHookOutput } from "../hooks/hook_answer.ts";
export type { HookAnswer } from "../hooks/hook_answer.ts";
export { HOOK_EVENTS, toHookCall } from "../hooks/hook_call.ts";
export type { HookCall, HookTool, HookWord } from "../hooks/hook_call.ts";
export { judgeShell } from "../hooks/shell_guard.ts";
export type { ShellRefusal } from "../hooks/shell_guard.ts";
