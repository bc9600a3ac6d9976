/** Step 15 in a clean checkout of what is to be committed: found is what works only because of ignored files. */
import { match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { Project } from "../project_fixture.ts";
import { createProject } from "../project_fixture.ts";
import { allow, FLAGS, reachVerification, REPORT, REVIEW } from "./verified_project.ts";

/** Passes while the code needs no generated file, or has it. */
const CHECK = 'grep -q "needs generated" src/a.ts || exit 0; test -f src/gen.ts';

async function createBuilt(
  settings: Readonly<Record<string, unknown>> = {},
  script = CHECK,
): Promise<Project> {
  const verify = [{ name: "check", run: ["sh", "check.sh"] }];
  const project = await createProject({
    files: {
      "src/a.ts": "first\n",
      ".gitignore": "build/\nsrc/gen.ts\n.code-intel/sessions\n",
      "check.sh": `${script}\n`,
      ".code-intel/config.json": JSON.stringify({ verify, ...settings }),
    },
  });
  await allow(project);
  return project;
}

async function generate(project: Project): Promise<void> {
  await project.repo.write({ "src/gen.ts": "export const made = 1;\n" });
}

const USES = "needs generated\n";

Deno.test("work that needs an ignored file fails where a clean checkout is known to work, and says where it ran", async () => {
  await using project = await createBuilt();
  await reachVerification(project, USES, { waitsForBaseline: true });
  await generate(project);
  const red = await project.submit({ ...REPORT, passed: true });
  equal(red.verified, false);
  match(`${red.instruction}`, /It ran in a clean checkout .* a file that git ignores is not there/);
});

Deno.test("the same work is verified once nothing of it is ignored", async () => {
  await using project = await createBuilt();
  await project.repo.commit("Keep what is built", { ".gitignore": ".code-intel/sessions\n" });
  await reachVerification(project, USES, { waitsForBaseline: true, alsoWrites: "src/gen.ts" });
  const reply = await project.submit({ ...REPORT, passed: true });
  equal(reply.verified, true);
  equal(reply.ran_in, undefined);
  equal((await project.must(REVIEW)).verified, "yes");
});

Deno.test("what passes in the worktree alone is said so, in the reply and in the commit", async () => {
  for (const settings of [{ verify_baseline: "off" }, { verify_checkout: "off" }]) {
    await using project = await createBuilt(settings);
    await reachVerification(project, USES);
    await generate(project);
    const reply = await project.submit({ ...REPORT, passed: true });
    equal(reply.verified, true);
    match(reply.ran_in, /^the worktree\./);
    equal((await project.must(REVIEW)).verified, "yes (worktree)");
    const message = await project.repo.git("log", "-1", "--format=%B");
    match(message, /^Code-Intel-Verified: yes \(worktree\)$/m);
  }
});

Deno.test("where clean checkouts do not work, the untouched tree says so, and step 15 does not try", async () => {
  await using project = await createBuilt({}, "printf x >> build/ran; test -f build/settings");
  await project.repo.write({ "build/settings": "mine\n" });
  await reachVerification(project, "other\n", { waitsForBaseline: true });
  const status = await project.workflow.getStatus({});
  match(`${JSON.stringify(status)}`, /A clean checkout gives another result/);
  equal((await project.repo.read("build/ran")).length, 1);
  const reply = await project.submit({ ...REPORT, passed: true });
  equal(reply.verified, true);
  match(reply.ran_in, /^the worktree\. On the untouched tree: /);
  equal((await project.repo.read("build/ran")).length, 2);
});

Deno.test("the person's own changes are not in the checkout, and the commit says yes without them", async () => {
  await using project = await createBuilt({ verify_baseline: "off" }, "test ! -f notes.txt");
  await project.repo.write({ "notes.txt": "mine\n" });
  await reachVerification(project, "other\n");
  equal((await project.submit({ ...REPORT, passed: true })).verified, true);
  equal((await project.must(REVIEW)).verified, "yes");
});

Deno.test("a subfolder project runs in its folder of the checkout, and nothing of it stays", async () => {
  await using project = await createBuilt(
    { verify_baseline: "off" },
    "test -f src/a.ts && touch left",
  );
  await reachVerification(project, "other\n");
  equal((await project.submit({ ...REPORT, passed: true })).verified, true);
  equal(await project.repo.exists("left"), false);
  const left = await Array.fromAsync(Deno.readDir(join(project.stateDir, "checkouts")));
  equal(left.every(({ name }) => name.endsWith(".lock")), true);
});

Deno.test("a flow that commits nothing runs its commands in the worktree, without a word of it", async () => {
  await using project = await createBuilt({ verify_baseline: "off" });
  await project.start({ flags: { ...FLAGS, only_verify: true } });
  const reply = await project.submit({ ...REPORT, passed: true });
  equal("ran_in" in reply, false);
});
