/** Which folders a workspace takes. */
import { throws } from "node:assert/strict";
import { join } from "node:path";
import { checkMemberRoot } from "../../../src/features/workspace/workspace.ts";
import { giveUp } from "../../support/temp_folder.ts";

Deno.test("only repositories beside the project are taken: neither what holds it, nor the home folder, nor a bare folder", async () => {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "code-intel-roots-" }));
  try {
    const at = (...parts: string[]) => join(dir, ...parts);
    const projectRoot = at("work/app");
    for (const path of ["work/app", "work/app2/.git", "home/ann/.git", "bare", "npm", "kept"]) {
      await Deno.mkdir(at(path), { recursive: true });
    }
    await Deno.mkdir(at("state"));
    await Deno.writeTextFile(at("npm/package.json"), "{}");
    await Deno.writeTextFile(at("state/index.db"), "");
    const check = (root: string) =>
      checkMemberRoot(root, {
        projectRoot,
        home: at("home/ann"),
        toFolders: (one) => one === at("kept") ? [at("state")] : [],
      });
    for (const root of ["/", dir, at("work")]) throws(() => check(root), /the project itself lies/);
    for (const root of ["home", "home/ann"]) throws(() => check(at(root)), /home folder is no rep/);
    throws(() => check(at("bare")), /neither a git repository nor a manifest/);
    for (const root of ["work/app2", "npm", "kept"]) check(at(root));
  } finally {
    await giveUp(dir);
  }
});
