/** What the evaluation is made from, on real files: records of all visits, and what a project can show. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Answer, Project } from "../project_fixture.ts";
import { codesOf, COMMON, createProject, expectOk, FRAME } from "../project_fixture.ts";

const OFFERED = ["search_text", "find_definitions", "find_references", "get_symbols"];
const CALL = {
  argsHash: "0123456789abcdef",
  ok: true,
  total: 1,
  files: [],
  symbols: [],
  durationMs: 1,
  via: "mcp",
} as const;

/** A session at EXPLORATION whose request leaves its target open. */
async function toExploration(files: Readonly<Record<string, string>>): Promise<Project> {
  const project = await createProject({ files, offered: OFFERED });
  expectOk(await project.start({ flags: { no_doc: true } }));
  equal((await project.must(FRAME)).risk, "HIGH");
  return project;
}

async function record(
  project: Project,
  call: Partial<Parameters<Project["workflow"]["record"]>[1]> & { readonly tool: string },
): Promise<void> {
  const admission = await project.workflow.admit(call.tool, null);
  await project.workflow.record(admission, { ...CALL, subject: "", ...call });
}

async function leave(project: Project, files: readonly string[]): Promise<Answer> {
  await record(project, { tool: "search_files" });
  return expectOk(
    await project.submit({ ...COMMON, explored_files: files, findings: ["a finding"] }),
  );
}

const SCRIPTS = { "run.sh": "echo one\n", "stop.sh": "echo two\n" };

Deno.test("gatherExploration() asks a small project for no symbols that it does not define", async () => {
  await using project = await toExploration(SCRIPTS);
  await record(project, { tool: "search_text", files: ["run.sh", "stop.sh"] });
  const { evaluation } = await leave(project, ["run.sh"]);
  deepEqual([evaluation.confidence, evaluation.missing], ["high", undefined]);
});

Deno.test("gatherExploration() knows that a project has more than what was found", async () => {
  const functions = "one() { :; }\ntwo() { :; }\nthree() { :; }\n";
  await using project = await toExploration({ ...SCRIPTS, "lib.sh": functions });
  await record(project, { tool: "search_text", files: ["run.sh", "stop.sh"] });
  const { evaluation } = await leave(project, ["run.sh"]);
  equal(evaluation.confidence, "low");
  equal(
    String(evaluation.missing[2]),
    "Use `find_definitions` or `get_symbols`: 0 of 3 symbols were shown.",
  );
});

Deno.test("gatherExploration() takes a project of documents for one with nothing to define", async () => {
  await using project = await toExploration({ "README.md": "# A\n", "docs/a.md": "# B\n" });
  const { evaluation } = await leave(project, []);
  equal(evaluation.confidence, "high");
});

Deno.test("gatherExploration() counts what was seen before a way back, and older records without names", async () => {
  await using project = await toExploration({
    "src/a.ts": "export function one() {}\nexport function two() {}\nexport function three() {}\n",
    "src/b.ts": "import { one } from './a.ts';\none();\n",
  });
  const defines = { "src/a.ts": ["one", "two", "three"] };
  await record(project, { tool: "find_definitions", files: ["src/a.ts"], defines });
  const first = await leave(project, ["src/a.ts"]);
  equal(first.evaluation.confidence, "low");
  await project.must({ back_to: "EXPLORATION", reason: "the uses were not looked at" });
  const refers = { "src/b.ts": ["one"] };
  await record(project, { tool: "find_references", subject: "one", files: ["src/b.ts"], refers });
  const second = await leave(project, ["src/a.ts", "src/b.ts"]);
  deepEqual([second.risk, second.evaluation.confidence], ["HIGH", "high"]);
});

Deno.test("the searches that a question ran count like calls of their own, for step 5 and for what is claimed", async () => {
  await using project = await toExploration({
    "src/a.ts": "export function one() {}\nexport function two() {}\nexport function three() {}\n",
    "src/b.ts": "import { one } from './a.ts';\none();\n",
  });
  await record(project, {
    tool: "query",
    files: ["src/a.ts", "src/b.ts"],
    defines: { "src/a.ts": ["one", "two", "three"] },
    refers: { "src/b.ts": ["one"] },
    ran: [
      { tool: "find_definitions", subject: "one", total: 1 },
      { tool: "find_references", subject: "one", total: 2 },
    ],
  });
  const claim = { tools_used: ["query", "find_references"] };
  const found = { ...COMMON, ...claim, explored_files: ["src/a.ts"], findings: ["a finding"] };
  const { evaluation, phase } = expectOk(await project.submit(found));
  deepEqual([phase, evaluation.confidence, evaluation.missing], ["Q1", "high", undefined]);
});

Deno.test("where the frame's symbols are defined is told by its reply, and step 5 asks for no search for it", async () => {
  await using project = await createProject({
    files: { "src/login.ts": "export function addLogin() {}\n" },
    offered: OFFERED,
  });
  await project.services.index.sync();
  expectOk(await project.start({ flags: { no_doc: true } }));
  const { symbols } = await project.must({ ...FRAME, target_symbols: ["addLogin"] });
  deepEqual(symbols, { addLogin: "src/login.ts:1" });
  const found = { ...COMMON, explored_files: ["src/login.ts"], findings: ["a finding"] };
  equal(codesOf(await project.submit(found)).join(), "too_few_tools");
  await record(project, { tool: "search_text" });
  const { evaluation } = await leave(project, ["src/login.ts"]);
  deepEqual(evaluation.missing.map(String), [
    "Use `find_references`: no call is on record.",
    "Use `search_text` or `get_symbols` or `find_definitions`: 0 of 1 files were shown.",
  ]);
});

Deno.test("record() keeps the files of names as paths of the worktree, and none from outside", async () => {
  await using project = await createProject({
    files: { "app/src/a.ts": "export function one() {}\n" },
    subfolder: "app",
    offered: OFFERED,
  });
  expectOk(await project.start({ flags: { no_doc: true } }));
  const defines = { "src/a.ts": ["one"], "../../out.ts": ["two"] };
  const refers = { "../../out.ts": ["one"] };
  await record(project, { tool: "find_definitions", files: ["src/a.ts"], defines, refers });
  const { records } = await project.store.readRecords((await project.state()).sessionId);
  const [call] = records.filter((entry) => entry.kind === "call");
  deepEqual(
    [call?.files, call?.defines, call?.refers],
    [["app/src/a.ts"], { "app/src/a.ts": ["one"] }, undefined],
  );
});
