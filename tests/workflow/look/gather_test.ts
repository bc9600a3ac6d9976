/** The facts that a submission is judged by: paths, documents, the request, what changed. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Answer, Project } from "../project_fixture.ts";
import {
  codesOf,
  COMMON,
  createPlainProject,
  createProject,
  expectOk,
  FRAME,
  planned,
} from "../project_fixture.ts";

async function startAt(project: Project, query = "add a login form"): Promise<Answer> {
  return expectOk(await project.start({ query, flags: { no_verify: true } }));
}

function documents(rest: Readonly<Record<string, unknown>>) {
  return {
    ...COMMON,
    documents_reviewed: [],
    mandatory_rules: [],
    no_documents_reason: null,
    ...rest,
  };
}

Deno.test("gatherFacts() lets no documents pass where there are none", async () => {
  await using project = await createProject({ files: { "src/a.ts": "a\n" } });
  await startAt(project);
  equal((await project.must(documents({}))).phase, "QUERY_FRAME");
});

Deno.test("gatherFacts() looks at documents and the sources of rules on the disk", async () => {
  await using project = await createProject({
    files: { "docs/auth.md": "one\ntwo\n", "src/a.ts": "a\n" },
  });
  await startAt(project);
  const wrong = await project.submit(documents({
    documents_reviewed: ["docs/auth.md", "docs/no.md", "../x.md"],
    mandatory_rules: [{ rule: "r", source: "docs/gone.md:3" }],
  }));
  deepEqual(codesOf(wrong).toSorted(), ["path_not_found", "path_not_found", "path_outside"]);
  expectOk(
    await project.submit(documents({
      documents_reviewed: ["docs/auth.md"],
      mandatory_rules: [{ rule: "r", source: "docs/auth.md:1-2" }],
    })),
  );
  // A source that turns out to be wrong is corrected beside the payload of a later step.
  const later = (source: string) =>
    project.submit({ ...FRAME, mandatory_rules: [{ rule: "R", source }] });
  deepEqual(codesOf(await later("docs/auth.md:7")), ["line_out_of_range"]);
  expectOk(await later("docs/auth.md:2"));
  deepEqual((await project.state()).rules, [{ rule: "r", source: "docs/auth.md:2" }]);
});

Deno.test("gatherFacts() compares quotes with the request of the session", async () => {
  await using project = await createProject();
  expectOk(await project.start({ query: "ﾛｸﾞｲﾝ画面を直す" }));
  const slots = (quote: string) => ({ target_feature: { value: "ログイン画面", quote } });
  const wrong = await project.submit({ ...FRAME, slots: slots("登録画面") });
  deepEqual(codesOf(wrong), ["quote_not_found"]);
  expectOk(await project.submit({ ...FRAME, slots: slots("ログイン画面") }));
  equal((await project.state()).frame?.slots.target_feature?.quote, "ﾛｸﾞｲﾝ画面");
});

Deno.test("gatherFacts() lets an empty exploration pass in a project without source", async () => {
  await using project = await createPlainProject({ "README.md": "# Empty\n" });
  expectOk(await project.start({ intent: "QUESTION", flags: { no_doc: true } }));
  await project.must(FRAME);
  const reply = await project.must({ ...COMMON, explored_files: [], findings: [] });
  equal(reply.phase, "Q1");
});

Deno.test("gatherFacts() finds that nothing changed, however much the person did before", async () => {
  await using project = await createProject();
  await project.repo.write({ "src/b.ts": "mine\n", "mine.ts": "mine\n" });
  expectOk(await project.start());
  await project.plan("Change a");
  await project.must({
    ...COMMON,
    task_id: "task_1",
    checklist: [{ item: "Change a", status: "skipped", reason: "The code does this already" }],
  });
  const reply = await project.must({ summary: "nothing to do" });
  deepEqual([reply.committed, reply.end], [false, "completed"]);
  equal(await project.repo.read("src/b.ts"), "mine\n");
});

Deno.test("gatherFacts() reads the lines that rules cite: a blank one is none, and one without the rule's words is doubtful", async () => {
  await using project = await createProject({
    files: { "docs/rules.md": "# Rules\n\nEvery change needs a changelog entry.\n\n\n\n\nEnd\n" },
  });
  await startAt(project);
  const cite = (source: string) =>
    documents({
      documents_reviewed: ["docs/rules.md"],
      mandatory_rules: [{ rule: "Cookies are never logged", source }],
    });
  deepEqual(codesOf(await project.submit(cite("docs/rules.md:6"))), ["rule_not_there"]);
  const taken = expectOk(await project.submit(cite("docs/rules.md:3")));
  deepEqual(taken.cited_lines, { "docs/rules.md:3": "Every change needs a changelog entry." });
});

Deno.test("gatherFacts() judges a report as ever where rules are corrected beside it", async () => {
  await using project = await createProject({ after: planned("Change a") });
  expectOk(await project.workflow.addExploredFiles(["src/a.ts"]));
  expectOk(await project.clear("src/a.ts"));
  const report = {
    ...COMMON,
    task_id: "task_1",
    checklist: [{ item: "Change a", status: "done", evidence: "src/a.ts:2" }],
  };
  const rules = [{ rule: "Test", source: "README.md:1" }];
  const alone = codesOf(await project.submit(report));
  deepEqual(alone, ["checklist_evidence_not_changed"]);
  const beside = (source: string) => ({ ...report, mandatory_rules: [{ ...rules[0], source }] });
  deepEqual(codesOf(await project.submit(beside("README.md:1"))), alone);
  const both = codesOf(await project.submit(beside("gone.md:1")));
  deepEqual(both.toSorted(), [...alone, "path_not_found"]);
  deepEqual((await project.state()).rules, []);
});
