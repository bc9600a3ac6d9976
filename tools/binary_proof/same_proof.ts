/** The executable is what its source gives, byte for byte. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { buildExecutable } from "../compile/build.ts";
import { run } from "../compile/run.ts";
import { NoRuntime, obtainRuntime } from "../compile/runtime.ts";
import { findOwnTarget } from "../compile/targets.ts";
import { REPOSITORY } from "../demo/server.ts";
import { expect } from "./expect.ts";
import type { Sandbox } from "./sandbox.ts";
import { Skipped } from "./sandbox.ts";

/** Compiles it again in another folder; an executable of another commit is not compared. */
export async function proveSame(sandbox: Sandbox): Promise<void> {
  const target = findOwnTarget();
  const facts = await sandbox.must(["--version", "--json"], { cwd: "/" });
  const { commit } = JSON.parse(facts) as { readonly commit: string };
  const present = (await run("git", ["rev-parse", "HEAD"], { cwd: REPOSITORY })).trim();
  if (target === null || commit.replace(" with changes", "") !== present) {
    throw new Skipped(`the executable is of ${commit}, the source of ${present}`);
  }
  const runtime = await obtainRuntime(join(REPOSITORY, "dist", "runtime")).catch((failure) => {
    throw failure instanceof NoRuntime ? new Skipped(failure.message) : failure;
  });
  const output = join(sandbox.folder, "again");
  await buildExecutable({ repository: REPOSITORY, target, runtime, output });
  expect(await hash(output) === await hash(sandbox.program), "both have the same bytes");
  await Deno.remove(output);
}

async function hash(path: string): Promise<string> {
  return createHash("sha256").update(await Deno.readFile(path)).digest("hex");
}
