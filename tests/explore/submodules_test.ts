/** Repositories inside a project, named in answers that have nothing. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { findForeignRepository, toSubmoduleNotices } from "../../src/explore/submodules.ts";
import { createIndexedProject } from "./with_programs.ts";

Deno.test("answers without results name the submodules, and a path inside one is told to be there", async () => {
  await using project = await createIndexedProject({
    files: {
      "a.ts": "export const a = 1;\n",
      ".gitmodules": '[submodule "s"]\n\tpath = vendor/subm\n\turl = ../s\n',
    },
  });
  const { temp, explorer } = project;
  await temp.git("init", "-q", "vendor/subm");
  await temp.write({ "vendor/subm/src/b.ts": "export function inner() {}\n" });
  equal(await findForeignRepository(temp.dir, "vendor/subm/src"), "vendor/subm");
  equal(await findForeignRepository(temp.dir, "vendor"), null);
  const page = { symbol: "inner", maxResults: 5 };
  const all = await explorer.findDefinitions({ ...page, exactMatch: false });
  ok(all.kind === "found");
  deepEqual(all.notices, ["Submodules were not searched: vendor/subm."]);
  const text = await explorer.searchText({
    patterns: ["inner"],
    caseSensitive: true,
    fixed: true,
    wholeWord: false,
    contextLines: 0,
    maxResults: 5,
  });
  ok(text.kind === "found");
  equal(text.total, 0);
  deepEqual(text.notices, ["Submodules were not searched: vendor/subm."]);
  const below = await explorer.findReferences({
    ...page,
    path: "vendor/subm/src",
    includeText: false,
  });
  ok(below.kind === "found");
  match(below.notices?.[0] ?? "", /"vendor\/subm\/src" in "vendor\/subm" is a submodule/);
  deepEqual(await toSubmoduleNotices(temp.dir, "src"), []);
});

Deno.test("checkPath() refuses what lies outside and what is not there", async () => {
  await using project = await createIndexedProject({ files: { "a.ts": "1;\n" } });
  const codes = async (path: string) =>
    (await project.explorer.checkPath(path)).map(({ code }) => code);
  deepEqual(await codes("a.ts"), []);
  deepEqual(await codes("../../etc/passwd"), ["path_outside"]);
  deepEqual(await codes("none.ts"), ["path_not_found"]);
});
