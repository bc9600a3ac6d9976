/** The hooks as clients run them: the real program, a real session, documented events. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { runProgram } from "../../support/cli.ts";
import type { Project, Session } from "../../support/session_driver.ts";
import {
  createProject,
  openSession,
  SAMPLE_EDITS,
  startSession,
} from "../../support/session_driver.ts";

type Event = Readonly<Record<string, unknown>>;

interface HookResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  // deno-lint-ignore no-explicit-any -- tests read answers freely
  readonly answer: any;
}

/** Runs a hook as a client does: in the project's folder, with the event on standard input. */
async function hook(
  project: Project,
  word: string,
  event: Event,
  client = "claude",
): Promise<HookResult> {
  const common = { session_id: "conversation-1", cwd: project.dir, permission_mode: "default" };
  const result = await runProgram(["hook", word, "--client", client], {
    cwd: project.dir,
    env: project.env,
    stdin: JSON.stringify({ ...common, ...event }),
  });
  const answer = result.stdout === "" ? null : JSON.parse(result.stdout);
  return { ...result, answer };
}

const EDIT = (project: Project, path: string) => ({
  hook_event_name: "PreToolUse",
  tool_name: "Edit",
  tool_input: { file_path: join(project.dir, path), old_string: "a", new_string: "b" },
});
const BASH = (command: string) => ({ tool_name: "Bash", tool_input: { command } });
const OWN = { tool_name: "mcp__code-intel__get_session_status", tool_input: {}, tool_response: {} };

function toReason({ answer }: HookResult): string {
  equal(answer?.hookSpecificOutput?.hookEventName, "PreToolUse");
  equal(answer.hookSpecificOutput.permissionDecision, "deny");
  return answer.hookSpecificOutput.permissionDecisionReason;
}

function toContext({ answer }: HookResult): string {
  return answer?.hookSpecificOutput?.additionalContext ?? "";
}

Deno.test("outside a session hooks let everything pass, and where nothing is set up they say nothing", async () => {
  await using project = await createProject();
  const silent = async (word: string, event: Event) => {
    const { code, stdout, stderr } = await hook(project, word, event);
    deepEqual([code, stdout, stderr], [0, "", ""], word);
  };
  await silent("session-start", { source: "startup" });
  await Deno.mkdir(join(project.dir, ".code-intel"));
  await silent("pre-tool-use", EDIT(project, "src/auth.ts"));
  await silent("pre-tool-use", BASH("git commit -m x"));
  await silent("post-tool-use", OWN);
  await silent("stop", { stop_hook_active: false });
  await silent("pre-compact", { trigger: "auto" });
  await silent("subagent-start", { agent_id: "a", agent_type: "Explore" });
  match(toContext(await hook(project, "session-start", { source: "startup" })), /start_session/);
  deepEqual((await Array.fromAsync(Deno.readDir(join(project.dir, ".code-intel")))).length, 0);
});

Deno.test("a hook that is broken says one line, decides nothing and never ends with 2", async () => {
  await using project = await createProject();
  await Deno.mkdir(join(project.dir, ".code-intel/sessions"), { recursive: true });
  const name = "session_20260101_000000_0001.json";
  await Deno.writeTextFile(join(project.dir, ".code-intel/sessions", name), "{ broken");
  const damaged = await hook(project, "pre-tool-use", EDIT(project, "src/auth.ts"));
  deepEqual([damaged.code, damaged.stdout], [0, ""]);
  const rows: readonly (readonly [words: readonly string[], stdin: string, code: number])[] = [
    [["hook", "stop"], "{ no json", 1],
    [["hook", "stop"], "", 1],
    [["hook", "no-such-event"], "{}", 64],
    [["hook", "stop", "--client", "vim"], "{}", 64],
  ];
  for (const [words, stdin, code] of rows) {
    const result = await runProgram(words, { cwd: project.dir, env: project.env, stdin });
    deepEqual([result.code, result.stdout], [code, ""], words.join(" "));
    ok(result.stderr.trimEnd().split("\n").length <= 2, result.stderr);
  }
});

Deno.test("the edit hook refuses before step 13, clears in it, and counts as check_write_target", async () => {
  await using project = await createProject();
  await using session = await startSession(project);
  await session.until(5);
  const early = toReason(await hook(project, "pre-tool-use", EDIT(project, "src/auth.ts")));
  match(early, /step 5\/19: EXPLORATION/);
  match(early, /No file may be written in EXPLORATION.*submit_phase/);
  const outside = {
    tool_name: "Write",
    tool_input: { file_path: "/tmp/elsewhere.txt", content: "" },
  };
  equal((await hook(project, "pre-tool-use", outside)).stdout, "");
  await readByClient(project, "src/view.ts");
  await session.until(13);
  match(toReason(await hook(project, "pre-tool-use", EDIT(project, "README.md"))), /not explored/);
  const patch =
    `*** Begin Patch\n*** Update File: src/view.ts\n*** Add File: src/new.ts\n+x\n*** End Patch`;
  const codex = {
    tool_name: "apply_patch",
    tool_input: { command: patch },
    turn_id: "t1",
    model: "m",
  };
  equal((await hook(project, "pre-tool-use", codex, "codex")).stdout, "");
  const { state } = await session.checkpoint();
  deepEqual(state.clearances.map(({ path }: { path: string }) => path), [
    "src/view.ts",
    "src/new.ts",
  ]);
  await finish(project, session);
});

/** The client's own reading tool shows a file. */
async function readByClient(project: Project, path: string): Promise<void> {
  const event = {
    tool_name: "Read",
    tool_input: { file_path: join(project.dir, path) },
    tool_response: {},
  };
  equal((await hook(project, "post-tool-use", event)).stdout, "");
}

/** Reports the task with the hook's clearance alone: check_write_target itself is never called. */
async function finish(project: Project, session: Session): Promise<void> {
  equal((await hook(project, "pre-tool-use", EDIT(project, "src/auth.ts"))).stdout, "");
  const evidence = await session.write("src/auth.ts", SAMPLE_EDITS["src/auth.ts"] ?? "");
  const task = session.reply.next_task;
  const reply = await session.submit({
    task_id: task.id,
    checklist: task.checklist.map((item: string) => ({
      item,
      status: "done",
      evidence,
    })),
  });
  equal(reply.ok, true, JSON.stringify(reply.problems));
}

Deno.test("the shell hook refuses git and the person's commands, and the ledger is looked at at once", async () => {
  await using project = await createProject();
  await using session = await startSession(project);
  await session.until(4);
  match(
    toReason(await hook(project, "pre-tool-use", BASH("git commit -am x"))),
    /`git commit`.*The server commits/,
  );
  match(
    toReason(await hook(project, "pre-tool-use", BASH("code-intel trust"), "codex")),
    /Ask the person/,
  );
  equal((await hook(project, "pre-tool-use", BASH("git status"))).stdout, "");
  equal((await hook(project, "post-tool-use", BASH("ls"))).stdout, "");
  await Deno.writeTextFile(join(project.dir, "src/auth.ts"), "changed\n");
  const told = toContext(await hook(project, "post-tool-use", BASH("sed -i s/a/b/ src/auth.ts")));
  match(told, /src\/auth\.ts/);
  match(told, /change_resolution/);
  match(told, /step 4\/19/);
});

Deno.test("conversations: bound by own tools, briefed, kept from ending once, never when it is due", async () => {
  await using project = await createProject();
  const started = { ...OWN, tool_name: "mcp__code_intel__start_session" };
  await hook(project, "pre-tool-use", started);
  await using session = await openSession(project);
  // No folder of the program was there that could hold a mark.
  equal((await session.begin()).hooks, "not_seen");
  await session.until(4);
  const stop = { stop_hook_active: false, background_tasks: [] };
  equal((await hook(project, "stop", stop)).stdout, "", "not bound");
  await hook(project, "post-tool-use", { ...OWN, agent_id: "agent-1" });
  equal((await hook(project, "stop", stop)).stdout, "", "bound by a helper");
  await hook(project, "post-tool-use", OWN);
  equal((await session.call("get_session_status")).hooks, "seen");
  equal((await hook(project, "stop", { ...stop, stop_hook_active: true })).stdout, "");
  equal((await hook(project, "stop", { ...stop, background_tasks: [{}] })).stdout, "");
  equal((await hook(project, "stop", { ...stop, session_id: "other" })).stdout, "");
  const { answer } = await hook(project, "stop", stop, "codex");
  deepEqual(Object.keys(answer), ["decision", "reason"]);
  equal(answer.decision, "block");
  for (const word of ["step 4/19", "submit_phase", "park", "abandon"]) {
    ok(answer.reason.includes(word));
  }
  equal((await hook(project, "stop", stop)).stdout, "", "twice in one state");
  const brief = toContext(await hook(project, "session-start", { source: "compact" }));
  ok(brief.length <= 6_000 && brief.includes(session.id), brief);
  ok(brief.endsWith("The rest: get_session_status."));
  const helper = toContext(
    await hook(project, "subagent-start", { agent_id: "a", agent_type: "Explore" }),
  );
  match(helper, /step 4\/19, QUERY_FRAME/);
  match(helper, /code-intel refs/);
  equal(
    (await hook(project, "pre-compact", { trigger: "auto", custom_instructions: null })).stdout,
    "",
  );
  const refs = await project.repo.git("log", "--format=%s", "--glob=refs/code-intel/*");
  match(refs, /before compaction/);
  await session.submit({ park: true, reason: "the day ends" });
  equal((await hook(project, "stop", stop)).stdout, "", "parked");
});

Deno.test("a start says that hooks are seen when the hook before it ran in this project", async () => {
  await using project = await createProject();
  await project.repo.write({ ".code-intel/.gitignore": "*\n" });
  await hook(project, "pre-tool-use", { ...OWN, tool_name: "mcp__code-intel__start_session" });
  await using session = await openSession(project);
  equal((await session.begin()).hooks, "seen");
});
