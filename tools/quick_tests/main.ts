/**
 * The tests: `deno task test [FLAGS] [PATHS…]`, with any flag of `deno test`. Runs the quick ones in groups
 * (`groups.ts`), and without paths the examples in the comments of `src` too. With `--slow` as first word: the slow
 * ones; with `--starting`: the quick ones that can start a program that a bare machine lacks.
 */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { dropInheritedVariables } from "../../src/git/git_settings.ts";
import { expectPaths } from "../task.ts";
import { runDenoTest } from "./deno_test.ts";
import type { TestGroup } from "./groups.ts";
import { toGroups, toSlowGroups } from "./groups.ts";
import { listTests, QUICK, SLOW, withGroups } from "./run.ts";
import { listStarting } from "./starting.ts";
import { withTempOfRun } from "./temp_of_run.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

// The tests make repositories: run by a hook or a bisect they must not make them into the one around them.
dropInheritedVariables();

const isSlow = Deno.args[0] === "--slow";
const isStarting = Deno.args[0] === "--starting";
const words = isSlow || isStarting ? Deno.args.slice(1) : Deno.args;
const flags = words.filter((word) => word.startsWith("-"));
const paths = words.filter((word) => !word.startsWith("-"));
await expectPaths(
  "deno task test [FLAGS] [PATHS...]",
  paths.map((path) => resolve(REPOSITORY, path)),
);
const files = await listTests(
  REPOSITORY,
  paths.length === 0 ? ["tests"] : paths,
  isSlow ? SLOW : QUICK,
);
Deno.exit(isSlow ? await runSlow() : await runQuick());

async function runQuick(): Promise<number> {
  if (isStarting) return await run(toGroups(await listStarting(REPOSITORY, files)), flags);
  const examples = paths.length === 0 ? ["--doc", "src/"] : [];
  return await run(toGroups(files), [...flags, ...examples]);
}

async function runSlow(): Promise<number> {
  return await run(toSlowGroups(files), ["--permit-no-files", ...flags]);
}

async function run(groups: readonly TestGroup[], words: readonly string[]): Promise<number> {
  return await withGroups(
    REPOSITORY,
    groups,
    (modules) => withTempOfRun((env) => runDenoTest(REPOSITORY, [...words, ...modules], env)),
  );
}
