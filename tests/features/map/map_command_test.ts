/** The command `map` on a real project: links, circles, changes, the session's files, each form, and what it refuses. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
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
