/** Which action fits which finding, before anything is done. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Answer, Project } from "../project_fixture.ts";
import { createProject, expectOk, expectRefused, FRAME, started } from "../project_fixture.ts";

/** A session whose file, HEAD and git folder were all changed by somebody else. */
async function toTrouble(): Promise<Project> {
  const project = await createProject({ after: started });
  await project.repo.write({ "src/a.ts": "x\n", ".git/hooks/pre-push": "x" });
  await project.repo.git("commit", "-q", "--allow-empty", "-m", "By hand");
  await project.submit(FRAME);
  return project;
}

for (
  const [path, action, code] of [
    ["HEAD", "restore", "action_not_offered"],
    ["HEAD", "authorize", "action_not_offered"],
    ["src/a.ts", "undo", "action_not_offered"],
    [".git/hooks/pre-push", "restore", "action_not_offered"],
    [".git/hooks/pre-push", "undo", "action_not_offered"],
    [".git/config", "person", "no_finding"],
    ["src/b.ts", "restore", "no_finding"],
    ["src/b.ts", "person", "no_finding"],
    ["src/a", "restore", "no_finding"],
    ["a.ts", "restore", "no_finding"],
  ] as const
) {
  Deno.test(`checkResolutions() refuses ${action} of ${path} with ${code}`, async () => {
    await using project = await toTrouble();
    const before = await project.repo.state();
    const rows = [{ path, action, reason: "so" }];
    const reply = await project.submit({ ...FRAME, change_resolution: rows });
    expectRefused(reply, code);
    deepEqual([reply.error, reply.problems[0].at.startsWith("data.change_resolution[0]")], [
      "resolution_refused",
      true,
    ]);
    equal(await project.repo.state(), before);
  });
}

Deno.test("checkResolutions() knows no finding about HEAD while HEAD is where it should be", async () => {
  await using project = await createProject({ after: started });
  const rows = [{ path: "HEAD", action: "undo", reason: "so" }];
  expectRefused(await project.submit({ change_resolution: rows }), "no_finding");
});

for (const path of ["src/a.ts", "src", "src/", "src/*.ts", "**"]) {
  Deno.test(`matchFindings() takes a file by ${path}`, async () => {
    await using project = await toTrouble();
    const rows = [{ path, action: "restore", reason: "so" }];
    const reply = await project.submit({ change_resolution: rows }) as Answer;
    deepEqual(reply.resolved, [`restore: ${path}`]);
    equal(reply.unsettled_total, 2);
  });
}

Deno.test("matchGitFiles() takes a folder of git's own", async () => {
  await using project = await toTrouble();
  const rows = [{ path: ".git/hooks", action: "person", reason: "so" }];
  equal((await project.submit({ change_resolution: rows })).unsettled_total, 2);
});

Deno.test("matchFindings() takes paths of the project where it is a folder of the repository", async () => {
  await using project = await createProject({ subfolder: "src", after: started });
  await project.repo.write({ "src/a.ts": "x\n", "README.md": "x\n" });
  const found = await project.submit(FRAME);
  deepEqual(found.problems.map((problem: Answer) => problem.path), ["../README.md", "a.ts"]);
  const rows = ["../README.md", "a.ts"].map((path) => ({ path, action: "restore", reason: "so" }));
  expectOk(await project.submit({ change_resolution: rows }));
  equal(await project.repo.git("status", "-s", "--", "README.md", "src/a.ts"), "");
});

Deno.test("checkResolutions() puts no repository inside back, and says what to do", async () => {
  await using project = await createProject({ after: started });
  await project.repo.git("clone", "-q", ".", "inner");
  const found = expectRefused(await project.submit(FRAME), "unauthorized_change");
  equal(found.problems[0].path, "inner");
  const send = (action: string) =>
    project.submit({ change_resolution: [{ path: "inner", action, reason: "so" }] });
  expectRefused(await send("restore"), "action_not_offered");
  expectOk(await send("person"));
  expectOk(await project.submit(FRAME));
});
