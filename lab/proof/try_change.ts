/** Makes one change in a fresh repository, runs its tests, and proves it. */
import { dirname, join } from "node:path";
import { NO_ASKER } from "../../src/base/asker.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { findProgram } from "../../src/base/processes/arguments.ts";
import { FEATURES } from "../../src/features/features.ts";
import type { Proof } from "../../src/prove/verdict.ts";
import { createServices } from "../../src/services/services.ts";
import { run } from "../../tools/run.ts";
import { withFolder } from "../harness/run.ts";
import type { Files, MatrixChange, MatrixProject } from "./project.ts";

/** What was said of a change. */
export interface TriedChange {
  readonly proof: Proof;
  readonly seconds: number;
  /** Whether the tests pass, as a run of them alone says. */
  readonly isGreen: boolean;
  /** How long that run takes. */
  readonly testSeconds: number;
}

const USER = ["-c", "user.name=lab", "-c", "user.email=lab@localhost"];

/** Null where the program of the project is not installed. */
export async function tryChange(
  project: MatrixProject,
  change: MatrixChange,
  withinSeconds: number,
): Promise<TriedChange | null> {
  if (await findProgram(project.needs, { path: Deno.env.get("PATH") ?? "", cwd: "/" }) === null) {
    return null;
  }
  return await withFolder(undefined, async (folder) => {
    const dir = join(folder, "project");
    await write(dir, project.files);
    const verify = [{ name: "test", run: project.run }];
    await write(dir, { ".code-intel/config.json": JSON.stringify({ verify }) });
    const git = (...words: string[]) => run("git", [...USER, ...words], { cwd: dir });
    await git("init", "-q", "-b", "main");
    await git("add", "-A");
    await git("commit", "-q", "-m", "Base");
    await write(dir, change.files);
    const [tests, testSeconds] = await measure(() => runTests(project.run, dir));
    await git("clean", "-q", "-f", "-d", "-X", "-e", "!local.py", "-e", "!generated.js");
    const [proof, seconds] = await measure(() =>
      proveIn(dir, join(folder, "state"), withinSeconds)
    );
    return { proof, seconds, isGreen: tests, testSeconds };
  });
}

async function measure<T>(action: () => Promise<T>): Promise<readonly [T, number]> {
  const startedAt = performance.now();
  const result = await action();
  return [result, Math.round((performance.now() - startedAt) / 100) / 10];
}

async function write(dir: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(dir, path);
    if (text === null) {
      await Deno.remove(file);
      continue;
    }
    await Deno.mkdir(dirname(file), { recursive: true });
    await Deno.writeTextFile(file, text);
  }
}

async function runTests([program = "", ...args]: readonly string[], cwd: string): Promise<boolean> {
  const env = { PYTHONDONTWRITEBYTECODE: "1" };
  const { success } = await new Deno.Command(program, { args, cwd, env }).output();
  return success;
}

async function proveIn(dir: string, stateDir: string, withinSeconds: number): Promise<Proof> {
  const get = (name: string) => name === "CODE_INTEL_STATE_DIR" ? stateDir : Deno.env.get(name);
  const services = await createServices({
    projectDir: dir,
    logger: SILENT_LOGGER,
    offered: [],
    features: FEATURES,
    get,
  });
  try {
    const { verification } = services;
    await verification.trustCommands(await verification.loadCommands(), "terminal");
    const answer = await services.proveChange({
      change: { kind: "worktree", base: null },
      withinMs: withinSeconds * 1_000,
      signal: AbortSignal.timeout(withinSeconds * 10_000),
      asker: NO_ASKER,
    });
    if (answer.kind === "refused") throw new Error(JSON.stringify(answer.problems));
    return answer.proof;
  } finally {
    await services.close();
  }
}
