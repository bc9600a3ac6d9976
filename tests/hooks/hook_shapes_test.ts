/**
 * Each event as each client documents it, whole: what it is read as, and that what is answered holds nothing
 * that the client would refuse.
 */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import type { HookAnswer } from "../../src/hooks/hook_answer.ts";
import type { HookCall, HookEventWord } from "../../src/hooks/hook_call.ts";
import { formatHookOutput } from "../../src/hooks/hook_answer.ts";
import { parseHookCall } from "../../src/hooks/hook_call.ts";

type Shape = Readonly<Record<string, unknown>>;

interface Row {
  readonly client: HookCall["client"];
  readonly word: HookEventWord;
  /** The documented fields beside those of every event of the client. */
  readonly event: Shape;
  /** What the program takes from it. */
  readonly read: Partial<HookCall>;
  /** Keys that the client accepts in an answer, at the root and inside `hookSpecificOutput`. */
  readonly accepts: readonly [root: readonly string[], inside: readonly string[]];
}

const CLAUDE: Shape = {
  session_id: "abc123",
  prompt_id: "550e8400-e29b-41d4-a716-446655440000",
  transcript_path: "/home/u/.claude/projects/p/t.jsonl",
  cwd: "/repo",
  permission_mode: "default",
  effort: { level: "high" },
};
const CODEX: Shape = {
  session_id: "01a",
  turn_id: "t1",
  transcript_path: "/home/u/.codex/sessions/2026/11/21/rollout.jsonl",
  cwd: "/repo",
  model: "gpt-5.x",
  permission_mode: "default",
};
const PATCH =
  "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-old\n+new\n*** Add File: /repo/b.rs\n+x\n*** End Patch";

const TOOL_ROOT = ["systemMessage", "decision", "reason", "hookSpecificOutput"];
const BEFORE = [
  "hookEventName",
  "permissionDecision",
  "permissionDecisionReason",
  "updatedInput",
  "additionalContext",
];
const CONTEXT = ["hookEventName", "additionalContext"];
const COMMON = ["continue", "stopReason", "suppressOutput", "systemMessage"];
const STOP = [...COMMON, "decision", "reason"];

const ROWS: readonly Row[] = [
  {
    client: "claude",
    word: "pre-tool-use",
    event: {
      hook_event_name: "PreToolUse",
      tool_name: "Edit",
      tool_input: { file_path: "/repo/src/a.ts", old_string: "x", new_string: "y" },
      tool_use_id: "toolu_01ABC",
    },
    read: { conversation: "abc123", tool: { kind: "edit", paths: ["/repo/src/a.ts"] } },
    accepts: [TOOL_ROOT, BEFORE],
  },
  {
    client: "claude",
    word: "pre-tool-use",
    event: {
      hook_event_name: "PreToolUse",
      tool_name: "NotebookEdit",
      tool_input: { notebook_path: "/repo/n.ipynb", new_source: "", edit_mode: "replace" },
      tool_use_id: "toolu_02",
      agent_id: "agent-abc",
      agent_type: "Explore",
    },
    read: { isSubagent: true, tool: { kind: "edit", paths: ["/repo/n.ipynb"] } },
    accepts: [TOOL_ROOT, BEFORE],
  },
  {
    client: "claude",
    word: "post-tool-use",
    event: {
      hook_event_name: "PostToolUse",
      tool_name: "Write",
      tool_input: { file_path: "/repo/p", content: "" },
      tool_response: { filePath: "/repo/p", success: true },
      tool_use_id: "toolu_1",
      duration_ms: 12,
    },
    read: { tool: { kind: "edit", paths: ["/repo/p"] } },
    accepts: [TOOL_ROOT, CONTEXT],
  },
  {
    client: "claude",
    word: "session-start",
    event: { hook_event_name: "SessionStart", source: "startup", model: "claude-x" },
    read: { source: "startup", isSubagent: false },
    accepts: [[...COMMON, "hookSpecificOutput"], CONTEXT],
  },
  {
    client: "claude",
    word: "subagent-start",
    event: { hook_event_name: "SubagentStart", agent_id: "agent-abc", agent_type: "Explore" },
    read: { isSubagent: true },
    accepts: [[...COMMON, "hookSpecificOutput"], CONTEXT],
  },
  {
    client: "claude",
    word: "stop",
    event: {
      hook_event_name: "Stop",
      stop_hook_active: false,
      last_assistant_message: "Done.",
      background_tasks: [],
      session_crons: [],
    },
    read: { isStopActive: false, hasBackground: false },
    accepts: [STOP, []],
  },
  {
    client: "claude",
    word: "pre-compact",
    event: { hook_event_name: "PreCompact", trigger: "auto", custom_instructions: "" },
    read: { tool: { kind: "other" } },
    accepts: [COMMON, []],
  },
  {
    client: "codex",
    word: "pre-tool-use",
    event: {
      hook_event_name: "PreToolUse",
      tool_name: "apply_patch",
      tool_input: { command: PATCH },
      tool_use_id: "call_1",
    },
    read: { conversation: "01a", tool: { kind: "edit", paths: ["src/a.rs", "/repo/b.rs"] } },
    accepts: [TOOL_ROOT, BEFORE],
  },
  {
    client: "codex",
    word: "pre-tool-use",
    event: {
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "git push" },
      tool_use_id: "call_2",
    },
    read: { tool: { kind: "shell", command: "git push", texts: [] } },
    accepts: [TOOL_ROOT, BEFORE],
  },
  {
    client: "codex",
    word: "post-tool-use",
    event: {
      hook_event_name: "PostToolUse",
      tool_name: "mcp__code_intel__submit_phase",
      tool_input: { data: {} },
      tool_response: { content: [{ type: "text", text: "{}" }] },
      tool_use_id: "call_3",
    },
    read: { tool: { kind: "own", name: "submit_phase" } },
    accepts: [["decision", "reason", "continue", "stopReason", ...TOOL_ROOT], CONTEXT],
  },
  {
    client: "codex",
    word: "session-start",
    event: { hook_event_name: "SessionStart", source: "fork", turn_id: undefined },
    read: { source: "fork" },
    accepts: [[...COMMON, "hookSpecificOutput"], CONTEXT],
  },
  {
    client: "codex",
    word: "subagent-start",
    event: { hook_event_name: "SubagentStart", agent_id: "a1", agent_type: "worker" },
    read: { isSubagent: true, conversation: "01a" },
    accepts: [[...COMMON, "hookSpecificOutput"], CONTEXT],
  },
  {
    client: "codex",
    word: "stop",
    event: { hook_event_name: "Stop", stop_hook_active: true, last_assistant_message: null },
    read: { isStopActive: true, hasBackground: false },
    accepts: [STOP, []],
  },
  {
    client: "codex",
    word: "pre-compact",
    event: { hook_event_name: "PreCompact", trigger: "manual", permission_mode: undefined },
    read: { source: "" },
    accepts: [COMMON, []],
  },
];

const ANSWERS: readonly HookAnswer[] = [
  { kind: "none" },
  { kind: "deny", reason: "not now" },
  { kind: "context", text: "a fact" },
  { kind: "block", reason: "go on" },
];

for (const { client, word, event, read, accepts } of ROWS) {
  const tool = event["tool_name"] === undefined ? "" : ` on ${event["tool_name"]}`;
  Deno.test(`${client} ${word}${tool}: the documented event is read, and answered in the client's form`, () => {
    const sent = JSON.parse(
      JSON.stringify({ ...(client === "claude" ? CLAUDE : CODEX), ...event }),
    );
    const call = parseHookCall(word, client, sent);
    const keys = Object.keys(read) as (keyof HookCall)[];
    deepEqual(Object.fromEntries(keys.map((key) => [key, call[key]])), read);
    deepEqual([call.client, call.word, call.cwd], [client, word, "/repo"]);
    const [root, inside] = accepts;
    for (const answer of ANSWERS) {
      const output = formatHookOutput(client, word, answer);
      if (output === "") continue;
      const written = JSON.parse(output);
      for (const key of Object.keys(written)) ok(root.includes(key), `${answer.kind}: ${key}`);
      const more = written.hookSpecificOutput ?? {};
      for (const key of Object.keys(more)) ok(inside.includes(key), `${answer.kind}: ${key}`);
      if (more.hookEventName !== undefined) {
        deepEqual(more.hookEventName, sent.hook_event_name, "the name of the event comes back");
      }
    }
  });
}
