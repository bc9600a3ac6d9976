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
export { glanceActive, glanceRecords, glanceSessions, isVerifying } from "./active_session.ts";
export type { RecordsGlance, SessionGlance } from "./active_session.ts";
export { toHookOutput } from "./hook_answer.ts";
export type { HookAnswer } from "./hook_answer.ts";
export { HOOK_EVENTS, toHookCall } from "./hook_call.ts";
export type { HookCall, HookTool, HookWord } from "./hook_call.ts";
export { judgeShell } from "./shell_guard.ts";
export type { ShellRefusal } from "./shell_guard.ts";
