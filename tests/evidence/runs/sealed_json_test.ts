/** Files that count only with the seal of this program. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { createSeal } from "../../../src/base/files/seal.ts";
import { readSealedJson, writeSealedJson } from "../../../src/evidence/runs/sealed_json.ts";

async function setUp() {
  const dir = await Deno.makeTempDir();
  return { path: `${dir}/x.json`, seal: createSeal(await Deno.makeTempDir()) };
}

Deno.test("readSealedJson() gives what was written, for its owner alone", async () => {
  const { path, seal } = await setUp();
  deepEqual(await readSealedJson(path, seal), { kind: "absent" });
  equal(await writeSealedJson(path, { a: [1], b: "é\n" }, { seal }), true);
  deepEqual(await readSealedJson(path, seal), { kind: "whole", value: { a: [1], b: "é\n" } });
  if (Deno.build.os !== "windows") equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
});

Deno.test("readSealedJson() takes nothing that was changed, unsealed or sealed elsewhere", async () => {
  const { path, seal } = await setUp();
  await writeSealedJson(path, { writtenAt: "2000-01-01T00:00:00Z", a: 1 }, { seal });
  const text = await Deno.readTextFile(path);
  const other = createSeal(await Deno.makeTempDir());
  await writeSealedJson(path, { a: 1 }, { seal: other });
  const foreign = await Deno.readTextFile(path);
  const rows = [
    text.replace('"a":1', '"a":2'),
    text.replace(/,"seal":"[^"]*"/, ""),
    text.replace(/"seal":"[^"]*"/, '"seal":"00000000:' + "0".repeat(64) + '"'),
    foreign,
    text.slice(0, 20),
    "",
    "[]",
  ];
  for (const row of rows) {
    await Deno.writeTextFile(path, row);
    deepEqual(await readSealedJson(path, seal), { kind: "worthless" }, row);
  }
  await Deno.writeTextFile(path, text);
  equal((await readSealedJson(path, seal)).kind, "whole");
});

Deno.test("writeSealedJson() says that nothing can be sealed without a key", async () => {
  const { path } = await setUp();
  equal(await writeSealedJson(path, { a: 1 }, { seal: createSeal(null) }), false);
  deepEqual(await readSealedJson(path, createSeal(null)), { kind: "worthless" });
});
