/** The release workflow names what the compile task knows: versions, targets, checksums of every file. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { COMPILER_VERSION } from "../../tools/compile/runtime.ts";
import { findOwnTarget, TARGETS } from "../../tools/compile/targets.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

interface Step {
  readonly run?: string;
}

Deno.test("the release is compiled with the Deno that is proven, and has every target with its checksum", async () => {
  const text = await Deno.readTextFile(join(ROOT, ".github/workflows/release.yml"));
  const { env, jobs } = parse(text);
  equal(env.COMPILER_VERSION, COMPILER_VERSION);
  const readme = await Deno.readTextFile(join(ROOT, "README.md"));
  ok(readme.includes(`npx -y deno@${env.DENO_VERSION} task test `), "both use one Deno");
  const runs: readonly string[] = jobs.build.steps.map(({ run = "" }: Step) => run);
  const sums = runs.find((run) => run.includes("sha256sum")) ?? "";
  const outputs = TARGETS.map(({ output }) => output);
  for (const name of [...outputs, "THIRD_PARTY_LICENSES"]) ok(sums.includes(` ${name} `), name);
  const started: readonly string[] = jobs.start.strategy.matrix.include
    .map(({ file }: { readonly file: string }) => file);
  const proven = runs.find((run) => run.includes("task prove")) ?? "";
  const elsewhere = outputs.filter((output) => !proven.endsWith(`/${output}`));
  deepEqual([...started].sort(), elsewhere.sort());
  equal(elsewhere.length, outputs.length - 1);
  ok(findOwnTarget() === null || outputs.includes(findOwnTarget()?.output ?? ""));
});
