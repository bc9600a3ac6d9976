/** The forms that the clients honour, as literals of their documentation. */
import { strictEqual as equal } from "node:assert/strict";
import { toHookOutput } from "../../src/hooks/hook_answer.ts";

Deno.test("toHookOutput() writes the documented form of each answer, for both clients", () => {
  for (const client of ["claude", "codex"] as const) {
    equal(
      toHookOutput(client, "pre-tool-use", { kind: "deny", reason: "no" }),
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}',
    );
    equal(
      toHookOutput(client, "post-tool-use", { kind: "context", text: "fact" }),
      '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"fact"}}',
    );
    equal(
      toHookOutput(client, "session-start", { kind: "context", text: "brief" }),
      '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"brief"}}',
    );
    equal(
      toHookOutput(client, "subagent-start", { kind: "context", text: "x" }),
      '{"hookSpecificOutput":{"hookEventName":"SubagentStart","additionalContext":"x"}}',
    );
    equal(
      toHookOutput(client, "stop", { kind: "block", reason: "go on" }),
      '{"decision":"block","reason":"go on"}',
    );
  }
});

Deno.test("toHookOutput() is silent where an event has no such answer", () => {
  equal(toHookOutput("claude", "stop", { kind: "none" }), "");
  equal(toHookOutput("codex", "stop", { kind: "context", text: "x" }), "");
  equal(toHookOutput("codex", "pre-compact", { kind: "block", reason: "x" }), "");
  equal(toHookOutput("claude", "post-tool-use", { kind: "deny", reason: "x" }), "");
});

Deno.test("toHookOutput() keeps within what clients show whole, and never denies without a reason", () => {
  const long = toHookOutput("codex", "session-start", {
    kind: "context",
    text: "x".repeat(20_000),
  });
  equal(JSON.parse(long).hookSpecificOutput.additionalContext.length, 8_000);
  const bare = JSON.parse(toHookOutput("codex", "pre-tool-use", { kind: "deny", reason: "" }));
  equal(bare.hookSpecificOutput.permissionDecisionReason.length > 0, true);
});
