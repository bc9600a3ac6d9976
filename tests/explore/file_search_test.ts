/** Files by glob and by name, with and without programs. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { Explorer, SearchFilesInput } from "../../src/explore/explorer.ts";
import { rankByName } from "../../src/explore/file_search.ts";
import { eachWay } from "./sample_project.ts";

async function find(
  explorer: Explorer,
  input: Partial<SearchFilesInput>,
): Promise<readonly string[]> {
  const answer = await explorer.searchFiles({ pattern: "*", maxResults: 100, ...input });
  ok(answer.kind === "found", JSON.stringify(answer));
  deepEqual(answer.shownFiles, []);
  return answer.files;
}

eachWay("searchFiles() takes globs over the project and below a path", async ({ explorer }) => {
  deepEqual(await find(explorer, { pattern: "src/*.ts" }), ["src/app.ts", "src/load.ts"]);
  deepEqual(await find(explorer, { pattern: "*.{rb,go}" }), [
    "src/dist_build/tool.go",
    "src/model.rb",
  ]);
  deepEqual(await find(explorer, { pattern: "users/*", path: "src" }), ["src/users/service.py"]);
  deepEqual(await find(explorer, { pattern: "**", fileType: "css" }), ["src/style.css"]);
  deepEqual(await find(explorer, { pattern: ".github/*" }), [".github/flow.yml"]);
});

eachWay("searchFiles() finds names without wildcard, the best first", async ({ explorer }) => {
  deepEqual(await find(explorer, { pattern: "load" }), ["src/load.ts"]);
  deepEqual(await find(explorer, { pattern: "build" }), ["builder.py", "src/dist_build/tool.go"]);
  deepEqual(await find(explorer, { pattern: "srvc" }), ["src/users/service.py"]);
  deepEqual(await find(explorer, { pattern: "nothing-like-it" }), []);
});

eachWay(
  "searchFiles() pages with an exact total and refuses a broken glob",
  async ({ explorer }) => {
    const page = await explorer.searchFiles({ pattern: "src/**", maxResults: 2, offset: 1 });
    ok(page.kind === "found");
    equal(page.total, 6);
    deepEqual(page.files, ["src/dist_build/tool.go", "src/load.ts"]);
    const refused = await explorer.searchFiles({ pattern: "src/[", maxResults: 2 });
    ok(refused.kind === "refused");
    equal(refused.problems[0]?.code, "invalid_glob");
  },
);

Deno.test("rankByName() puts the exact name before longer ones", () => {
  deepEqual(rankByName("user", ["a/super_user.ts", "userland.ts", "x/user.ts", "user/z.ts"]), [
    "x/user.ts",
    "userland.ts",
    "a/super_user.ts",
    "user/z.ts",
  ]);
});
