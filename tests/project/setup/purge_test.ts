/** `uninstall --purge`: all that the program made is gone, counted, and nothing of a person's. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { PurgeDeps } from "../../../src/project/setup/purge_plan.ts";
import { planPurge } from "../../../src/project/setup/purge_plan.ts";
import { runHosted } from "../../support/server/hosted_cli.ts";
import {
  compareFootprints,
  readFolderFootprint,
  readFootprint,
} from "../../support/files/footprint.ts";
import type { Project } from "../../support/session/session_driver.ts";
import { createProject, startSession } from "../../support/session/session_driver.ts";

Deno.test("uninstall --purge once left index and refs, and refused where sessions ran without init", async () => {
  await using project = await createProject({ isIndexed: false });
  const run = toRun(project);
  const before = await readFootprint(project.dir);
  equal((await run("index")).code, 0);
  await startAndAbandon(project);
  ok((await project.repo.git("for-each-ref", "refs/code-intel")).length > 0);
  const plain = await run("uninstall");
  deepEqual([plain.code, /uninstall --purge/.test(plain.stderr)], [1, true]);
  const shown = JSON.parse((await run("uninstall", "--purge", "--dry-run", "--json")).stdout);
  const done = await run("uninstall", "--purge", "--json");
  equal(done.code, 0, done.stderr);
  const { removed, kept } = JSON.parse(done.stdout);
  deepEqual(removed, shown.removed);
  const inGit = removed.find(({ what }: { what: string }) => what.endsWith(".git/code-intel"));
  ok(inGit.count > 0 && inGit.bytes > 10_000, done.stdout);
  match(done.stdout, /refs below refs\/code-intel/);
  match(JSON.stringify(kept), /seal\.key in .*git gc --prune=now/);
  deepEqual(compareFootprints(before, await readFootprint(project.dir)), []);
  const state = Object.keys(await readFolderFootprint(project.stateDir));
  deepEqual(state.filter((path) => !path.endsWith("/") && path !== "seal.key"), []);
  match((await run("uninstall", "--purge")).stderr, /was not set up/);
});

Deno.test("uninstall --purge keeps and names task branches with work that nobody merged, and all of a person's", async () => {
  await using project = await createProject({ isIndexed: false });
  const { repo } = project;
  await startAndAbandon(project);
  const [merged, open, lost] = ["0001", "0002", "0003"].map((end) =>
    `llm_task_session_20260101_000000_${end}_from_${end === "0003" ? "gone" : "main"}`
  ) as [string, string, string];
  await repo.git("branch", merged);
  await repo.git("branch", lost);
  await repo.git("branch", "llm_task_of_mine");
  await repo.git("switch", "-q", "-c", open);
  await repo.commit("Work", { "src/new.ts": "export const a = 1;\n" });
  await repo.git("switch", "-q", "main");
  await repo.git("tag", "v1");
  await repo.git("update-ref", "refs/mine/code-intel", "HEAD");
  await repo.git("update-ref", "refs/code-intel/index/1/project", "HEAD");
  await repo.git("notes", "--ref=code-intel", "add", "-m", "a statement", "HEAD");
  const done = await toRun(project)("uninstall", "--purge");
  equal(done.code, 0, done.stderr);
  const left = (await repo.git("for-each-ref", "--format=%(refname)")).split("\n");
  deepEqual(
    left,
    [
      "refs/code-intel/index/1/project",
      `refs/heads/${lost}`,
      "refs/heads/llm_task_of_mine",
      `refs/heads/${open}`,
      "refs/heads/main",
      "refs/mine/code-intel",
      "refs/notes/code-intel",
      "refs/tags/v1",
    ].sort(),
  );
  match(done.stdout, new RegExp(`kept +branch ${open}: 1 of its commits are not in "main"`));
  match(done.stdout, /kept +shared packs in refs\/code-intel\/index\/1\/project: whoever/);
  match(done.stdout, /kept +1 note in refs\/notes\/code-intel: they prove/);
  match(done.stdout, new RegExp(`kept +branch ${lost}: its base "gone" is gone`));
  match(done.stdout, new RegExp(`1 task branch without work of their own: ${merged}`));
});

Deno.test("uninstall --purge once named keys that are not there, and the store of a git that is not there", async () => {
  const root = await Deno.makeTempDir();
  const codeIntelDir = join(root, ".code-intel");
  await Deno.mkdir(codeIntelDir);
  await Deno.writeTextFile(join(codeIntelDir, "config.json"), "{}");
  const workspace = join(root, "state", "workspaces", "name");
  await Deno.mkdir(workspace, { recursive: true });
  await Deno.writeTextFile(join(workspace, "members.json"), "{}");
  const deps: PurgeDeps = {
    projectRoot: root,
    codeIntelDir,
    stateDir: join(root, "state"),
    fallbackIndexDir: join(root, "state", "index", "name"),
    openRepo: () => Promise.resolve(null),
    listMarks: () => Promise.resolve(["one"]),
    forgetMark: () => Promise.resolve(),
    countTrust: () => Promise.resolve(1),
    revokeTrust: () => Promise.resolve(0),
  };
  const { removed, kept } = await planPurge(deps);
  deepEqual(removed.map(({ what, count }) => `${count} ${what}`), [
    `1 file in ${codeIntelDir}`,
    `1 file in ${workspace}`,
    "1 revision mark of sessions in the state folder",
    "1 decision about trust in this repository",
  ]);
  deepEqual(kept.map(({ what }) => what), ["unpacked files in the cache folder"]);
  await Deno.remove(root, { recursive: true });
});

function toRun({ dir, env }: Project) {
  return (...words: string[]) => runHosted(words, { cwd: dir, env });
}

/** A session over stdio as far as its first steps, then given up. */
async function startAndAbandon(project: Project, dir = project.dir): Promise<void> {
  await using session = await startSession(project, { intent: "QUESTION", projectDir: dir });
  await session.client.close();
  const words = ["session", "abandon", "--reason", "enough"];
  const { code, stderr } = await runHosted(words, { cwd: dir, env: project.env });
  equal(code, 0, stderr);
}
