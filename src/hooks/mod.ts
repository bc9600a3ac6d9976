/**
 * What the hooks of the clients ask, and what each is answered. A hook is a process of its own, so that
 * nothing here loads the index, the searches or the protocol.
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
export { judgeShell } from "./shell_guard.ts";
export type { ShellRefusal } from "./shell_guard.ts";
