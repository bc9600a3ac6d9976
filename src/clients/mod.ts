/**
 * What the program writes into the files of its clients when a project is set up.
 *
 * @module
 */
export { LOADED_AT_ONCE, toClaudeMinimum, toClaudeSetup } from "./claude_code.ts";
export { toCodexEntry, toCodexSetup } from "./codex.ts";
export { CONFIG_CLIENTS, listConfigEntries } from "./config_entries.ts";
export type { ConfigEntry } from "./config_entries.ts";
export { toInstallation } from "./installation.ts";
export type { Installation } from "./installation.ts";
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
