/** The file of runs: bounds, damage, two writers at once, a killed writer. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { openRunFile } from "../../../../src/features/runs/store/run_file.ts";
import { RUN_BOUNDS, saveRun } from "../../../../src/features/runs/store/save_run.ts";
import { killChild } from "../../../support/server/processes.ts";
import { createRandom } from "../../../support/random.ts";
import type { RecordedProject } from "./recorded_project.ts";
import { buildRecord, createRecordedProject } from "./recorded_project.ts";

const FILES = { "a.py": "def a():\n    pass\n", "test_a.py": "def test_a():\n    pass\n" };
const A = { path: "a.py", name: "a" };
const RUN = { tests: { "test_a.py test_a": ["a.py a"] } };

async function countTests(project: RecordedProject): Promise<number | undefined> {
  return (await project.load())?.findTests([A]).tests.length;
}

Deno.test("a file that is no record of ours is set aside with a notice, and recorded anew; questions get none", async () => {
  await using project = await createRecordedProject(FILES);
  await project.record(RUN);
  await Deno.writeTextFile(project.path, "this is no database ".repeat(500));
  equal(await project.load(), null);
  await project.record(RUN);
  equal(await countTests(project), 1);
  match(
    project.notices.join(),
    /^The record of runs was damaged; it was set aside as ".*runs\.db\.damaged-\w+" and begins anew/,
  );
  await Deno.truncate(project.path, 5_000);
  await project.load();
  await project.record(RUN);
  equal(await countTests(project), 1);
});

Deno.test("a link in the place of the file is neither read nor written through", async () => {
  await using project = await createRecordedProject(FILES);
  const victim = `${project.repo.dir}/a.py`;
  await project.services.index.sync();
  await Deno.symlink(victim, project.path);
  equal(await project.load(), null);
  await project.record(RUN).catch(() => {});
  equal(await Deno.readTextFile(victim), FILES["a.py"]);
});

Deno.test("old runs are forgotten beyond the bounds, the last whole one last, with the tests that no run has", async () => {
  await using project = await createRecordedProject(FILES);
  const bounds = { ...RUN_BOUNDS, runs: 3 };
  await project.record({ ...RUN, bounds });
  for (const name of ["b", "c", "d", "e"]) {
    const tests = { [`test_a.py ${name}`]: ["a.py a"] };
    await project.record({ tests, more: { commands: 0 }, bounds });
  }
  const names = (await project.load())?.findTests([A]).tests.map(({ name }) => name) ?? [];
  deepEqual(names.sort(), ["d", "e", "test_a"]);
  await project.record({ ...RUN, bounds: { ...RUN_BOUNDS, storeBytes: 1 } });
  equal(await countTests(project), 1, "the run that is being saved stays");
});

Deno.test("a run of which too much is to be kept names some tests of its functions, and is no whole one", async () => {
  await using project = await createRecordedProject(FILES);
  const random = createRandom(1);
  const chosen = Array.from({ length: 2_000 }, (_, at) => [`test_a.py t${at}`, random()] as const);
  const tests = Object.fromEntries(
    chosen.map(([name, chance]) => [name, chance < .5 ? ["a.py a"] : ["a.py b"]]),
  );
  const half = chosen.filter(([, chance]) => chance < .5).length;
  await project.record({ tests });
  equal(await countTests(project), half);
  equal((await project.load())?.extent.counted, 2_000);
  await project.record({ tests, bounds: { ...RUN_BOUNDS, relationBytes: 300 } });
  const state = await project.load();
  const found = state?.findTests([A]).tests ?? [];
  // The whole run before it says it all, but of the same contents the newer one counts.
  ok(found.length > 50 && found.length < half, `${found.length} of ${half}`);
  ok(found.every(({ name }) => tests[`test_a.py ${name}`]?.[0] === "a.py a"), "none is made up");
});

Deno.test("two that record at once both keep theirs, and one that is killed meanwhile leaves nothing", async () => {
  await using project = await createRecordedProject(FILES);
  await Promise.all(
    ["x", "y", "z"].map((name) =>
      project.record({ tests: { [`test_a.py ${name}`]: ["a.py a"] }, more: { commands: 0 } })
    ),
  );
  equal(await countTests(project), 3);
  const client = new URL("./recording_client.ts", import.meta.url);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", client.href, project.repo.dir],
    stdout: "piped",
    stderr: "null",
    stdin: "null",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  killChild(child);
  await reader.cancel();
  await child.status;
  equal(await countTests(project), 3);
  await project.record(RUN);
  equal(await countTests(project), 4);
});

Deno.test("a folder that cannot be written to fails with what to do, and costs no answer", async () => {
  await using project = await createRecordedProject(FILES);
  await project.record(RUN);
  const parts = { ...project.services.parts, plainIndexDir: "/proc/nothing", stateDir: null };
  const file = await openRunFile({ ...parts, openRepo: () => Promise.resolve(null) }, (notice) => {
    match(notice, /^The record of runs lives in memory only: /);
  });
  await saveRun(file, buildRecord(new Map(), RUN));
  await file.close();
  equal(await countTests(project), 1);
});
