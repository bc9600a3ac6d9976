/** What exact totals say of files that rules of the project keep out of the index. */
import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { createImpactProject } from "./with_programs.ts";

Deno.test("the first answer with a total says how many files the rules leave out, and again when they are others", async () => {
  await using project = await createImpactProject({
    ".code-intelignore": "old/\n",
    "src/tax.ts": "export const tax = 1;\n",
    "src/shop.ts": "import { tax } from './tax.ts';\nexport const price = tax;\n",
    "old/shop.ts": "import { tax } from '../src/tax.ts';\nexport const was = tax;\n",
  });
  const { explorer, temp } = project;
  const told = async () => {
    const page = { maxResults: 10 };
    const asked = [
      await explorer.findReferences({ ...page, symbol: "tax", includeText: false }),
      await explorer.findDefinitions({ ...page, symbol: "tax", exactMatch: true }),
      await explorer.getSymbols({ ...page, path: "src" }),
      await explorer.getSymbols({ ...page, path: "src/tax.ts" }),
      // Of a name that the index does not know the files themselves are read.
      await explorer.findDefinitions({ ...page, symbol: "was", exactMatch: true }),
    ];
    return [
      ...asked.map((one) => one.kind === "found" ? one.notices : one.problems),
      (await project.ask({ targetFiles: ["src/tax.ts"] })).notices,
    ];
  };
  const notice =
    "1 file is left out of the index (.code-intelignore): what it holds is not counted here.";
  deepEqual(await told(), [[notice], undefined, undefined, undefined, undefined, []]);
  deepEqual((await told())[0], undefined);
  await temp.write({ ".code-intelignore": "old/\nsrc/shop.ts\n" });
  match(String((await told())[0]), /^2 files are left out/);
  await temp.write({ ".code-intelignore": "" });
  deepEqual((await told())[0], undefined);
  await temp.write({ ".code-intelignore": "old/\n" });
  deepEqual((await told())[0], [notice]);
});
