/** The folder of runs: bounds, damage, two writers at once, a killed writer. */
import {
  deepStrictEqual as deepEqual,
  match,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { checkRuns } from "../../../../src/features/runs/store/open_runs.ts";
import { readRuns, RUN_BOUNDS, saveRun } from "../../../../src/features/runs/store/run_folder.ts";
import { killChild } from "../../../support/server/processes.ts";
import type { RecordedProject } from "./recorded_project.ts";
import { buildRecord, createRecordedProject } from "./recorded_project.ts";

const FILES = { "a.py": "def a():\n    pass\n", "test_a.py": "def test_a():\n    pass\n" };
const A = { path: "a.py", name: "a" };
const RUN = { tests: { "test_a.py test_a": ["a.py a"] } };

function listRuns({ path }: Pick<RecordedProject, "path">): readonly string[] {
  return [...Deno.readDirSync(path)].map(({ name }) => name);
}

async function countTests(project: RecordedProject): Promise<number | undefined> {
  return (await project.load())?.findTests([A]).tests.length;
}

Deno.test("a file that is no run costs no answer, doctor names it, and the next record removes it", async () => {
  await using project = await createRecordedProject(FILES);
  await project.record(RUN);
  const [name = ""] = listRuns(project);
  await Deno.writeTextFile(`${project.path}/${name}`, "this is no run ".repeat(500));
  equal(await project.load(), null);
  const [told] = await checkRuns(project.services);
  match(JSON.stringify(told), /1 recorded run is damaged, .*`code-intel runs record` removes/);
  await project.record(RUN);
  deepEqual([await countTests(project), listRuns(project).includes(name)], [1, false]);
  await Deno.truncate(`${project.path}/${listRuns(project)[0]}`, 100);
  equal(await project.load(), null);
  await project.record(RUN);
  deepEqual([await countTests(project), listRuns(project).length], [1, 1]);
});

Deno.test("a link in the place of the folder is neither read nor written through", async () => {
  await using project = await createRecordedProject(FILES);
  await project.services.index.sync();
  const victim = `${project.repo.dir}/victim`;
  await Deno.mkdir(victim);
  await Deno.symlink(victim, project.path);
  equal(await project.load(), null);
  await rejects(project.record(RUN), /own_path_refused|Cannot use/);
  deepEqual(listRuns({ path: victim }), []);
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

Deno.test("a run that is too large is not kept, and says so", async () => {
  await using project = await createRecordedProject(FILES);
  const bounds = { ...RUN_BOUNDS, runBytes: 100 };
  await rejects(project.record({ ...RUN, bounds }), /it has 0\.0 MB, and at most 0\.0 MB fit/);
  equal(await project.load(), null);
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

Deno.test("where the usual folder cannot be written to, the user's folder keeps the runs; without one it fails with what to do", async () => {
  await using project = await createRecordedProject(FILES);
  await project.record(RUN);
  const parts = { ...project.services.parts, plainIndexDir: "/proc/nothing" };
  const openRepo = () => Promise.resolve(null);
  const record = buildRecord(new Map(), RUN);
  await rejects(saveRun({ ...parts, openRepo, stateDir: null }, record), /\/proc\/nothing/);
  const place = { ...parts, openRepo, stateDir: `${project.repo.dir}/.git/state` };
  await saveRun(place, record);
  equal((await readRuns(place)).runs.length, 1);
  equal(await countTests(project), 1);
});
