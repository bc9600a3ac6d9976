/** What hooks answer without asking the session's desk; whole sessions are in commands/hook_test.ts. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { HookContext } from "../../src/hooks/hook_events.ts";
import { answerHook, formatProblems } from "../../src/hooks/hook_events.ts";
import { parseHookCall } from "../../src/hooks/hook_call.ts";

const PUSH = parseHookCall("pre-tool-use", "claude", {
  session_id: "c",
  cwd: "/work/app",
  tool_name: "Bash",
  tool_input: { command: "git push" },
});

function place(state: Readonly<Record<string, unknown>> | null): HookContext {
  const id = "session_20260101_000000_0001";
  const session = state === null ? null : { id, status: "active" as const, revision: 3, state };
  return {
    root: "/work/app",
    session,
    loadDoor: () => Promise.reject(new Error("the desk is not needed")),
    proveTurn: () => Promise.reject(new Error("nothing is proven during a session")),
  };
}

Deno.test("answerHook() proves a turn of the main agent where no session is active, and no other turn", async () => {
  const told = { kind: "tell", line: "proven" } as const;
  const stop = async (event: object, state: Readonly<Record<string, unknown>> | null = null) => {
    const context = { ...place(state), proveTurn: () => Promise.resolve(told) };
    return (await answerHook(parseHookCall("stop", "claude", event), context)).kind;
  };
  const main = { session_id: "c" };
  const kinds = await Promise.all([
    stop(main),
    stop({ ...main, agent_id: "a" }),
    stop({ ...main, background_tasks: [{}] }),
    stop({}),
    stop({ ...main, stop_hook_active: true }, {}),
  ]);
  deepEqual(kinds, ["tell", "none", "none", "none", "none"]);
});

Deno.test("answerHook() obeys the mode of the session: refuse, warn, or nothing", async () => {
  const kinds = await Promise.all(
    [
      { ledger: { mode: "strict" } },
      {},
      { ledger: { mode: "warn" } },
      { ledger: { mode: "off" } },
      null,
    ]
      .map(async (state) => (await answerHook(PUSH, place(state))).kind),
  );
  deepEqual(kinds, ["deny", "deny", "context", "none", "none"]);
});

Deno.test("answerHook() lets an agent end its turn when a person is due", async () => {
  const stop = parseHookCall("stop", "codex", {
    session_id: "c",
    cwd: "/x",
    stop_hook_active: false,
  });
  for (
    const state of [
      { escalation: { cause: "back_limit", message: "x" } },
      { stage: "BRANCH_INTERVENTION" },
      { stage: "READY_IMPL", lastProblems: [{ code: "verify_untrusted" }] },
    ]
  ) equal((await answerHook(stop, place(state))).kind, "none");
});

Deno.test("formatProblems() names the place, each way out, and how many are left out", () => {
  const problems = Array.from(
    { length: 10 },
    (_, at) => ({ code: "x", message: `m${at}`, hint: "h" }),
  );
  const standing = {
    sessionId: "s",
    phase: "READY",
    step: 13,
    of: 19,
    mayWrite: true,
    rules: [],
  };
  const text = formatProblems(problems, standing);
  match(text, /^code-intel \(step 13\/19: READY\):\n- m0\. h\n/);
  match(text, /\n- and 2 more$/);
  equal(formatProblems([], null), "code-intel:\n- not allowed now. Call get_session_status.");
});
