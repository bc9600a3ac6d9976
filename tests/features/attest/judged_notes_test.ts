/** What statements are worth beside the commits of today: amended ones, and counts that do not fit how a run ended. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { VerifyChainOptions } from "../../../src/features/attest/verify_chain.ts";
import { verifyChain } from "../../../src/features/attest/verify_chain.ts";
import { testNeeding } from "../../support/needs.ts";
import type { VerificationRun } from "../../../src/evidence/runs/verification.ts";
import type { AttestedRepo } from "./attested_repo.ts";
import { createAttestedRepo, toRun } from "./attested_repo.ts";

async function judge(
  { repo }: Pick<AttestedRepo, "repo">,
  range: string,
  rules: Partial<VerifyChainOptions>,
) {
  const strict = { allowUnsigned: false, signers: [], values: [], everyCommit: false };
  const report = await verifyChain(repo, { ...strict, range, ...rules });
  if (report.kind !== "report") throw new Error(report.said);
  return report.rows;
}

testNeeding(
  ["ssh_keygen"],
  "a statement that git carried along with an amended commit holds for the same tree, parents and session alone",
  async () => {
    await using temp = await createAttestedRepo();
    const file = join(temp.dir, ".git", "signers");
    await Deno.writeTextFile(file, await temp.useKey("anna"));
    const made = await temp.claim("work");
    await temp.attest(made);
    const note = await temp.note(made.commit);
    // The note is carried to the amended commit.
    const amend = async (...args: readonly string[]) => {
      await temp.git("commit", "-q", "--amend", "--no-edit", ...args);
      const commit = await temp.git("rev-parse", "HEAD");
      await temp.putNote(commit, note);
      const rows = await judge(temp, commit, { allowedSigners: file });
      return rows.map(({ code, fingerprint }) => [code, (fingerprint ?? "") !== ""]);
    };
    const early = ["--allow-empty", "--date", "2001-01-01T00:00:00"];
    deepEqual(await amend(...early), [["same_tree", true]]);
    await temp.write({ "evil.txt": "evil\n" });
    await temp.git("add", "evil.txt");
    deepEqual(await amend(), [["copied", false]]);
  },
);

Deno.test("failures that a passing command counts are usual only where it counted as many, passing, before the work", async () => {
  await using temp = await createAttestedRepo();
  const named = (name: string) => ({ failed: 1, failures: [{ name, line: "" }] });
  const counted = toRun({}, 0, { failed: 2 });
  const rows: readonly (readonly [
    baseline: VerificationRun | undefined,
    code: string,
    run?: VerificationRun,
  ])[] = [
    [undefined, "inconsistent"],
    [toRun({}, 0, { failed: 2 }), "unsigned"],
    [toRun({}, 0, { failed: 3 }), "unsigned"],
    [toRun({}, 0, { failed: 1 }), "inconsistent"],
    [toRun({}, 1, { failed: 2 }), "inconsistent"],
    [toRun({ results: [] }), "inconsistent"],
    [toRun({}, 0, named("one")), "unsigned", toRun({}, 0, named("one"))],
    [toRun({}, 0, named("one")), "inconsistent", toRun({}, 0, named("another"))],
  ];
  for (const [at, [baseline, code, run = counted]] of rows.entries()) {
    const made = await temp.claim(`work ${at}`);
    await temp.attest(made, { run, ...(baseline === undefined ? {} : { baseline }) });
    const [row] = await judge(temp, made.commit, { allowUnsigned: true });
    equal(row?.statement?.predicate.session.id, made.sessionId);
    deepEqual([row?.code, row?.level], [code, code === "unsigned" ? "note" : "finding"], `${at}`);
  }
});

Deno.test("a statement of failures that were there before holds only where its run shows no other", async () => {
  await using temp = await createAttestedRepo();
  const red = toRun({}, 1);
  const [result] = red.results;
  if (result === undefined) return;
  const rows: readonly (readonly [VerificationRun, VerificationRun | undefined, string])[] = [
    [red, red, "unsigned"],
    [red, undefined, "inconsistent"],
    [red, toRun(), "inconsistent"],
    [{ ...red, results: [{ ...result, cancelled: true, exitCode: null }] }, red, "inconsistent"],
  ];
  for (const [at, [run, baseline, code]] of rows.entries()) {
    const made = await temp.claim(`red ${at}`, { verified: "baseline-red" });
    const more = baseline === undefined ? {} : { baseline };
    await temp.attest(made, { verified: "baseline-red", run, ...more });
    const [row] = await judge(temp, made.commit, { allowUnsigned: true });
    equal(row?.code, code, `${at}: ${row?.why}`);
  }
});

Deno.test("commits that were made anew are not looked for among more notes than are read", async () => {
  await using temp = await createAttestedRepo();
  const made = await temp.claim("work");
  await temp.attest(made);
  await temp.git(
    "commit",
    "-q",
    "--amend",
    "--allow-empty",
    "--no-edit",
    "--date",
    "2001-01-01T00:00:00",
  );
  const rules = { allowUnsigned: true };
  deepEqual((await judge(temp, "HEAD", rules)).map(({ code }) => code), ["unsigned"]);
  const list = await temp.git("ls-tree", "-r", "refs/notes/code-intel");
  const blob = list.split(/\s/)[2] ?? "";
  const others = Array.from(
    { length: 5_000 },
    (_, at) => `100644 blob ${blob}\t${String(at).padStart(40, "0")}\n`,
  );
  const stdin = [...others, `${list}\n`].join("");
  const tree = await temp.repo.git.line(["mktree"], { stdin });
  const commit = await temp.git("commit-tree", tree, "-m", "many");
  await temp.git("update-ref", "refs/notes/code-intel", commit);
  const strict = { signers: [], values: [], everyCommit: false };
  const report = await verifyChain(temp.repo, { ...strict, ...rules, range: "HEAD" });
  if (report.kind !== "report") throw new Error(report.said);
  deepEqual(report.rows.map(({ code }) => code), ["missing"]);
  match(report.notices.join(), /more than 5000 notes/);
});
