/** The folder of the channel as tests may leave it: links, torn files, or none at all. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { RanFunction } from "../../../../src/features/runs/record/recording.ts";
import { readChannelFolder } from "../../../../src/features/runs/ways/inside.ts";
import { testNeeding } from "../../../support/needs.ts";
import { inTempProject } from "../../../support/temp_folder.ts";

const OPTIONS = { root: "/app", place: (told: RanFunction) => told };
const START = '{"process":{"tracer":"t","runner":"pytest","root":"/app"}}\n';
const TEST =
  '{"test":{"name":"a","file":"a.py","unit":"test","outcome":"passed","ms":1,"ran":[]}}\n';

Deno.test("readChannelFolder() reads the file of each process, up to a line that was torn", async () => {
  const files = {
    "1-a.ndjson": `${START}${TEST}{"end":true}\n`,
    "2-b.ndjson": `${START}${TEST.replace('"a"', '"b"')}{"test":{"na`,
    "notes.txt": "nothing\n",
  };
  await inTempProject(files, async (folder) => {
    const { tests, notes } = await readChannelFolder(await Deno.realPath(folder), OPTIONS);
    deepEqual(tests.map(({ name }) => name), ["a", "b"]);
    deepEqual(notes, [
      "1 process ended before its tracer could write its last row.",
      "1 row of the tracer could not be read.",
    ]);
  });
});

testNeeding(["posix"], "readChannelFolder() follows no link out of the folder", async () => {
  await inTempProject({ "outside/x": `${START}${TEST}{"end":true}\n` }, async (folder) => {
    const channel = join(await Deno.realPath(folder), "channel");
    await Deno.mkdir(channel);
    await Deno.symlink(join(folder, "outside/x"), join(channel, "1-a.ndjson"));
    const { tests, isWhole } = await readChannelFolder(channel, OPTIONS);
    deepEqual([tests, isWhole], [[], false]);
  });
});

Deno.test("readChannelFolder() of a folder that a test removed is empty and not whole", async () => {
  await inTempProject({}, async (folder) => {
    const { tests, isWhole } = await readChannelFolder(join(folder, "gone"), OPTIONS);
    deepEqual(tests, []);
    equal(isWhole, false);
  });
});
