/** Runs the commands of a repository in its worktree and in a clean checkout, and looks whether the checkout's own sources run there. */
import { basename, join } from "node:path";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { SYSTEM_CLOCK } from "../../src/base/clock.ts";
import { countFailed, countRan } from "../../src/runners/report.ts";
import type { ProjectCommands } from "../../src/evidence/runs/project_verification.ts";
import { isPassed } from "../../src/evidence/runs/judge_run.ts";
import { Runs } from "../../src/evidence/runs/run_in_checkouts.ts";
import type { LocatedResults, RunRequest } from "../../src/evidence/runs/verification.ts";
import { FEATURES } from "../../src/features/features.ts";
import { languageOfPath } from "../../src/language/languages.ts";
import { isTestSide } from "../../src/language/test_names.ts";
import { createUse } from "../../src/prove/checkout_use.ts";
import { createServices } from "../../src/services/services.ts";
import { run } from "../../tools/run.ts";
import { withFolder } from "../harness/run.ts";

/** What became of one repository. */
export interface TriedCheckout {
  readonly name: string;
  readonly language: string;
  readonly command: string;
  /** `no run`: not even the worktree runs its tests here, so that nothing can be said. */
  readonly outcome: "works" | "fails" | "leads back" | "no run";
  /** By which way the checkout works, or why it does not. */
  readonly how: string;
  /** Of the run in the worktree, and of the first and the next proof's run in checkouts. */
  readonly seconds: readonly [number, number, number];
  readonly tests: number;
}

/** What no version of a source can be read of. */
const BROKEN = "@@@ ) broken ( @@@\n";
/** Files that steer the build and are no sources of it. */
const STEERING = /^docs?\/|(?:^|\/)(?:setup|conf|build)\.\w+$|\.config\.\w+$|\.d\.ts$/;

/** Tries the commands of `.code-intel/config.json`; the repository is left as it is. */
export async function tryCheckout(dir: string): Promise<TriedCheckout> {
  return await withFolder(undefined, async (folder) => {
    const stateDir = join(folder, "state");
    const get = (name: string) => name === "CODE_INTEL_STATE_DIR" ? stateDir : Deno.env.get(name);
    const services = await createServices({
      ...{ projectDir: dir, logger: SILENT_LOGGER, offered: [], features: FEATURES, get },
    });
    try {
      const { verification } = services;
      const found = await verification.loadCommands();
      await verification.trustCommands(found, "terminal");
      const perform = async (tree: string, isInCheckout: boolean) => {
        const use = createUse(verification, found)({ tree, commands: found.commands });
        return await runOnce({ dir, stateDir, tree }, {
          commands: found.commands,
          ...(isInCheckout ? { checkout: { tree, isSure: false, isUntouched: true, use } } : {}),
        });
      };
      return await compare(dir, found, perform);
    } finally {
      await services.close();
    }
  });
}

type Perform = (tree: string, isInCheckout: boolean) => Promise<LocatedResults>;

async function compare(
  dir: string,
  { commands }: ProjectCommands,
  perform: Perform,
): Promise<TriedCheckout> {
  const { tree, broken, language } = await writeTrees(dir);
  const [here, seconds] = await measure(() => perform(tree, false));
  const tests = here.results.reduce((sum, { report }) => sum + (report ? countRan(report) : 0), 0);
  const failed = here.results.reduce(
    (sum, { report }) => sum + (report ? countFailed(report) : 0),
    0,
  );
  const row = {
    ...{ name: basename(dir), language, tests },
    command: commands.map(({ run }) => run.join(" ")).join("; "),
  };
  const isPlain = here.results.length > 0 && here.results.every(isPassed);
  if (!isPlain && tests === failed) {
    const how = here.results.map(({ outputTail }) => outputTail.trim().split("\n").at(-1)).join();
    return { ...row, outcome: "no run", how: how || "no command", seconds: [seconds, 0, 0] };
  }
  const [{ place }, first] = await measure(() => perform(tree, true));
  if (place?.kind !== "checkout") {
    const how = place?.why ?? "no place is told";
    return { ...row, outcome: "fails", how, seconds: [seconds, first, 0] };
  }
  const [again, next] = await measure(() => perform(tree, true));
  const other = await perform(broken, true);
  const isOwn = !other.results.every(isPassed) || other.place?.kind !== "checkout";
  return {
    ...row,
    outcome: isOwn ? "works" : "leads back",
    how: again.place?.kind === "checkout" ? again.place.more ?? "" : "the second run fails",
    seconds: [seconds, first, next],
  };
}

async function runOnce(
  { dir, stateDir, tree }: {
    readonly dir: string;
    readonly stateDir: string;
    readonly tree: string;
  },
  request: RunRequest,
): Promise<LocatedResults> {
  const runs = await Runs.open({
    ...{ projectRoot: dir, stateDir, clock: SYSTEM_CLOCK, runId: "lab", tree, repeatsRed: false },
    now: { command: "", purpose: null, lastLine: "" },
    signal: new AbortController().signal,
    onStarted: () => Promise.resolve(),
  });
  return await runs.run(request);
}

/** The tree of the worktree, and the same with all sources of its first language broken. */
async function writeTrees(dir: string) {
  const index = await Deno.makeTempFile({ prefix: "code-intel-lab-index-" });
  try {
    const env = { GIT_INDEX_FILE: index };
    const git = async (...words: string[]) => (await run("git", words, { cwd: dir, env })).trim();
    await Deno.remove(index);
    await git("read-tree", "HEAD");
    await git("add", "-A");
    const tree = await git("write-tree");
    const sources = (await git("ls-files")).split("\n").flatMap((path) => {
      const own = languageOfPath(path);
      const isSource = own?.nature === "code" && !isTestSide(path) && !STEERING.test(path);
      return isSource ? [{ path, language: own.name }] : [];
    });
    const groups = Object.entries(Object.groupBy(sources, (one) => one.language));
    const [language = "", most = []] = groups.toSorted(([, a = []], [, b = []]) =>
      b.length - a.length
    )[0] ?? [];
    const file = join(dir, ".git", "code-intel-lab");
    await Deno.writeTextFile(file, BROKEN);
    const blob = await git("hash-object", "-w", file);
    await Deno.remove(file);
    for (const { path } of most) await git("update-index", "--cacheinfo", `100644,${blob},${path}`);
    return { tree, broken: await git("write-tree"), language };
  } finally {
    await Deno.remove(index).catch(() => {});
  }
}

async function measure<T>(action: () => Promise<T>): Promise<readonly [T, number]> {
  const startedAt = performance.now();
  const result = await action();
  return [result, Math.round((performance.now() - startedAt) / 100) / 10];
}
