/** Runs hooks as clients do: the real program with a documented event on its input. */
import { strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { runHosted } from "../../support/server/hosted_cli.ts";
import type { Project, Session } from "../../support/session/session_driver.ts";
import { SAMPLE_EDITS } from "../../support/session/session_driver.ts";

export type Event = Readonly<Record<string, unknown>>;

export interface HookResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  // deno-lint-ignore no-explicit-any -- tests read answers freely
  readonly answer: any;
}

/** Runs a hook as a client does: in the project's folder, with the event on standard input. */
export async function hook(
  project: Project,
  word: string,
  event: Event,
  client = "claude",
): Promise<HookResult> {
  const common = { session_id: "conversation-1", cwd: project.dir, permission_mode: "default" };
  const result = await runHosted(["hook", word, "--client", client], {
    cwd: project.dir,
    env: project.env,
    stdin: JSON.stringify({ ...common, ...event }),
  });
  const answer = result.stdout === "" ? null : JSON.parse(result.stdout);
  return { ...result, answer };
}

export const EDIT = (project: Project, path: string) => ({
  hook_event_name: "PreToolUse",
  tool_name: "Edit",
  tool_input: { file_path: join(project.dir, path), old_string: "a", new_string: "b" },
});
export const BASH = (command: string) => ({ tool_name: "Bash", tool_input: { command } });
export const OWN = {
  tool_name: "mcp__code-intel__get_session_status",
  tool_input: {},
  tool_response: {},
};

export function toReason({ answer }: HookResult): string {
  equal(answer?.hookSpecificOutput?.hookEventName, "PreToolUse");
  equal(answer.hookSpecificOutput.permissionDecision, "deny");
  return answer.hookSpecificOutput.permissionDecisionReason;
}

export function toContext({ answer }: HookResult): string {
  return answer?.hookSpecificOutput?.additionalContext ?? "";
}

/** The client's own reading tool shows a file. */
export async function readByClient(project: Project, path: string): Promise<void> {
  const event = {
    tool_name: "Read",
    tool_input: { file_path: join(project.dir, path) },
    tool_response: {
      type: "text",
      file: { content: await Deno.readTextFile(join(project.dir, path)), startLine: 1 },
    },
  };
  equal((await hook(project, "post-tool-use", event)).stdout, "");
}

/** Reports the task with the hook's clearance alone: check_write_target itself is never called. */
export async function finish(project: Project, session: Session): Promise<void> {
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
