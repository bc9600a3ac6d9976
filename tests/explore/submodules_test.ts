/** Repositories inside a project, named where a question is about them. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { findForeignRepository } from "../../src/explore/submodules.ts";
import { createIndexedProject } from "./with_programs.ts";

Deno.test("a path inside a repository in the project is told to be there", async () => {
  await using project = await createIndexedProject({ files: { "a.ts": "export const a = 1;\n" } });
  const { temp, explorer } = project;
  await temp.git("init", "-q", "vendor/subm");
  await temp.write({ "vendor/subm/src/b.ts": "export function inner() {}\n" });
  equal(await findForeignRepository(temp.dir, "vendor/subm/src"), "vendor/subm");
  equal(await findForeignRepository(temp.dir, "vendor"), null);
  const page = { symbol: "inner", maxResults: 5 };
  const below = await explorer.findReferences({
    ...page,
    path: "vendor/subm/src",
    includeText: false,
  });
  ok(below.kind === "found");
  match(below.notices?.[0] ?? "", /"vendor\/subm\/src" in "vendor\/subm" is a submodule/);
});

Deno.test("checkPath() refuses what lies outside and what is not there", async () => {
  await using project = await createIndexedProject({ files: { "a.ts": "1;\n" } });
  const codes = async (path: string) =>
    (await project.explorer.checkPath(path)).map(({ code }) => code);
  deepEqual(await codes("a.ts"), []);
  deepEqual(await codes("../../etc/passwd"), ["path_outside"]);
  deepEqual(await codes("none.ts"), ["path_not_found"]);
});
