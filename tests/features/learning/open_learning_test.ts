/** What was learned before it is loaded: a question finds what is there, and nothing where nothing is. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { join } from "node:path";
import { createLearning } from "../../../src/features/learning/mod.ts";

Deno.test("a question finds an agreement that is written after questions found none", async () => {
  const codeIntelDir = await Deno.makeTempDir();
  try {
    const findSymbol = () => Promise.resolve([]);
    const learning = createLearning({
      codeIntelDir,
      clock: { now: () => new Date(0) },
      findSymbol,
    });
    const ask = async () =>
      (await learning.search("where is the login form", { maxHits: 5 }))
        .map(({ document }) => document.symbols);
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
