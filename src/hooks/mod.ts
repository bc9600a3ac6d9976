/**
 * What the clients' hooks ask, and how each is answered. A client starts a process for each hook,
 * so nothing here loads the index, the searches or the protocol.
 *
 * @module
 */
export { glanceActive, glanceRecords, glanceSessions, isVerifying } from "./active_session.ts";
export type { RecordsGlance, SessionGlance } from "./active_session.ts";
export { toHookOutput } from "./hook_answer.ts";
export type { HookAnswer } from "./hook_answer.ts";
export { HOOK_EVENTS, toHookCall } from "./hook_call.ts";
export type { HookCall, HookTool, HookWord } from "./hook_call.ts";
export { answerHook } from "./hook_events.ts";
export type { HookPlace } from "./hook_events.ts";
export type { ShellPlace } from "./shell_commands.ts";
export { judgeShell, listShellFolders } from "./shell_guard.ts";
export type { ShellRefusal } from "./shell_guard.ts";
