/**
 * What step 15 costs on a project of others: its command in the worktree, in a clean checkout, with the changed tests on
 * the sources of before, and once more on the same tree. In processor time, which other work on the machine does not change.
 */
import { basename, join } from "node:path";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import type {
  RunCheckout,
  VerificationRequest,
  VerificationRun,
} from "../../src/evidence/runs/verification.ts";
import { narrowCommands } from "../../src/prove/near_tests.ts";
import { createRunCover } from "../../src/features/runs/lines/cover_run.ts";
import { isNodeAsked } from "../../src/features/runs/lines/coverage_places.ts";
import { writeWorktreeTree } from "../../src/git/index/private_index.ts";
import { openRepository } from "../../src/git/repository.ts";
import type { Services } from "../../src/services/services_api.ts";
import { createServices } from "../../src/services/services.ts";
import { makeTempFolders } from "../../tools/demo/server.ts";
import { run as runProgram } from "../../tools/run.ts";
import type { Figure } from "../harness/measure.ts";
import { figure } from "../harness/measure.ts";
import PROJECTS from "./verify_projects.json" with { type: "json" };

/** What a run is asked for beside the command. */
type Asked = Partial<Pick<VerificationRequest, "checkout" | "check" | "coverage">>;

/** A way to run with its name for the table; one without a name fills the caches of builds and is not counted. */
type Way = readonly [name: string, asked: Asked, note: string];

/**
 * The project of a folder, by its name: its command, and the change of a session that brings a test, as texts for the ends of
 * two files. `VERIFY_PYTHON` names the Python of a virtual environment with pytest.
 */
function findProject(folder: string) {
  const found = PROJECTS.find(({ name }) => basename(folder).endsWith(name));
  if (found === undefined) {
    throw new Error(`lab/bench/verify_projects.json has no row for ${folder}`);
  }
  const python = Deno.env.get("VERIFY_PYTHON") ?? "python3";
  return { ...found, run: found.run.map((word) => word.replace("{python}", python)) };
}

/** Figures of the project at `folder`, which is copied: its dependencies have to be installed there. */
export async function measureVerify(folder: string): Promise<readonly Figure[]> {
  const project = findProject(folder);
  await using folders = await makeTempFolders();
  await Deno.remove(folders.root, { recursive: true });
  await runProgram("cp", ["-a", folder, folders.root], { cwd: "/" });
  const config = { verify: [{ name: "test", run: project.run }] };
  await Deno.mkdir(join(folders.root, ".code-intel"), { recursive: true });
  await Deno.writeTextFile(
    join(folders.root, ".code-intel", "config.json"),
    JSON.stringify(config),
  );
  const services = await createServices({
    projectDir: folders.root,
    logger: SILENT_LOGGER,
    offered: [],
    get: (name) => name === "CODE_INTEL_STATE_DIR" ? folders.stateDir : Deno.env.get(name),
  });
  try {
    const figures: Figure[] = [];
    const ways = await planWays(services, folders.root, project);
    for (const [at, [name, asked, note]] of ways.entries()) {
      const label = `${project.name} (${project.language}): ${name}`;
      const started = await readCpuMs();
      // A run in a visit of step 15 that has its result is not repeated: the last way asks the one before it again.
      const run = await runOnce(services, asked, Math.min(at, ways.length - 2));
      const value = await readCpuMs() - started;
      if (name !== "") figures.push(figure(label, value, "ms", note));
      expectGreen(label, run, asked);
    }
    return figures;
  } finally {
    await services.close();
  }
}

async function planWays(
  { verification }: Services,
  root: string,
  { source, test }: ReturnType<typeof findProject>,
): Promise<readonly Way[]> {
  const found = await verification.loadCommands();
  const repo = await openRepository(root);
  if (repo === null) throw new Error(`${root} is no repository`);
  const write = async (addition: typeof test): Promise<string> => {
    const path = join(root, addition.path);
    await Deno.writeTextFile(path, addition.text, { append: true });
    return (await writeWorktreeTree(repo, { maxFileMb: 50, sessionId: SESSION })).tree;
  };
  const before = await write(test);
  const tree = await write(source);
  const { commands, lend } = found;
  const use = (wanted: string, lent: readonly string[]): RunCheckout["use"] => (action) =>
    verification.useCheckout({ tree: wanted, commands, allowed: found, lend: lent }, action);
  // As step 15 does: a folder that builds write into is not lent to other sources.
  const useBefore = use(before, lend.filter((name) => name !== "target"));
  const narrowed = narrowCommands(commands, [test.path]);
  const checkout = { tree, isSure: true, use: use(tree, lend) };
  const counted = commands.filter((command) => isNodeAsked(command, [])).map(({ name }) => name);
  const coverage = createRunCover({
    worktree: await Deno.realPath(root),
    project: "",
    files: [source.path],
    declared: [],
    asksNode: counted,
  });
  const check = (added: Pick<Asked, "coverage">): NonNullable<Asked["check"]> => async (runs) => {
    const located = await runs.run({ commands, checkout, ...added });
    await useBefore(async (made) => {
      if (typeof made === "string") throw new Error(made);
      await runs.runBeside(made, narrowed, "without the change");
    });
    return located;
  };
  const proof = { check: check({}) };
  const counting = { check: check({ coverage }) };
  return [
    ["", {}, ""],
    ["", proof, ""],
    ["in the worktree", {}, "the command alone"],
    ["in a clean checkout", { checkout }, ""],
    ["and the changed tests without the change", proof, ""],
    ...(counted.length === 0 ? [] : [["and Node counts lines", counting, ""] as const]),
    [
      "again on the same tree",
      counted.length === 0 ? proof : counting,
      "nothing runs",
    ],
  ];
}

const SESSION = "session_20260101_000000_0001";

async function runOnce(
  { verification }: Services,
  asked: Asked,
  visit: number,
): Promise<VerificationRun> {
  const { commands, hash } = await verification.loadCommands();
  const request = { sessionId: SESSION, kind: "verify", visit, commands } as const;
  let state = await verification.runner.start({
    ...request,
    commandsHash: hash,
    tree: "bench",
    ...asked,
  });
  while (state.kind === "running") state = await verification.runner.wait(state.id, 1_000);
  if (state.kind !== "done") throw new Error(`the run is ${state.kind}`);
  return state.run;
}

/** A figure of a run that failed, or that took another way than was asked, would say nothing. */
function expectGreen(
  label: string,
  { results, place }: VerificationRun,
  asked: Asked,
): void {
  const bad = results.find(({ exitCode }) => exitCode !== 0);
  if (bad !== undefined) throw new Error(`${label}: ${bad.outputTail}`);
  if (Object.keys(asked).length > 0 && place?.kind !== "checkout") {
    throw new Error(`${label}: ${JSON.stringify(place)}`);
  }
}

/** Processor time of this process and of those that it started and that have ended, in milliseconds; Linux only. */
async function readCpuMs(): Promise<number> {
  const [text, ticks] = await Promise.all([
    runProgram("cat", [`/proc/${Deno.pid}/stat`], { cwd: "/" }),
    runProgram("getconf", ["CLK_TCK"], { cwd: "/" }),
  ]);
  // Behind the name, which may hold blanks: the times are the 12th to the 15th field.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ").slice(11, 15).map(Number);
  return fields.reduce((sum, field) => sum + field, 0) * 1000 / Number(ticks);
}
