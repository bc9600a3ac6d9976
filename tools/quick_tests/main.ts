/**
 * The tests: `deno task test [FLAGS] [PATHS…]`, with any flag of `deno test`. Runs the quick ones in groups
 * (`groups.ts`), and without paths the examples in the comments of `src` too. With `--slow` as first word: the slow
 * ones; with `--starting`: the quick ones that can start a program that a bare machine lacks; with both: both, which share
 * modules.
 */
import { resolve } from "node:path";
import { dropInheritedVariables } from "../../src/git/git_settings.ts";
import { expectPaths, REPOSITORY } from "../task.ts";
import { listTests, runDenoTest, SLOW, withGroups } from "./run.ts";
import { writeExamples } from "./examples.ts";
import type { TestGroup } from "./groups.ts";
import { toGroups, toSlowGroups } from "./groups.ts";
import { listStarting } from "./starting.ts";
import { bundleTestedProgram, TESTED_PROGRAM } from "./tested_program.ts";
import { withTempOfRun } from "./temp_of_run.ts";

// The tests make repositories: run by a hook or a bisect they must not make them into the one around them.
dropInheritedVariables();

const KINDS = ["--slow", "--starting"];
const isSlow = Deno.args.includes("--slow");
const isStarting = Deno.args.includes("--starting");
const words = Deno.args.filter((word) => !KINDS.includes(word));
const flags = words.filter((word) => word.startsWith("-"));
const paths = words.filter((word) => !word.startsWith("-"));
await expectPaths(
  "deno task test [FLAGS] [PATHS...]",
  paths.map((path) => resolve(REPOSITORY, path)),
);
const folders = paths.length === 0 ? ["tests"] : paths;
Deno.exit(isSlow ? await runSlow() : await runQuick());

async function runQuick(): Promise<number> {
  if (isStarting) return await run(toGroups(await findStarting()), flags);
  return await run(toGroups(await listTests(REPOSITORY, folders)), flags, {
    hasExamples: paths.length === 0,
  });
}

async function runSlow(): Promise<number> {
  const slow = await listTests(REPOSITORY, folders, SLOW);
  const files = isStarting ? [...new Set([...slow, ...await findStarting()])] : slow;
  return await run(toSlowGroups(files), ["--permit-no-files", ...flags]);
}

async function findStarting(): Promise<readonly string[]> {
  return await listStarting(REPOSITORY, await listTests(REPOSITORY, folders));
}

async function run(
  groups: readonly TestGroup[],
  words: readonly string[],
  { hasExamples = false }: { readonly hasExamples?: boolean } = {},
): Promise<number> {
  const program = await toProgram();
  return await withGroups(REPOSITORY, groups, async (modules, folder) => {
    const examples = hasExamples ? [await writeExamples(REPOSITORY, folder)] : [];
    const all = [...words, ...modules, ...examples];
    return await withTempOfRun((env) => runDenoTest(REPOSITORY, all, { ...env, ...program }));
  });
}

/** A few tests start fewer processes than are worth a bundle. */
async function toProgram(): Promise<Readonly<Record<string, string>>> {
  if (paths.length > 0 || Deno.env.has(TESTED_PROGRAM)) return {};
  return { [TESTED_PROGRAM]: await bundleTestedProgram(REPOSITORY) };
}
