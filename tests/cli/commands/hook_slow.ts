/** Hooks of whole conversations, as clients run them: bound, briefed, kept from ending; the shell hook. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { createProject, openSession, startSession } from "../../support/session/session_driver.ts";
import { BASH, hook, OWN, toContext, toReason } from "./hook_place.ts";

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
  const refs = await project.repo.git("for-each-ref", "--format=%(subject)", "refs/code-intel");
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
