import { equal } from "node:assert/strict";
import { carryChanges, readBlobText } from "../../src/git/mod.ts";
import { createTempRepo, edit } from "./support.ts";

Deno.test("carryChanges() merges by file, and a conflict goes to the side that was named", async () => {
  await using temp = await createTempRepo({ files: { both: edit(), clash: "1\n", gone: "1\n" } });
  const start = await temp.git("rev-parse", "HEAD");
  await temp.remove("gone");
  const to = await temp.commit("To", { both: edit([10, "to\n"]), clash: "to\n", new: "to\n" });
  await temp.git("checkout", "-q", start);
  const onto = await temp.commit("Onto", {
    both: edit([2, "onto\n"]),
    clash: "onto\n",
    own: "x\n",
  });
  for (const onConflict of ["onto", "to"] as const) {
    const tree = await carryChanges(temp.repo, { onto, from: start, to, onConflict });
    equal(await readBlobText(temp.repo, tree, "both"), edit([2, "onto\n"], [10, "to\n"]));
    equal(await readBlobText(temp.repo, tree, "clash"), `${onConflict}\n`);
    equal(await readBlobText(temp.repo, tree, "gone"), null);
    equal(await readBlobText(temp.repo, tree, "new"), "to\n");
    equal(await readBlobText(temp.repo, tree, "own"), "x\n");
  }
});
