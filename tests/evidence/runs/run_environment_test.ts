/** Programs and variables of a command, compared with the moment in which it was allowed. */
import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { join } from "node:path";
import {
  compareRunEnvironments,
  readRunEnvironment,
} from "../../../src/evidence/runs/run_environment.ts";

Deno.test("a program of another content or place is told, and so is a variable that steers a runner", async () => {
  const dir = await Deno.makeTempDir();
  const tool = join(dir, "tool");
  await Deno.writeTextFile(tool, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  const commands = [{ name: "test", run: ["./tool"] }];
  const then = await readRunEnvironment(dir, commands);
  deepEqual(compareRunEnvironments(then, await readRunEnvironment(dir, commands)), []);
  await Deno.writeTextFile(tool, "#!/bin/sh\nexit 0\n");
  const now = await readRunEnvironment(dir, commands);
  deepEqual(compareRunEnvironments(then, now), [
    `test starts ${tool}, whose content has changed since it was allowed`,
  ]);
  const moved = { ...then, programs: { test: { path: "/opt/tool", hash: "h" } } };
  match(
    compareRunEnvironments(then, moved).join(),
    /^test starts \/opt\/tool; it started .*tool when/,
  );
  const set = { ...then, variables: { ...then.variables, NODE_OPTIONS: "h" } };
  deepEqual(
    compareRunEnvironments({ ...then, variables: {} }, {
      ...set,
      variables: { NODE_OPTIONS: "h" },
    }),
    [
      "NODE_OPTIONS is set, and was not when the commands were allowed",
    ],
  );
  deepEqual(compareRunEnvironments(set, { ...then, variables: {} }), []);
});
