/** A whole session over the real server, and its proof checked and repeated where the work is pushed to. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { runHosted } from "../../support/server/hosted_cli.ts";
import { testNeeding } from "../../support/needs.ts";
import { startSession } from "../../support/session/hosted_session.ts";
import { createProject } from "../../support/session/session_driver.ts";
import { runGit } from "../../support/temp_repo.ts";
import { trustCommand } from "../../support/session/trusted_command.ts";

const SCRIPT = "echo TAP version 13; echo 'ok 1 - logs in'; echo 1..1\n";
const COMMAND = { name: "test", run: ["sh", "test.sh"] } as const;
const MALLORY = ["-c", "user.name=Mallory", "-c", "user.email=mallory@example.org"];
const NOTES = "refs/notes/code-intel";

testNeeding(
  ["ssh_keygen", "posix"],
  "a session's signed note is checked, and its proof repeated, in a clone elsewhere",
  async () => {
    await using project = await createProject();
    const { repo, dir } = project;
    await repo.commit("Test", {
      ".code-intel/config.json": JSON.stringify({ verify: [COMMAND] }),
      "test.sh": SCRIPT,
    });
    await trustCommand(project, COMMAND);
    const key = join(dir, ".git", "key");
    const args = ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key];
    await new Deno.Command("ssh-keygen", { args }).output();
    await repo.git("config", "gpg.format", "ssh");
    await repo.git("config", "user.signingKey", key);
    await repo.git("notes", "add", "-m", "the person's own", "HEAD");
    const base = await repo.git("rev-parse", "HEAD");
    await using session = await startSession(project);
    const done = await session.until("end");
    equal(done.merged, true);
    equal(await repo.git("notes", "show", base), "the person's own");

    const place = await Deno.makeTempDir();
    await runGit(place, ["clone", "-q", dir, "ci"]);
    const ci = join(place, "ci");
    const signers = join(place, "signers");
    await Deno.writeTextFile(signers, `anna@example.org ${await Deno.readTextFile(`${key}.pub`)}`);
    const verify = async (...more: readonly string[]) => {
      const words = ["attest", "verify", `${base}..HEAD`, "--allowed-signers", signers, ...more];
      const env = { CODE_INTEL_STATE_DIR: join(place, "state") };
      const { code, stdout } = await runHosted([...words, "--json"], { cwd: ci, env });
      const { commits, notices } = JSON.parse(stdout);
      return {
        code,
        codes: commits.map((row: { readonly code: string }) => row.code),
        notices,
        commits,
      };
    };
    const without = await verify();
    deepEqual([without.code, without.codes], [1, ["merge_unproven", "missing"]]);
    match(`${without.notices}`, /git fetch origin refs\/notes/);
    await runGit(ci, ["fetch", "-q", "origin", `${NOTES}:${NOTES}`]);
    const checked = await verify("--value", "yes", "--every-commit");
    deepEqual([checked.code, checked.codes], [0, ["merge", "attested"]]);
    equal(checked.commits[1].signer, "anna@example.org");
    // Nobody trusts the commands here, so the caller names their hash.
    const refused = await verify("--rerun");
    deepEqual([refused.code, refused.codes], [1, ["rerun_not_allowed", "rerun_not_allowed"]]);
    const { hash } = refused.commits[1].rerun;
    const repeated = await verify("--rerun", "--allow-commands", hash);
    deepEqual([repeated.code, repeated.codes, repeated.commits[1].rerun], [
      0,
      ["merge", "attested"],
      {
        kind: "same",
        commands: [{ name: "test", differences: [], counts: "1 passed (TAP)" }],
      },
    ]);
    // A note that is carried over to other work is found.
    const [, commit = ""] = checked.commits.map((row: { readonly commit: string }) => row.commit);
    const message = await runGit(ci, ["log", "-1", "--format=%B", commit]);
    await Deno.writeTextFile(join(ci, "evil.ts"), "1\n");
    await runGit(ci, ["add", "evil.ts"]);
    await runGit(ci, [...MALLORY, "commit", "-qm", message]);
    deepEqual((await verify()).codes, ["missing", "merge", "attested"]);
    await runGit(ci, [...MALLORY, ...toCopy(commit)]);
    deepEqual((await verify()).codes, ["copied", "merge", "attested"]);
  },
);

/** Copies the note of a commit to HEAD. */
function toCopy(commit: string): readonly string[] {
  return ["notes", "--ref=code-intel", "copy", "-f", commit, "HEAD"];
}
