/** The commands that write and check notes, on commits of real sessions. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { runHosted } from "../../support/server/hosted_cli.ts";
import type { Project } from "../../workflow/project_fixture.ts";
import { expectOk } from "../../workflow/project_fixture.ts";
import { testNeeding } from "../../support/needs.ts";
import {
  allow,
  createVerified,
  reachVerification,
  REPORT,
  REVIEW,
} from "../../workflow/verify/verified_project.ts";

const TAP = "grep -q . src/a.ts; echo TAP version 13; echo 'ok 1 - wanted'; echo 1..1";

/** A session of one edit, up to its commit. */
async function commitVerified(project: Project) {
  await allow(project);
  await reachVerification(project, "wanted\n");
  equal((await project.must({ ...REPORT, passed: true })).verified, true);
  return await project.must(REVIEW);
}

async function useKey({ repo }: Project): Promise<string> {
  const path = join(repo.dir, ".git", "key");
  const args = ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", path];
  await new Deno.Command("ssh-keygen", { args }).output();
  await repo.git("config", "gpg.format", "ssh");
  await repo.git("config", "user.signingKey", path);
  const signers = join(repo.dir, ".git", "signers");
  await Deno.writeTextFile(signers, `anna@example.org ${await Deno.readTextFile(`${path}.pub`)}`);
  return signers;
}

function run({ root, stateDir }: Project, ...words: readonly string[]) {
  return runHosted(["attest", ...words], { cwd: root, env: { CODE_INTEL_STATE_DIR: stateDir } });
}

testNeeding(
  ["ssh_keygen"],
  "the signed note of a session can be checked and repeated, by whom somebody allows it",
  async () => {
    await using project = await createVerified(["sh", "-c", TAP]);
    const signers = await useKey(project);
    const reply = await commitVerified(project);
    deepEqual([reply.verified, reply.attested, reply.attest_note], ["yes", "signed", undefined]);
    const known = ["--allowed-signers", signers];
    const good = await run(project, "verify", ...known);
    deepEqual([good.code, good.stderr], [0, ""]);
    match(good.stdout, /^[0-9a-f]{12} {2}attested {9}yes .*signed by anna@example\.org$/m);
    match(good.stdout, /^1 of 1 commit attested, no finding$/m);
    const [, payload = ""] = (await project.repo.git("notes", "--ref=code-intel", "show", "HEAD"))
      .split("\n\n");
    const { predicate } = JSON.parse(payload);
    deepEqual(predicate.trust.by, "terminal");
    deepEqual(
      predicate.run.commands.map((row: typeof predicate) => [row.name, row.tests.passed]),
      [["check", 1]],
    );
    equal(predicate.run.place.tree, await project.repo.git("rev-parse", "HEAD^{tree}"));

    const again = await run(project, "verify", "--rerun", "--json", ...known);
    const [row] = JSON.parse(again.stdout).commits;
    deepEqual([again.code, row.code, row.rerun.kind], [0, "attested", "same"]);
    // Elsewhere nobody allowed the commands, whatever the note says.
    const elsewhere = { ...project, stateDir: await Deno.makeTempDir() };
    const refused = await run(elsewhere, "verify", "--rerun", ...known);
    equal(refused.code, 1);
    const hash = /--allow-commands ([0-9a-f]{64})/.exec(refused.stdout)?.[1] ?? "";
    equal(hash, predicate.run.commandsHash);
    for (const [allowed, code] of [[hash, 0], [hash.slice(0, 12), 0], [hash.slice(0, 11), 1]]) {
      const words = ["verify", "--rerun", "--allow-commands", `${allowed}`, ...known];
      equal((await run(elsewhere, ...words)).code, code, `${allowed}`);
    }
    // Other commands of the commit's configuration are not those of the statement.
    const message = await project.repo.git("log", "-1", "--format=%B");
    equal((await run(project)).code, 0);
    await project.repo.git("commit", "-q", "--amend", "-m", message.replace("Say", "Tell"));
    const amended = await run(project, "verify", "--json", ...known);
    equal(JSON.parse(amended.stdout).commits[0].code, "same_tree");
  },
);

Deno.test("--rerun runs a merge into a base that moved, where no session ran its tree", async () => {
  await using project = await createVerified(["sh", "-c", `test ! -e broken || exit 1; ${TAP}`]);
  await commitVerified(project);
  const { git } = project.repo;
  const message = `merged\n\n${await git(
    "log",
    "-1",
    "--format=%(trailers:key=Code-Intel-Session)",
  )}`;
  const [task, base] = [await git("rev-parse", "HEAD"), await git("rev-parse", "HEAD^")];
  const mergeInto = async (name: string) => {
    await git("switch", "-q", "--detach", base);
    await project.repo.write({ [name]: "" });
    await git("add", name);
    await git("commit", "-q", "-m", name);
    const parents = ["-p", "HEAD", "-p", task];
    const tree = await git("merge-tree", "--write-tree", "HEAD", task);
    const commit = await git("commit-tree", tree, ...parents, "-m", message);
    const words = ["verify", commit, "--allow-unsigned", "--rerun", "--json"];
    const { code, stdout } = await run(project, ...words);
    const [row] = JSON.parse(stdout).commits;
    return [code, row.note, row.code, row.rerun.kind];
  };
  deepEqual(await mergeInto("harmless"), [0, "merge_moved", "merge_moved", "same"]);
  deepEqual(await mergeInto("broken"), [1, "merge_moved", "rerun_differs", "differs"]);
});

Deno.test("a project without notes can write one by hand, from what the session keeps", async () => {
  await using project = await createVerified(["sh", "-c", TAP], {}, "off", { attest: "off" });
  const reply = await commitVerified(project);
  equal(reply.attested, undefined);
  equal(await project.repo.git("for-each-ref", "refs/notes"), "");
  equal(expectOk(await project.submit({ summary: "merge" })).merged, true);
  const missing = await run(project, "verify");
  deepEqual([missing.code, /No note is here/.test(missing.stdout)], [1, true]);
  const written = await run(project, "--json");
  const { notes, session_id: id } = JSON.parse(written.stdout);
  deepEqual([notes.length, notes[0].note, notes[0].signed], [1, "written", false]);
  match(notes[0].unsigned_because, /no signing key configured/);
  equal(JSON.parse((await run(project, id, "--json")).stdout).notes[0].note, "present");
  const unsigned = await run(project, "verify", "HEAD^2", "--format", "markdown");
  equal(unsigned.code, 1);
  match(unsigned.stdout, /^\| `[0-9a-f]{12}` `Say what is wanted` \| `yes` \| unsigned \| {2}\|$/m);
  equal((await run(project, "verify", "--allow-unsigned")).code, 0);
  equal((await run(project, "verify", "--allow-unsigned", "--value", "no")).code, 1);
  equal((await run(project, "verify", "nowhere..HEAD")).code, 64);
  const merged = await run(project, "verify", "HEAD~1..HEAD", "--allow-unsigned", "--json");
  deepEqual(JSON.parse(merged.stdout).commits.map((row: { code: string }) => row.code), [
    "merge",
    "unsigned",
  ]);
  const first = await run(project, "HEAD~1");
  match(first.stderr, /not_of_a_session/);
});
