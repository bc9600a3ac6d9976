/** What of a project differs from the last commit, where the project is a folder of a larger repository. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { readChangedTexts } from "../../src/impact/diff.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const TEXT = "export function carry() {\n  return [1, 2, 3].map((one) => one * 2);\n}\n";

Deno.test("readChangedTexts() took a file that came from beside the project for one of its own that is gone", async () => {
  await using temp = await createTempRepo({
    files: { "library/a.ts": TEXT, "app/b.ts": TEXT.replace("carry", "keep") },
  });
  await temp.write({ "app/a.ts": TEXT, "app/c.ts": TEXT.replace("carry", "keep") });
  await temp.remove("library/a.ts", "app/b.ts");
  const texts = await readChangedTexts(temp.repo, { under: "app" });
  deepEqual(
    texts.map((
      { path, from, changes, before },
    ) => [path, from, changes.change.kind, before.length]),
    [
      ["a.ts", "a.ts", "added", 0],
      ["c.ts", "b.ts", "renamed", 1],
    ],
  );
  equal(texts[1]?.before[0]?.path, "b.ts");
});
