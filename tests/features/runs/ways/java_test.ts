/** Which source a class is of that a JVM told: by its package and the folder of its classes. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { JAVA_WAY } from "../../../../src/features/runs/ways/java.ts";
import { inTempProject } from "../../../support/temp_folder.ts";

const SOURCES = [
  "one/src/main/java/shop/Cart.java",
  "two/src/main/java/shop/Cart.java",
  "two/src/main/java/other/Cart.java",
  "one/src/main/kotlin/Price.kt",
  "one/src/main/kotlin/Same.kt",
  "two/src/main/kotlin/Same.kt",
];
/** What a JVM tells, and the source; null where nothing says which one it is. */
const ROWS: readonly (readonly [told: string, source: string | null])[] = [
  ["one/target/classes?shop/Cart.java", "one/src/main/java/shop/Cart.java"],
  ["two/target/classes?shop/Cart.java", "two/src/main/java/shop/Cart.java"],
  ["two/target/classes?other/Cart.java", "two/src/main/java/other/Cart.java"],
  ["one/target/classes?gone/Cart.java", null],
  // Kotlin needs no folder for a package.
  ["one/target/classes?shop/price/Price.kt", "one/src/main/kotlin/Price.kt"],
  ["two/target/classes?shop/Same.kt", null],
];

Deno.test("JAVA_WAY reads a class as the source of its package that is nearest to its classes", async () => {
  const rows = [
    { process: { runner: "junit", root: "/app" } },
    ...ROWS.flatMap(([file], id) => [
      { fn: [id, file, 1, `f${id}`] },
      { test: { name: `t${id}`, file, unit: "test", outcome: "passed", ms: 1, ran: [id] } },
    ]),
    { end: true },
  ];
  const files = { "channel/1-a.ndjson": rows.map((row) => `${JSON.stringify(row)}\n`).join("") };
  await inTempProject(files, async (folder) => {
    const { functions, tests, isWhole } = await JAVA_WAY.read({
      ...{ root: "/app", cwd: "/app", folder: await Deno.realPath(folder), run: [] },
      ...{ isSource: () => true, listSources: () => SOURCES },
      signal: new AbortController().signal,
    });
    const found = tests.map(({ file, ran: [at = -1] }) => [file, functions[at]?.path ?? null]);
    deepEqual(found, ROWS.map(([, source]) => [source ?? "", source]));
    deepEqual(isWhole, true);
  });
});
