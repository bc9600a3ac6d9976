/** The named imports `equal` and `deepEqual` of node:assert/strict compare loosely in this runtime. */
import { strictEqual as equal } from "node:assert/strict";
import { expectNone, readSourceFiles } from "./source_files.ts";

const IMPORT = /import \{([^}]*)\} from "node:assert\/strict"/g;
const LOOSE = /(^|,)\s*(equal|deepEqual|notEqual|notDeepEqual)\s*(,|$)/;

Deno.test("tests compare strictly: no loose name is imported from node:assert/strict", async () => {
  const files = await readSourceFiles("src", "tests", "tools", "lab");
  const others = files.filter(({ path }) => path !== "tests/tidy/strict_assert_test.ts");
  expectNone(
    others.filter(({ text }) => isLoose(text)).map(({ path }) => path),
    "Import deepStrictEqual as deepEqual and strictEqual as equal.",
  );
});

Deno.test("isLoose() tells the loose names from the strict ones", () => {
  const from = 'from "node:assert/strict"';
  equal(isLoose(`import { equal } ${from}`), true);
  equal(isLoose(`import { match, deepEqual } ${from}`), true);
  equal(isLoose(`import { strictEqual as equal, ok } ${from}`), false);
});

function isLoose(text: string): boolean {
  return [...text.matchAll(IMPORT)].some(([, names = ""]) =>
    LOOSE.test(names.replaceAll("\n", " "))
  );
}
