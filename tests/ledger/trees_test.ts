/** Holds `src/ledger/trees.ts` to its promise: what a checkpoint names outlives a collection. */
import { strictEqual as equal } from "node:assert/strict";
import { keepStateTrees } from "../../src/ledger/trees.ts";
import { sampleState } from "../session/sample_state.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const SESSION = "session_20261121_101500_3fa9";
const SAMPLE_STATE = sampleState();

Deno.test("keepStateTrees() keeps what changed, and asks for no repository where nothing did", async () => {
  await using temp = await createTempRepo({ files: { a: "1\n" } });
  const tree = await temp.git("rev-parse", "HEAD^{tree}");
  const { workspace } = SAMPLE_STATE;
  const now = { ...SAMPLE_STATE, workspace: { ...workspace, baselineTree: tree, planTree: tree } };
  let opened = 0;
  const open = () => {
    opened++;
    return Promise.resolve(temp.repo);
  };
  await keepStateTrees(open, SESSION, { before: now, now });
  const ended = { ...now, status: "ended" as const };
  await keepStateTrees(open, SESSION, { before: SAMPLE_STATE, now: ended });
  equal(opened, 0);
  await keepStateTrees(open, SESSION, { before: SAMPLE_STATE, now });
  equal(
    await temp.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/code-intel"),
    ["baseline", "plan"].map((name) => `refs/code-intel/${SESSION}/kept/${name} ${tree}`)
      .join("\n"),
  );
});
