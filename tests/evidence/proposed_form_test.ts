/** Evidence without a place that fits: the hint names the form that does, also for the commit of a submodule. */
import { match } from "node:assert/strict";
import { join } from "node:path";
import { checkEvidence } from "../../src/evidence/check.ts";
import { parseRepoPath } from "../../src/base/repo_path.ts";
import { createTrees } from "../../src/ledger/trees.ts";
import { writeWorktreeTree } from "../../src/git/index/private_index.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const OPTIONS = { sessionId: "session_20260131_142530_9f3a", maxFileMb: 50 };

/** Evidence, and what its hint has to name. */
const FORMS: readonly (readonly [string, RegExp])[] = [
  ["lib", /Send "lib:binary"/],
  ["lib/", /Send "lib:binary"/],
  ["lib at its second commit", /Send "lib:binary"/],
  ["lib:1", /Send "lib:binary"/],
  ["lib:9", /Send "lib:binary"/],
  ["lib/src/inner.ts:1", /Send "lib:binary"/],
  ["lib/src/inner.ts", /Send "lib:binary"/],
  ["pixel.bin", /Send "pixel\.bin:binary"/],
  ["gone.ts", /Send "gone\.ts:deleted"/],
  ["src/a.ts:five", /Changed there, counted from 1: 2\./],
  ["src/none.ts:1", /Name the file that you changed/],
  ["I changed it", /Give path:line/],
  [":5", /Give path:line/],
];

Deno.test("checkEvidence() names the form that fits at once", async () => {
  await using inner = await createTempRepo({ files: { "src/inner.ts": "1\n" } });
  const files = { "src/a.ts": "one\ntwo\n", "gone.ts": "gone\n", "pixel.bin": "\u0000\u0001" };
  await using temp = await createTempRepo({ files });
  const allow = ["-c", "protocol.file.allow=always"];
  await temp.git(...allow, "submodule", "--quiet", "add", inner.dir, "lib");
  await temp.commit("Add the library");
  const { tree: baselineTree } = await writeWorktreeTree(temp.repo, OPTIONS);
  const edited = { "src/a.ts": "one\nzwei\n", "pixel.bin": "\u0000\u0002" };
  await temp.write({ ...edited, "lib/src/inner.ts": "2\n" });
  await temp.remove("gone.ts");
  const author = ["-c", "user.name=a", "-c", "user.email=a@example.test"];
  await temp.git("-C", join(temp.dir, "lib"), ...author, "commit", "-qam", "Second");
  const input = {
    trees: createTrees(temp.repo),
    toWorktree: (path: string) => parseRepoPath(temp.dir, path),
    toAbsolute: (path: string) => join(temp.dir, path),
    baselineTree,
    currentTree: (await writeWorktreeTree(temp.repo, OPTIONS)).tree,
    task: { description: "", items: [] },
    listFiles: () => Promise.resolve([]),
  };
  for (const [evidence, wanted] of FORMS) {
    const [problem] = await checkEvidence(input, [{ item: "x", status: "done", evidence }]);
    match(`${problem?.hint}`, wanted, evidence);
  }
});
