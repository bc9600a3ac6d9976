/** The forms that the clients honour, as literals of their documentation. */
import { strictEqual as equal } from "node:assert/strict";
import { formatHookOutput } from "../../src/hooks/hook_answer.ts";

Deno.test("formatHookOutput() writes the documented form of each answer, for both clients", () => {
  for (const client of ["claude", "codex"] as const) {
    equal(
      formatHookOutput(client, "pre-tool-use", { kind: "deny", reason: "no" }),
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}',
    );
    equal(
      formatHookOutput(client, "post-tool-use", { kind: "context", text: "fact" }),
      '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"fact"}}',
    );
    equal(
      formatHookOutput(client, "session-start", { kind: "context", text: "brief" }),
      '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"brief"}}',
    );
    equal(
      formatHookOutput(client, "subagent-start", { kind: "context", text: "x" }),
      '{"hookSpecificOutput":{"hookEventName":"SubagentStart","additionalContext":"x"}}',
    );
    equal(
      formatHookOutput(client, "stop", { kind: "block", reason: "go on" }),
      '{"decision":"block","reason":"go on"}',
    );
  }
});

Deno.test("formatHookOutput() is silent where an event has no such answer", () => {
  equal(formatHookOutput("claude", "stop", { kind: "none" }), "");
  equal(formatHookOutput("codex", "stop", { kind: "context", text: "x" }), "");
  equal(formatHookOutput("codex", "pre-compact", { kind: "block", reason: "x" }), "");
  equal(formatHookOutput("claude", "post-tool-use", { kind: "deny", reason: "x" }), "");
});

Deno.test("formatHookOutput() keeps within what clients show whole, and never denies without a reason", () => {
  const long = formatHookOutput("codex", "session-start", {
    kind: "context",
    text: "x".repeat(20_000),
  });
  equal(JSON.parse(long).hookSpecificOutput.additionalContext.length, 8_000);
  const bare = JSON.parse(formatHookOutput("codex", "pre-tool-use", { kind: "deny", reason: "" }));
  equal(bare.hookSpecificOutput.permissionDecisionReason.length > 0, true);
});
