/** Requirements of `docs/requirements.md` on the real server. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { runHosted } from "../support/server/hosted_cli.ts";
import type { Project, Reply } from "../support/session/session_driver.ts";
import { openServer, startSession } from "../support/session/hosted_session.ts";
import * as processes from "../support/session/session_driver.ts";
import { createProject, installHook, SAMPLE_EDITS } from "../support/session/session_driver.ts";
import { allowText } from "../support/session/trusted_command.ts";
import { createProjectAt, resume } from "../support/session/walked_project.ts";

function toCodes(reply: Reply): readonly string[] {
  return (reply.problems ?? []).map(({ code }: Reply) => code);
}

Deno.test("R3: an empty or partial reviewed_files reverts nothing, and who is lost is told the files that were changed", async () => {
  await using project = await createProject();
  await using session = await startSession(project, {
    edits: { ...SAMPLE_EDITS, "src/hash.ts": "export const hash = (t: string) => `${t}!`;\n" },
  });
  await session.until(17);
  const payload = await session.prepare();
  const before = await project.repo.state();
  const { expected_payload, required_tools } = await session.must("get_session_status");
  deepEqual(
    expected_payload.reviewed_files,
    ["src/auth.ts", "src/hash.ts"].map((path) => ({ path, decision: "keep" })),
  );
  equal(required_tools, undefined);
  for (const reviewed_files of [[], ["src/auth.ts"]]) {
    const refused = await session.submit({ ...payload, reviewed_files });
    equal(refused.ok, false);
    ok(toCodes(refused).every((code) => code === "file_not_reviewed"));
    equal(await project.repo.state(), before);
  }
});

/** Reports of step 13 that must not pass. */
const NO_REPORTS = [
  ["no checklist", undefined, "missing_field"],
  ["an empty checklist", [], /./],
  ["an unknown status", [{ item: "Change src/auth.ts", status: "ok" }], "invalid_value"],
  ["line 0", toDone("src/auth.ts:0"), /./],
  ["a reversed range", toDone("src/auth.ts:4-2"), /./],
  ["a path outside", toDone("../other.ts:1"), /./],
  ["lines that nobody changed", toDone("src/view.ts:1"), /./],
  ["lines beyond the end", toDone("src/auth.ts:4-99"), /./],
  ["a skip without a reason", [{ item: "Change src/auth.ts", status: "skipped" }], /./],
  ["blanks as a reason", [{
    item: "Change src/auth.ts",
    status: "skipped",
    reason: "            ",
  }], /./],
  [
    "another item",
    [{ item: "Something else", status: "skipped", reason: "not needed now" }],
    /./,
  ],
] as const;

Deno.test("R7: what only looks like a report is refused, and the right one is taken", async (t) => {
  await using project = await createProject();
  await using session = await startSession(project, { flags: { fast: true } });
  await session.until(13);
  const right = await session.prepare();
  for (const [name, checklist, code] of NO_REPORTS) {
    await t.step(name, async () => {
      const refused = await session.submit({ task_id: "task_1", checklist });
      deepEqual([refused.ok, refused.step], [false, 13]);
      match(String(toCodes(refused)), new RegExp(code));
    });
  }
  equal((await session.accept(right)).step, 14);
});

function toDone(evidence: string) {
  return [{ item: "Change src/auth.ts", status: "done", evidence }];
}

/** A namesake of a file that the searches show. */
async function addTwin({ repo }: Project): Promise<void> {
  await repo.commit("Twins", { "lib/auth.ts": "export const a = 1;\n" });
}

Deno.test("R9: the write guard goes by whole paths and allows nothing unexplored, in fast and after a restart; R6, R39: the work survives it, from the command line too", async () => {
  const edits = { ...SAMPLE_EDITS, "src/view.ts": "export const shown = 'all';\n" };
  const at = await createProjectAt(13, { before: addTwin, flags: { fast: true }, edits });
  await using project = at;
  await using session = await resume(at, { open: processes.openServer });
  const check = async (file_path: string) =>
    (await session.call("check_write_target", { file_path })).ok;
  equal(await check("src/hash.ts"), false);
  await session.must("add_explored_files", { files: ["src/hash.ts"] });
  // A search showed lines of src/auth.ts; its namesake in lib was never looked at.
  equal(await check("src/hash.ts"), true);
  deepEqual([await check("src/auth.ts"), await check("lib/auth.ts")], [true, false]);
  for (const path of [".git/config", "../outside.ts", "/etc/passwd"]) {
    equal(await check(path), false);
  }
  await session.next();
  const status = await session.restart();
  deepEqual([status.step, status.next_task.id], [13, "task_2"]);
  const words = ["session", "status", "--json"];
  const typed = await runHosted(words, { cwd: project.dir, env: project.env });
  deepEqual([typed.code, JSON.parse(typed.stdout).session_id], [0, session.id]);
  const [first] = (await session.checkpoint()).state.tasks;
  equal(first.checklist[0].evidence, "src/auth.ts:4");
  deepEqual(
    [await check("src/auth.ts"), await check("lib/auth.ts"), await check("README.md")],
    [true, false, false],
  );
  const bare = await session.submit({ task_id: "task_2", checklist: [] });
  equal(bare.ok, false);
  equal((await session.until("end")).merged, true);
});

Deno.test("R36: a file that the impact analysis said will be modified may be written", async () => {
  await using project = await createProject();
  await using session = await startSession(project, { answers: [false, false, true] });
  await session.until(11);
  const { impact_summary: { decisions } }: Reply = await session.prepare();
  const others = decisions.filter(({ path }: Reply) => path !== "src/view.ts");
  await session.accept({
    impact_summary: { decisions: [...others, { path: "src/view.ts", status: "will_modify" }] },
  });
  await session.until(13);
  await session.must("check_write_target", { file_path: "src/view.ts" });
});

Deno.test("R15: after the end the session gates no tool", async () => {
  await using project = await createProject();
  await using session = await startSession(project, { intent: "QUESTION" });
  await session.until("end");
  for (
    const [tool, args] of [["search_text", { pattern: "login" }], ["search_files", {
      pattern: "*",
    }]] as const
  ) {
    equal((await session.call(tool, args)).ok, true);
  }
});

Deno.test("R17: the count is in the start reply and in refusals, and a mismatch is answered with every summary", async () => {
  await using project = await createProject();
  await using session = await startSession(project);
  equal(session.reply.compaction_count, 0);
  await session.until(6);
  const refused = await session.submit({
    needs_more_information: "perhaps",
    reason: "long enough",
  });
  deepEqual([refused.ok, refused.compaction_count], [false, 0]);
  const reply = await session.accept({ ...await session.prepare(), compaction_count: 1 });
  deepEqual(Object.keys(reply.phase_summaries), [
    "step_03_DOCUMENT_RESEARCH",
    "step_04_QUERY_FRAME",
    "step_05_EXPLORATION",
  ]);
  const status = await session.must("get_session_status");
  match(JSON.stringify(status.brief), /Did 5 EXPLORATION/);
  equal((await session.next()).phase_summaries, undefined);
});

Deno.test("R18: the contract of the project overrides the built-in one, key by key, and a faulty one is named", async () => {
  await using project = await createProject();
  const path = join(project.dir, ".code-intel/phase_contract.yml");
  await project.repo.write({
    ".code-intel/phase_contract.yml": "phases:\n  EXPLORATION:\n    instruction: Look twice.\n",
  });
  await allowText(project, { path: ".code-intel/phase_contract.yml", name: "" });
  await using session = await startSession(project);
  await session.until(5);
  deepEqual([session.reply.instruction, session.reply.call], ["Look twice.", "submit_phase"]);
  await Deno.writeTextFile(path, "phases:\n  EXPLORATION:\n    instruction: 7\n");
  const status = await session.must("get_session_status");
  match(status.contract_warning, /line 3.*code-intel doctor/);
  ok(status.instruction.length > 20, "the built-in instruction is back");
});

Deno.test("R22: searching a folder leaves no file behind", async () => {
  await using project = await createProject();
  const client = await openServer(project);
  await client.call("find_definitions", { symbol: "login", path: "src" });
  await client.call("get_symbols", { path: "src/auth.ts" });
  equal(await project.repo.git("status", "-s", "--ignored"), "");
  await client.close();
});

Deno.test("R35: on the default way a payload of a later step leads no further than what the server saw", async () => {
  await using project = await createProject();
  await using session = await startSession(project);
  const { tasks } = { tasks: [{ id: "a", description: "b", checklist: ["c"] }] };
  const asked = await session.submit({ tasks });
  deepEqual([asked.ok, asked.step, asked.asked.length], [true, 5, 1]);
  equal(await project.repo.git("branch", "--show-current"), "main");
});

Deno.test("R35: by hand payloads of later steps lead nowhere right after the start", async () => {
  await using project = await createProject();
  await using session = await startSession(project, { gateLevel: "full" });
  for (
    const data of [
      { tasks: [{ id: "a", description: "b", checklist: [{ item: "c", status: "pending" }] }] },
      { needs_impact_analysis: false, reason: "nothing else is touched" },
      { passed: true, verifier_used: "x", details: "y" },
      { on_conflict: "resolve" },
    ]
  ) {
    const refused = await session.submit(data);
    deepEqual([refused.ok, refused.step], [false, 3]);
  }
  equal(await project.repo.git("branch", "--show-current"), "main");
});

Deno.test("R37: an exploration-only session cannot reach READY, and no step offers what is not its own", async () => {
  await using project = await createProject();
  await using session = await startSession(project, { flags: { only_explore: true } });
  await session.until(5);
  equal((await session.call("review_changes")).error, "phase_blocked");
  equal((await session.call("check_write_target", { file_path: "src/auth.ts" })).ok, false);
  equal((await session.submit({ back_to: "READY", reason: "let me write now" })).ok, false);
  const done = await session.until("end");
  deepEqual([done.end, session.steps.includes(12)], ["completed", false]);
});

Deno.test("R49: definitions are found in files whose name holds the name of a build folder", async () => {
  await using project = await createProject({
    files: { "distance-app/builder.py": "def build_it():\n    return 1\n" },
  });
  const client = await openServer(project);
  const { reply } = await client.call("find_definitions", { symbol: "build_it" });
  deepEqual([reply.ok, reply.total], [true, 1]);
  await client.close();
});

Deno.test("R52: without a path the project is searched, not the folder of the server process", async () => {
  await using project = await createProject();
  const elsewhere = await Deno.makeTempDir();
  const words = ["text", "hash", "--json", "--project", project.dir];
  const typed = await runHosted(words, { cwd: elsewhere, env: project.env });
  ok(JSON.parse(typed.stdout).total > 0, typed.stdout);
  await Deno.remove(elsewhere, { recursive: true });
});

Deno.test("R31: a discarded new file is neither committed nor merged", async () => {
  await using project = await createProject();
  await using session = await startSession(project, { discard: ["debug.txt"] });
  await session.until(13);
  await session.leave("debug.txt", "x\n");
  equal((await session.until("end")).merged, true);
  equal((await project.repo.git("ls-tree", "-r", "--name-only", "main")).includes("debug"), false);
  equal(await project.repo.exists("debug.txt"), false);
});

Deno.test("R32: the person's edits made before the session stay, and cannot be reverted by the review", async () => {
  await using project = await createProject();
  await project.repo.write({ "src/view.ts": "export const shown = 'mine';\n" });
  await using session = await startSession(project);
  await session.until(17);
  const refused = await session.submit({
    ...await session.prepare(),
    reviewed_files: ["src/auth.ts", { path: "src/view.ts", decision: "discard", reason: "odd" }],
  });
  equal(refused.problems[0].code, "not_changed");
  equal((await session.until("end")).merged, true);
  equal(await project.repo.read("src/view.ts"), "export const shown = 'mine';\n");
  equal(await project.repo.git("status", "-s"), " M src/view.ts");
});

Deno.test("R34: no merge without review and commit", async () => {
  await using project = await createProject();
  await installHook(project, "pre-commit", "exit 1");
  const before = await project.repo.git("rev-parse", "main");
  await using session = await startSession(project);
  await session.until(15);
  equal((await session.submit({ on_conflict: "resolve" })).step, 15);
  await session.until(18);
  const refused = await session.next();
  deepEqual([refused.step, refused.git_hook_failed], [12, true]);
  equal(await project.repo.git("rev-parse", "main"), before);
});
