/**
 * What the program knows of its clients: their files and their hooks.
 *
 * @module
 */
export { toClaudeSetup, toServer } from "./claude_code.ts";
export { toCodexSetup, toTomlTable } from "./codex.ts";
export { isOurHookGroup, SERVER_KEY } from "./setup.ts";
export type {
  ClientName,
  FileWish,
  JsonPiece,
  ProgramCommand,
  SetupInput,
  SkillText,
} from "./setup.ts";
export { glanceActive, glanceSessions } from "./active_session.ts";
export type { SessionGlance } from "./active_session.ts";
