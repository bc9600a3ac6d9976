/** What was learned before it is loaded: a question finds what is there, and nothing where nothing is. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { join } from "node:path";
import { openLearning } from "../../../src/features/learning/open_learning.ts";

Deno.test("a question finds an agreement that is written after questions found none", async () => {
  const codeIntelDir = await Deno.makeTempDir();
  try {
    const learning = openLearning({
      codeIntelDir,
      clock: { now: () => new Date(0) },
      explorer: { findDefinitions: () => Promise.reject(new Error("nothing is looked up")) },
    });
    const ask = async () =>
      (await learning.search("where is the login form", { maxHits: 5 }))
        .map(({ symbols }) => symbols);
    deepEqual(await ask(), []);
    const folder = join(codeIntelDir, "agreements");
    await Deno.mkdir(folder);
    await Deno.writeTextFile(join(folder, "README.md"), "What lies here.");
    deepEqual(await ask(), []);
    await Deno.writeTextFile(
      join(folder, "login.md"),
      "---\nterms: [login form]\nsymbols: [LoginForm.render]\n---\n",
    );
    deepEqual(await ask(), [["LoginForm.render"]]);
  } finally {
    await Deno.remove(codeIntelDir, { recursive: true });
  }
});
