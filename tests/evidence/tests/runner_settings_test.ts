/** Which modules stand before a runner of the same name. */
import { strictEqual as equal } from "node:assert/strict";
import { parseDiffedFiles } from "../../../src/evidence/tests/diffed_file.ts";
import { findSteering } from "../../../src/evidence/tests/runner_settings.ts";
import type { ProjectPath } from "../../../src/base/paths.ts";

Deno.test("a module with the name of a runner steers it where it is new; where it was there, it is the project's code", () => {
  const find = (path: string, rows: readonly string[]) => {
    const change = { path: path as ProjectPath, kind: "modified" } as const;
    const parts = [`@@ -1,3 +1,3 @@\n${rows.join("\n")}\n`];
    const [file] = parseDiffedFiles([{ change, parts }]);
    return file === undefined ? "none" : findSteering(file)?.kind;
  };
  const sorted = [" import os", '-    "HookspecMarker",', '+    "HookimplMarker",'];
  equal(find("src/pluggy/__init__.py", sorted), undefined);
  equal(find("pluggy.py", ["+def hook(): ..."]), "runner_changed");
  equal(find("conftest.py", sorted), "runner_changed");
});
