/** Which files a question covers. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { resolveScope } from "../../src/explore/scope.ts";
import { createProject, eachWay } from "./sample_project.ts";
import { testNeeding } from "../support/needs.ts";

eachWay("resolveScope() lists the same files with and without programs", async ({ context }) => {
  const scope = await resolveScope(context, { path: "src", language: "ts" });
  ok(scope.kind === "scope");
  deepEqual(scope.files, ["src/app.ts", "src/load.ts"]);
  equal(scope.isFile, false);
});

eachWay("resolveScope() says that a folder holds ignored files only", async ({ context }) => {
  const scope = await resolveScope(context, { path: "dist" });
  ok(scope.kind === "scope");
  deepEqual(scope.files, []);
  ok(scope.notices.some((notice) => notice.includes("includes ignored files")));
  const all = await resolveScope(context, { path: "dist", includeIgnored: true });
  deepEqual(all.kind === "scope" && all.files, ["dist/out.js"]);
});

testNeeding(["rg"], "resolveScope() takes the type names of ripgrep where it is", async () => {
  await using project = await createProject("programs");
  equal((await resolveScope(project.context, { fileType: "readme" })).kind, "scope");
});

Deno.test("resolveScope() refuses a type name of ripgrep where it is not there", async () => {
  await using bare = await createProject("fallback");
  equal((await resolveScope(bare.context, { fileType: "readme" })).kind, "refused");
});

eachWay(
  "resolveScope() has the program's own files only where their folder is named",
  async ({ context, temp }) => {
    await temp.write({ ".code-intel/notes.md": "x\n" });
    const list = async (input: Parameters<typeof resolveScope>[1]) => {
      const scope = await resolveScope(context, input);
      return scope.kind === "scope" && scope.files.filter((path) => path.startsWith("."));
    };
    const hidden = await list({ includeHidden: true });
    ok(hidden !== false && hidden.includes(".github/flow.yml"));
    equal(hidden.includes(".code-intel/notes.md"), false);
    deepEqual(await list({ path: ".code-intel" }), [".code-intel/notes.md"]);
  },
);
