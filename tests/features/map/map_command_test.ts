/** The command `map` on a real project: links, circles, changes, the session's files, each form, and what it refuses. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { SYSTEM_CLOCK } from "../../../src/base/clock.ts";
import { createMapReader } from "../../../src/features/map/gather_map.ts";
import { createSeen } from "../../support/seen_runs.ts";
import { createProject as createOpened } from "../../workflow/project_fixture.ts";
import { runHosted } from "../../support/server/hosted_cli.ts";
import { createProject } from "../../support/session/project.ts";

Deno.test("map tells files, links and changes from the index and the past, as text, data and page", async () => {
  await using project = await createProject();
  const run = (...words: string[]) => runHosted(words, { cwd: project.dir, env: project.env });
  const told = await run("map", "--json");
  equal(told.code, 0, told.stderr);
  const map = JSON.parse(told.stdout);
  deepEqual(
    map.files.map(({ path, changes }: { path: string; changes: number }) => [path, changes]),
    [
      ["README.md", 1],
      ["src/auth.ts", 1],
      ["src/hash.ts", 1],
      ["src/view.ts", 1],
    ],
  );
  deepEqual(map.links, [
    { from: "src/auth.ts", to: "src/hash.ts", by: "import", calls: 1, uses: 0 },
    { from: "src/view.ts", to: "src/auth.ts", by: "import", calls: 1, uses: 0 },
  ]);
  deepEqual([map.cycles, map.session, map.notices], [[], null, []]);
  deepEqual(map.files[1].symbols, [{ name: "login", kind: "function", line: 3 }]);

  await project.repo.write({ "src/hash.ts": "import './view.ts';\nexport const hash = String;\n" });
  const circle = JSON.parse((await run("map", "src", "--json")).stdout);
  deepEqual(circle.cycles, [["src/auth.ts", "src/hash.ts", "src/view.ts"]]);
  equal(circle.files.length, 3);
  match((await run("map")).stdout, /: 4 files, \d+ lines, 3 links, 1 circle of imports\n/);

  const out = join(project.dir, "map.html");
  const written = await run("map", "--out", out);
  equal(written.code, 0, written.stderr);
  match(await Deno.readTextFile(out), /^<!DOCTYPE html>[\s\S]*src\/auth\.ts[\s\S]*<\/html>\n$/);

  const wrong = await run("map", "scr");
  equal(wrong.code, 1);
  match(wrong.stderr, /path_not_found: [\s\S]*src/);
  equal((await run("map", "..")).code, 64);
  equal((await run("map", "../beside")).code, 64);
  equal((await run("map", "--open", "--json")).code, 64);
});

Deno.test("a map counts functions that nothing ran, of those in the records, and has no such field without any", async () => {
  const files = {
    "src/a.ts": "export function one() {}\nexport function two() {}\nexport function three() {}\n",
    "src/b.ts": "export const four = 4;\n",
  };
  const ran = { "t.ts::t": ["src/a.ts one"] };
  await using seen = await createOpened({
    files,
    features: [createSeen({ ran, idle: ["src/a.ts two"] })],
  });
  const read = async ({ services }: typeof seen) => {
    const found = await createMapReader({ ...services, clock: SYSTEM_CLOCK })();
    if (found.kind !== "map") throw new Error(JSON.stringify(found.problem));
    const rows = found.map.files.map(({ path, ...file }) => [path, file.seen] as const);
    return [found.map.recorded, ...rows.filter(([path]) => path.startsWith("src/"))];
  };
  deepEqual(await read(seen), [
    "recorded for 1 test",
    ["src/a.ts", { functions: 2, not_run: 1 }],
    ["src/b.ts", undefined],
  ]);
  await using plain = await createOpened({ files, features: [] });
  const found = await createMapReader({ ...plain.services, clock: SYSTEM_CLOCK })();
  equal(
    JSON.stringify(found).includes("recorded") || JSON.stringify(found).includes("seen"),
    false,
  );
});
