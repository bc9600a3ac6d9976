/** What a session says of its commit: the statement with its run, and the note, signed where git has a key. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { verifyChain } from "../../../src/features/attest/verify_chain.ts";
import {
  createStatementStore,
  readCommitRuns,
} from "../../../src/features/attest/statement_file.ts";
import { testNeeding } from "../../support/needs.ts";
import { COMMON, createProject, toLines } from "../../workflow/project_fixture.ts";
import {
  allow,
  createVerified,
  reachVerification,
  REPORT,
  REVIEW,
} from "../../workflow/verify/verified_project.ts";

const TAP = "grep -q . src/a.ts; echo TAP version 13; echo 'ok 1 - wanted'; echo 1..1";
const RULES = { allowUnsigned: false, signers: [], values: [], everyCommit: true };

testNeeding(
  ["ssh_keygen"],
  "a session signs the note about its commit, with the run that it was judged by",
  async () => {
    await using project = await createVerified(["sh", "-c", TAP]);
    const { repo } = project;
    const key = join(repo.dir, ".git", "key");
    const args = ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key];
    await new Deno.Command("ssh-keygen", { args }).output();
    await repo.git("config", "gpg.format", "ssh");
    await repo.git("config", "user.signingKey", key);
    await allow(project);
    await reachVerification(project, "wanted\n");
    await project.must({ ...REPORT, passed: true });
    const reply = await project.must(REVIEW);
    deepEqual([reply.verified, reply.attested, reply.attest_note], ["yes", "signed", undefined]);
    const allowedSigners = join(repo.dir, ".git", "signers");
    await Deno.writeTextFile(
      allowedSigners,
      `anna@example.org ${await Deno.readTextFile(`${key}.pub`)}`,
    );
    const report = await verifyChain(repo.repo, { ...RULES, range: "HEAD", allowedSigners });
    const [row] = report.kind === "report" ? report.rows : [];
    deepEqual([row?.code, row?.signer], ["attested", "anna@example.org"]);
    const { run, trust } = row?.statement?.predicate ?? {};
    equal(trust?.by, "terminal");
    deepEqual(run?.commands.map(({ name, tests }) => [name, tests?.passed]), [["check", 1]]);
    equal(run?.place.tree, await repo.git("rev-parse", "HEAD^{tree}"));
    // It stays with the session too, for a note by hand.
    const { sessionId } = await project.state();
    const { parts } = project.services;
    deepEqual(await createStatementStore(parts).read(sessionId), [row?.statement]);
    // Reports tell of the run by the time of its result.
    const [kept] = await readCommitRuns(parts, sessionId);
    equal(kept?.at, row?.statement?.predicate.result?.at);
    deepEqual(kept?.commands?.map(({ name, tests }) => [name, tests?.passed]), [["check", 1]]);
  },
);

Deno.test("a note that has to be signed is not written without a key, and the commit is made all the same", async () => {
  await using project = await createProject({
    files: { "src/a.ts": toLines(3), ".code-intel/config.json": '{"attest": "signed"}' },
  });
  await project.start();
  await project.plan("Change a");
  await project.work({ "src/a.ts": toLines(3).replace("line 2", "two") }, ["src/a.ts:2"]);
  await project.must({ summary: "complete" });
  const review = { ...COMMON, reviewed_files: ["src/a.ts"], commit_message: "Change a" };
  const reply = await project.must(review);
  deepEqual([reply.committed, reply.attested], [true, "no"]);
  match(reply.attest_note, /no signing key configured.*`code-intel attest` writes/);
  equal(await project.repo.git("for-each-ref", "refs/notes"), "");
});
