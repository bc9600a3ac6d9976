/** Paths of files beside the source, in a clone whose folder has a space or a sign that URLs write otherwise. */
import { strictEqual as equal } from "node:assert/strict";
import { expectNone, readSourceFiles } from "./source_files.ts";

/** A URL's `pathname` has `%20` where the folder has a space. */
const BY_PATHNAME = /import\.meta\.url\)\.pathname/;

Deno.test("the path of a file beside the source comes from fileURLToPath()", async () => {
  const files =
    (await Promise.all(["src", "tools", "lab", "tests"].map((one) => readSourceFiles(one))))
      .flat();
  expectNone(
    files.filter(({ text }) => BY_PATHNAME.test(text)).map(({ path }) => path),
    "Use fileURLToPath(): a path in a URL is encoded.",
  );
  equal(BY_PATHNAME.test('new URL("a.ts", import.meta' + ".url).pathname"), true);
});
