/** Statements of commits that were amended afterwards, where git carries the notes along. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { join } from "node:path";
import { verifyChain } from "../../src/attest/mod.ts";
import { testNeeding } from "../support/needs.ts";
import { createAttestedRepo } from "./attested_repo.ts";

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
      const report = await verifyChain(temp.repo, {
        ...{ allowUnsigned: false, signers: [], values: [], everyCommit: false },
        range: commit,
        allowedSigners: file,
      });
      const rows = report.kind === "report" ? report.rows : [];
      return rows.map(({ code, fingerprint }) => [code, (fingerprint ?? "") !== ""]);
    };
    const early = ["--allow-empty", "--date", "2001-01-01T00:00:00"];
    deepEqual(await amend(...early), [["same_tree", true]]);
    await temp.write({ "evil.txt": "evil\n" });
    await temp.git("add", "evil.txt");
    deepEqual(await amend(), [["copied", false]]);
  },
);
