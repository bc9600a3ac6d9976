/** The documented shapes of events, as each client sends them. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { HookTool } from "../../src/hooks/hook_call.ts";
import { parseHookCall } from "../../src/hooks/hook_call.ts";

const CLAUDE = {
  session_id: "abc123",
  prompt_id: "550e8400-e29b-41d4-a716-446655440000",
  transcript_path: "/home/u/.claude/projects/p/t.jsonl",
  cwd: "/repo",
  permission_mode: "default",
  effort: { level: "high" },
  hook_event_name: "PreToolUse",
  tool_use_id: "toolu_01ABC",
};
const CODEX = {
  session_id: "01a",
  turn_id: "t1",
  transcript_path: "/home/u/.codex/sessions/2026/11/21/rollout.jsonl",
  cwd: "/repo",
  hook_event_name: "PreToolUse",
  model: "gpt-5.x",
  permission_mode: "default",
  tool_use_id: "call_1",
};
const PATCH = `*** Begin Patch
*** Update File: src/a.rs
*** Move to: src/b.rs
@@
-old
+*** Add File: not this
*** Add File: new.txt
+x
*** Delete File: /repo/old dir/c.rs
*** End Patch`;

Deno.test("parseHookCall() tells the tools of both clients apart", () => {
  const rows: readonly (readonly [name: string, input: unknown, expected: HookTool])[] = [
    [
      "Edit",
      { file_path: "/repo/src/a.ts", old_string: "x", new_string: "y" },
      edit("/repo/src/a.ts"),
    ],
    ["Write", { file_path: "/repo/b.ts", content: "" }, edit("/repo/b.ts")],
    ["MultiEdit", { file_path: "/repo/b.ts", edits: [] }, edit("/repo/b.ts")],
    ["NotebookEdit", { notebook_path: "/repo/n.ipynb", new_source: "" }, edit("/repo/n.ipynb")],
    [
      "apply_patch",
      { command: PATCH },
      edit("src/a.rs", "src/b.rs", "new.txt", "/repo/old dir/c.rs"),
    ],
    ["Bash", { command: "ls", timeout: 5 }, {
      kind: "shell",
      command: "ls",
      texts: ["one"],
    }],
    ["Bash", { command: ["git", "push"] }, {
      kind: "shell",
      command: "git push",
      texts: ["one"],
    }],
    ["PowerShell", { command: "dir" }, { kind: "shell", command: "dir", texts: ["one"] }],
    ["Read", { file_path: "/repo/a.ts", offset: 1 }, {
      kind: "read",
      path: "/repo/a.ts",
      texts: ["one"],
    }],
    ["mcp__code-intel__submit_phase", { data: {} }, { kind: "own", name: "submit_phase" }],
    ["mcp__code_intel__start_session", {}, { kind: "own", name: "start_session" }],
    ["mcp__plugin_tools_code-intel__search_text", {}, { kind: "own", name: "search_text" }],
    ["mcp__other__search_text", {}, { kind: "other" }],
    ["Grep", { pattern: "x" }, { kind: "other" }],
    ["toString", {}, { kind: "other" }],
    ["Edit", null, edit()],
  ];
  for (const [tool_name, tool_input, expected] of rows) {
    for (const common of [CLAUDE, CODEX]) {
      deepEqual(
        parseHookCall("pre-tool-use", "claude", {
          ...common,
          tool_name,
          tool_input,
          tool_response: { type: null, file: { content: "one" } },
        }).tool,
        expected,
        tool_name,
      );
    }
  }
});

Deno.test("parseHookCall() reads what the other events say", () => {
  const stop = parseHookCall("stop", "claude", {
    session_id: "s",
    transcript_path: "/t.jsonl",
    cwd: "/repo",
    permission_mode: "default",
    hook_event_name: "Stop",
    stop_hook_active: true,
    last_assistant_message: "Done.",
    background_tasks: [{ id: "1" }],
    session_crons: [],
  });
  deepEqual([stop.conversation, stop.cwd, stop.isStopActive, stop.hasBackground], [
    "s",
    "/repo",
    true,
    true,
  ]);
  const start = parseHookCall("session-start", "codex", {
    session_id: "s",
    cwd: "/r",
    source: "compact",
  });
  deepEqual([start.source, start.isStopActive, start.hasBackground], ["compact", false, false]);
  equal(parseHookCall("subagent-start", "claude", { agent_id: "agent-abc" }).isSubagent, true);
  equal(parseHookCall("post-tool-use", "claude", CLAUDE).isSubagent, false);
});

Deno.test("parseHookCall() takes whatever it is given", () => {
  for (
    const input of [null, 1, "x", [], { session_id: 5, cwd: {}, tool_name: [], tool_input: "x" }]
  ) {
    const call = parseHookCall("stop", "codex", input);
    deepEqual([call.conversation, call.cwd, call.tool], ["", "", { kind: "other" }]);
  }
});

function edit(...paths: readonly string[]): HookTool {
  return { kind: "edit", paths };
}
