/** Permission and records of calls, and the tools that need no step. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { PHASES } from "../../src/phase/table/phases.ts";
import type { Answer, Project } from "./project_fixture.ts";
import { createProject, expectOk, FRAME, started } from "./project_fixture.ts";

const CALL = {
  tool: "search_text",
  argsHash: "0".repeat(16),
  subject: "login",
  ok: true,
  total: 1,
  files: ["src/a.ts"],
  symbols: [],
  durationMs: 1,
  via: "mcp",
} as const;

async function isAllowed(project: Project, needs: Parameters<Project["workflow"]["admit"]>[1]) {
  return (await project.workflow.admit("some_tool", needs)).kind === "allowed";
}

Deno.test("admit() allows everything without a session, after its end and while it is parked", async () => {
  await using project = await createProject();
  equal(await isAllowed(project, "write"), true);
  expectOk(await project.start());
  equal(await isAllowed(project, "write"), false);
  await project.must({ park: true, reason: "later" });
  equal(await isAllowed(project, "write"), true);
  expectOk(await project.start());
  await project.must({ abandon: true, reason: "no" });
  equal(await isAllowed(project, "write"), true);
});

Deno.test("admit() refuses what the step does not grant, with the step and what it grants", async () => {
  await using project = await createProject({ after: started });
  const admission = await project.workflow.admit("review_changes", "review");
  if (admission.kind !== "refused") throw new Error("it was allowed");
  const reply: Answer = admission.reply;
  deepEqual([reply.error, reply.current_phase, reply.phase, reply.call], [
    "phase_blocked",
    "QUERY_FRAME",
    "QUERY_FRAME",
    "submit_phase",
  ]);
  deepEqual(reply.allowed, PHASES.QUERY_FRAME.grants);
  match(reply.problems[0].hint, /submit_phase/);
  equal(typeof reply.expected_payload, "object");
  equal(await isAllowed(project, "references"), true);
  equal(await isAllowed(project, null), true);
});

Deno.test("start() names checks that the project configures and no command runs", async () => {
  await using project = await createProject({ files: { "tsconfig.json": "{}" } });
  const reply: Answer = await project.start();
  deepEqual(reply.unrun_checks.names, ["tsc (tsconfig.json; not found here)"]);
  match(
    reply.unrun_checks.how,
    /The person can add \{"name":"tsc","run":\["npx","tsc","--noEmit"\]\}/,
  );
});

Deno.test("start() asks for configured checks to be run where the project has their programs", async () => {
  await using project = await createProject({
    files: { "tsconfig.json": "{}", ".flake8": "", "node_modules/.bin/tsc": "#!/bin/sh\n" },
  });
  await Deno.chmod(join(project.repo.dir, "node_modules/.bin/tsc"), 0o755);
  const reply: Answer = await project.start();
  deepEqual(reply.unrun_checks.names.includes("tsc (tsconfig.json)"), true);
  match(reply.unrun_checks.how, /Run those that are there on your work before step 15/);
});

Deno.test("record() keeps a call with its step and visit, its files as paths of the worktree", async () => {
  await using project = await createProject({
    files: { "app/src/a.ts": "a\n", "lib/b.ts": "b\n" },
    subfolder: "app",
    after: started,
  });
  const { sessionId: id } = await project.state();
  const admission = await project.workflow.admit("search_text", "text");
  await project.workflow.record(admission, {
    ...CALL,
    files: ["src/a.ts", "../lib/b.ts", "../../outside"],
  });
  const { records } = await project.store.readRecords(id);
  deepEqual(
    records.map((record) => record.kind === "call" && [record.stage, record.visit, record.files]),
    [["QUERY_FRAME", 1, ["app/src/a.ts", "lib/b.ts"]]],
  );
});

Deno.test("record() books nothing outside a session", async () => {
  await using project = await createProject();
  await project.workflow.record(await project.workflow.admit("search_text", "text"), CALL);
  equal(await project.repo.exists(".code-intel/sessions"), false);
});

Deno.test("updateContext() writes the summary of the rules, at any step", async () => {
  await using project = await createProject();
  const reply = expectOk(
    await project.workflow.updateContext({ projectRulesSummary: "Services own logic" }),
  );
  equal(reply.call, "start_session");
  match(reply.uncommitted, /^git shows \.code-intel\/context\.yml as changed/);
  match(
    await Deno.readTextFile(join(project.root, ".code-intel/context.yml")),
    /Services own logic/,
  );
});

Deno.test("updateContext() says which cited lines do not carry what the summary says", async () => {
  await using project = await createProject({
    files: { "docs/rules.md": "# Rules\n\nServices own business logic.\nNames are English.\n" },
  });
  const store = async (projectRulesSummary: string) =>
    expectOk(await project.workflow.updateContext({ projectRulesSummary })).cited_lines;
  equal(
    await store("Services own the logic (docs/rules.md:3)\nNames: English (docs/rules.md:4)"),
    undefined,
  );
  deepEqual(
    await store(
      "Services own the business logic (docs/rules.md:4). Names are English (docs/rules.md:40).",
    ),
    {
      "docs/rules.md:4":
        'Names are English. … Perhaps docs/rules.md:3: "Services own business logic.".',
      "docs/rules.md:40": "no such line",
    },
  );
});

Deno.test("every tool of a session answers no_active_session where there is none", async () => {
  await using project = await createProject();
  const { workflow } = project;
  const replies: readonly Answer[] = await Promise.all([
    project.submit(FRAME),
    workflow.getStatus({}),
    project.clear("src/a.ts"),
    workflow.addExploredFiles(["src/a.ts"]),
    workflow.reviewChanges({ maxBytes: 9_000 }),
  ]);
  for (const reply of replies) {
    deepEqual([reply.error, reply.call], ["no_active_session", "start_session"]);
  }
});
