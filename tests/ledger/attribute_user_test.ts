/** What is booked to the person: ledger, baseline and protected texts, of the named files alone. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { readBlobText } from "../../src/git/trees/changes.ts";
import { attributeToUser, carryReferenceTrees } from "../../src/ledger/attribute_user.ts";
import { createTrees } from "../../src/ledger/trees.ts";
import type { UserOverlap } from "../../src/phase/state.ts";
import { createTempRepo } from "../support/temp_repo.ts";
import { sampleState } from "../session/sample_state.ts";

const NO_TEXTS = { before: {}, now: {} };

Deno.test("bookToPerson() takes the named files into ledger and baseline, line by line where both changed", async () => {
  const file = Array.from({ length: 9 }, (_, at) => `${at}\n`).join("");
  await using temp = await createTempRepo({ files: { "a.ts": file, "b.ts": "b\n" } });
  const baselineTree = await temp.git("rev-parse", "HEAD^{tree}");
  const work = file.replace("1\n", "one\n");
  await temp.commit("Work", { "a.ts": work });
  const ledgerTree = await temp.git("rev-parse", "HEAD^{tree}");
  await temp.commit("Theirs", { "a.ts": work.replace("7\n", "seven\n"), "b.ts": "other\n" });
  const to = await temp.git("rev-parse", "HEAD^{tree}");
  const ledger = {
    tree: ledgerTree,
    head: null,
    personPaths: [],
    foundTree: null,
    gitFiles: {},
    texts: { config: "1", contract: "1", rules: "1" },
    mode: "strict" as const,
  };
  const { workspace } = sampleState();
  const state = sampleState({ ledger, workspace: { ...workspace, baselineTree } });
  const texts = { before: { config: "2", contract: "1" }, now: { config: "3", contract: "1" } };
  const booked = await attributeToUser(createTrees(temp.repo), state, {
    to,
    paths: ["a.ts"],
    texts,
  });
  const read = (tree: string | null | undefined, path: string) =>
    readBlobText(temp.repo, tree ?? "", path);
  equal(await read(booked.ledger?.tree, "a.ts"), work.replace("7\n", "seven\n"));
  equal(await read(booked.ledger?.tree, "b.ts"), "b\n");
  equal(await read(booked.workspace.baselineTree, "a.ts"), file.replace("7\n", "seven\n"));
  deepEqual(booked.ledger?.texts, { config: "3", contract: "1", rules: "1" });
  equal(
    await attributeToUser(createTrees(temp.repo), state, { to, paths: [], texts: NO_TEXTS }),
    state,
  );
  const without = sampleState();
  equal(
    await attributeToUser(createTrees(temp.repo), without, {
      to,
      paths: ["a.ts"],
      texts: NO_TEXTS,
    }),
    without,
  );
});

Deno.test("carryReferenceTrees() remembers the person's lines on those of the session until they are as they were", async () => {
  const overlap = (before: string | null, after: string | null, treePath = "a.ts") => ({
    treePath,
    before,
    after,
  });
  const carry = async (
    known: readonly UserOverlap[] | undefined,
    found: readonly UserOverlap[],
    ownPaths: readonly string[] = [],
  ) => {
    const trees = { carry: () => Promise.resolve({ tree: "t1", overlaps: found }) };
    const origins = {
      baselineTree: "t0",
      planTree: "t0",
      ...(known === undefined ? {} : { personOverlaps: known }),
    };
    const change = { from: "f", to: "t", ownPaths };
    return (await carryReferenceTrees(trees, origins, change)).personOverlaps;
  };
  equal(await carry(undefined, []), undefined);
  deepEqual(await carry(undefined, [overlap("1", "2")]), [overlap("1", "2")]);
  // What the server wrote is not the person's.
  equal(await carry(undefined, [overlap("1", "2")], ["a.ts"]), undefined);
  // The first version counts, however often they change it; with that one back nothing is left.
  deepEqual(await carry([overlap("1", "2")], [overlap("2", "3")]), [overlap("1", "3")]);
  deepEqual(await carry([overlap("1", "2")], [overlap("2", "1")]), []);
  const other = overlap(null, "9", "b.ts");
  deepEqual(await carry([other], [overlap("1", "2")]), [other, overlap("1", "2")]);
});
