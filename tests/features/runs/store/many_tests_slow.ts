/** 100,000 tests: the file keeps its bound, whatever they run, and questions are answered from it. */
import { ok, strictEqual as equal } from "node:assert/strict";
import { saveRun } from "../../../../src/features/runs/store/run_folder.ts";
import { createRandom } from "../../../support/random.ts";
import { buildRecord, createRecordedProject } from "./recorded_project.ts";

const TESTS = 100_000;
const FUNCTIONS = 5_000;
const RAN = 300;

Deno.test("100,000 tests that run functions by chance fit into the bound, twice", async () => {
  await using project = await createRecordedProject({ "a.py": "def f7():\n    pass\n" });
  const random = createRandom(7);
  const names = Array.from({ length: FUNCTIONS }, (_, at) => ({ path: "a.py", name: `f${at}` }));
  const tests = Array.from({ length: TESTS }, (_, at) => {
    const ran = new Set<number>();
    while (ran.size < RAN) ran.add(Math.floor(random() * FUNCTIONS));
    const file = `test_${at >> 5}.py`;
    return { name: `t${at}`, file, unit: "test" as const, ms: 1, ran: [...ran] };
  });
  const expected = tests.filter(({ ran }) => ran.includes(7)).length;
  const record = buildRecord(new Map(), { tests: {}, more: { tests, functions: names } });
  await project.services.index.sync();
  const hash = await project.services.index.read((view) => view.getFile("a.py")?.hash ?? "");
  for (const _ of [1, 2]) {
    const run = { ...record, batch: crypto.randomUUID(), files: new Map([["a.py", hash]]) };
    await saveRun(project.services.parts, run);
  }
  let size = 0;
  for await (const { name } of Deno.readDir(project.path)) {
    size += (await Deno.stat(`${project.path}/${name}`)).size;
  }
  ok(size < 60_000_000, `${size} bytes`);
  const found = (await project.load())?.findTests([{ path: "a.py", name: "f7" }]);
  equal(found?.functions[0]?.seen, "run by tests");
  equal(found?.tests.length, expected);
});
