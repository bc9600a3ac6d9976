/** What a session left behind is asked about at step 17, with its lines, and nothing else is. */
import {
  deepStrictEqual as deepEqual,
  doesNotMatch,
  match,
  strictEqual as equal,
} from "node:assert/strict";
import type { Answer, Project } from "../../workflow/project_fixture.ts";
import {
  COMMON,
  createProject,
  expectOk,
  expectRefused,
  planned,
} from "../../workflow/project_fixture.ts";

const PLAN = planned("Refuse an empty name");
const FILES = { "src/a.py": "def f(name):\n    return name\n", "README.md": "# Test\n" };
const CLEAN = "def f(name):\n    check(name)\n    return name\n";
const DEBUG =
  'def f(name, password):\n    print("DEBUG", name, password)  # TODO remove\n    return name\n';

/** Walks to step 17 with one file changed. */
async function toReview(project: Project, text: string): Promise<Answer> {
  expectOk(await project.work({ "src/a.py": text }, ["src/a.py:1-2"]));
  return await project.must({ summary: "complete" });
}

const REVIEW = { ...COMMON, reviewed_files: ["src/a.py"], commit_message: "Refuse" };

Deno.test("step 17 shows the lines of what was left behind, and takes a word for each", async () => {
  await using project = await createProject({ files: FILES, after: PLAN });
  equal((await toReview(project, DEBUG)).phase, "PRE_COMMIT");
  const refused = expectRefused(await project.submit(REVIEW), "left_behind", "left_behind");
  const [debug, mark] = refused.problems;
  match(
    debug.message,
    /^open_mark src\/a\.py:2: an open mark such as TODO\n1: def f[^]*\n2: {5}print\("DEBUG"/,
  );
  match(mark.message, /^debug_output src\/a\.py:2: /);
  match(debug.hint, /findings: \[\{"id": "open_mark src\/a\.py:2"/);
  const one = [{ id: "debug_output src/a.py:2", reason: "the program is there to print it" }];
  expectRefused(await project.submit({ ...REVIEW, findings: one }), "left_behind");
  const findings = [...one, { id: "open_mark src/a.py:2", reason: "the issue 12 is about it" }];
  const answered = await project.submit({ ...REVIEW, findings });
  expectOk(answered);
  const { testFindings = [] } = await project.state();
  deepEqual(testFindings.map(({ id, reason }) => [id, reason]), [
    ["open_mark src/a.py:2", "the issue 12 is about it"],
    ["debug_output src/a.py:2", "the program is there to print it"],
  ]);
});

Deno.test("step 17 asks for nothing where nothing was left behind, or the file is discarded", async () => {
  await using project = await createProject({ files: FILES, after: PLAN });
  await toReview(project, CLEAN);
  expectOk(await project.submit(REVIEW));
  await using other = await createProject({ files: FILES, after: PLAN });
  await toReview(other, DEBUG);
  const discard = [{ path: "src/a.py", decision: "discard", reason: "debug output" }];
  expectOk(await other.submit({ ...REVIEW, reviewed_files: discard }));
});

const WORK = DEBUG.replace("    return", "    check(name)\n    return");
const PRINTED = '    print("DEBUG", name, password)';
const QUALITY = { ...COMMON, quality_score: "good", issues: [], quality_prompt_used: "q.md" };

for (
  const [how, text] of [
    ["line", WORK.replace(`${PRINTED}  # TODO remove\n`, "")],
    ["comment at the end of a line", WORK.replace("  # TODO remove", "")],
  ] as const
) {
  Deno.test(`step 17 takes a single ${how} that was taken out there: it led back through the plan`, async () => {
    await using project = await createProject({ files: FILES, after: PLAN });
    await toReview(project, WORK);
    expectRefused(await project.submit(REVIEW), "left_behind", "left_behind");
    await project.repo.write({ "src/a.py": text });
    const findings = [{
      id: "debug_output src/a.py:2",
      reason: "the program is there to print it",
    }];
    const isPrinting = text.includes(PRINTED);
    expectOk(await project.submit({ ...REVIEW, ...(isPrinting ? { findings } : {}) }));
    if ((await project.state()).stage === "QUALITY_REVIEW") await project.must(QUALITY);
    equal(`${await project.repo.git("show", "HEAD:src/a.py")}\n`, text);
  });
}

Deno.test("step 17 takes no other change beside what was left behind, and no evidence that goes with it", async () => {
  await using project = await createProject({ files: FILES, after: PLAN });
  const before = FILES["src/a.py"];
  const debug = before.replace("    return", `${PRINTED}\n    return`);
  expectOk(await project.work({ "src/a.py": debug }, ["src/a.py:2"]));
  await project.must({ summary: "complete" });
  for (
    const text of [
      before.replace("name\n", "1\n"),
      before.replace("    return name\n", ""),
      `${before}x = 1\n`,
    ]
  ) {
    await project.repo.write({ "src/a.py": text });
    expectRefused(await project.submit(REVIEW), "unauthorized_change");
  }
  await project.repo.write({ "src/a.py": before });
  const back = expectOk(await project.submit(REVIEW));
  deepEqual([back.sent_back, back.phase], [true, "READY"], JSON.stringify(back));
  match(back.reason, /What shows task_1 was changed since/);
});

Deno.test("a review shows what was left behind within its bytes, and no secret is shown or kept", async () => {
  await using project = await createProject({ files: FILES, after: PLAN });
  await toReview(
    project,
    'def f(name):\n    API_KEY = "9f8a-7b6c-5d4e"\n    return name + API_KEY\n',
  );
  const review = await project.workflow.reviewChanges({
    maxBytes: 20_000,
    isBrief: true,
  }) as Answer;
  deepEqual(review.leftovers, [{
    id: "secret src/a.py:2",
    what: "what looks like a secret",
    hunk: '2:     API_KEY = "…"',
  }]);
  match(review.leftovers_note, /findings: \[\{id, reason\}\]/);
  const findings = [{ id: "secret src/a.py:2", reason: "it is the key of the test server" }];
  expectOk(await project.submit({ ...REVIEW, findings }));
  doesNotMatch(JSON.stringify((await project.state()).testFindings), /9f8a/);
  await using many = await createProject({ files: FILES, after: PLAN });
  await toReview(many, `def f(name):\n${"    breakpoint()\n".repeat(3)}    return name\n`);
  const small = await many.workflow.reviewChanges({ maxBytes: 2_400, isBrief: true }) as Answer;
  equal(JSON.stringify(small).length <= 2_400, true);
});
