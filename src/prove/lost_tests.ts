/** Finds tests that ran on the tree of before and do not run with the change: where the files give reason to look, and twice. */
import type { CommandJudgement, LostTests, RunVerdict } from "../evidence/runs/judge_run.ts";
import { isClean, judgeRun } from "../evidence/runs/judge_run.ts";
import type { RunPurpose } from "../evidence/runs/verification.ts";
import type { VerifyCommand } from "../evidence/runs/verify_commands.ts";
import { readTests } from "../evidence/tests/read_tests.ts";
import { maySteer } from "../evidence/tests/runner_settings.ts";
import { without } from "../base/without.ts";
import { languageOfPath } from "../language/languages.ts";
import { isTestSide, parseTestName } from "../language/test_names.ts";
import { compileTitle } from "../phase/contract/named_tests.ts";
import { nameTests } from "../runners/narrow_run.ts";
import type { CheckContext } from "./check_input.ts";
import type { JudgedRun, ProofFacts } from "./verdict.ts";

type Rows = JudgedRun["results"];

/** The verdict with those lost tests that a second run lacks too, and with those of a base that had not run yet. */
export async function settleLost(
  context: CheckContext,
  facts: ProofFacts,
  { check, commands, old, results, verdict }: {
    readonly check: "nearest" | "commands";
    readonly commands: readonly VerifyCommand[];
    readonly old: readonly VerifyCommand[];
    readonly results: Rows;
    readonly verdict: RunVerdict;
  },
): Promise<RunVerdict> {
  const { runsBase, memory, runs, useApart, change: { base, tree } } = context;
  if (!runsBase || runs.isEnded()) return verdict;
  const isLost = verdict.commands.some(({ lost }) => lost.length > 0);
  const isAsked = results.length > 0 && results.every(isClean) &&
    await maySomeBeLost(context, facts, check, results);
  if (!isLost && !isAsked) return verdict;
  const run = async (of: string, wanted: readonly VerifyCommand[], purpose: RunPurpose) =>
    await useApart({ tree: of, commands: wanted })(async (made) =>
      typeof made === "string" ? [] : await runs.runBeside(made, wanted, purpose)
    );
  const name = (wanted: readonly VerifyCommand[]) =>
    wanted.map((command) =>
      results.some((one) => one.name === command.name && one.report?.names !== undefined)
        ? command
        : { ...command, run: nameTests(command.run) }
    );
  const [asked, askedBefore] = [name(commands), name(old)];
  const isSame = asked.every(({ run }, at) => run === commands[at]?.run);
  const now = isSame ? results : await run(tree, asked, "once more");
  const then = await memory.readResults(base, askedBefore) ??
    await run(base, askedBefore, "on the untouched tree");
  if (then.length === 0) return verdict;
  await memory.saveResults(base, askedBefore, then);
  const first = judgeRun({ baseline: then, run: now });
  if (first.commands.every(({ lost }) => lost.length === 0)) return setLost(verdict, first, first);
  const again = judgeRun({ baseline: then, run: await run(tree, asked, "once more") });
  return setLost(verdict, first, again);
}

/** A verdict with what two runs lost both. */
function setLost(verdict: RunVerdict, first: RunVerdict, again: RunVerdict): RunVerdict {
  const find = ({ commands }: RunVerdict, wanted: string) =>
    commands.find(({ name }) => name === wanted)?.lost ?? [];
  const join = ({ name }: CommandJudgement) =>
    find(first, name).flatMap(({ kind, tests }): readonly LostTests[] => {
      const others = find(again, name).filter((one) =>
        (one.kind === "fewer") === (kind === "fewer")
      )
        .flatMap((one) => one.tests);
      const both = kind === "fewer" && others.length > 0
        ? others
        : tests.filter((test) => others.includes(test));
      return both.length === 0 ? [] : [{ kind, tests: both }];
    });
  return {
    ...verdict,
    commands: verdict.commands.map((command) => ({ ...command, lost: join(command) })),
  };
}

/**
 * Whether the base has to run: something on the side of the tests was changed, and not only by tests that came while all
 * of before are named. What may change all tests is looked for by the commands alone.
 */
async function maySomeBeLost(
  context: CheckContext,
  { weakened = [], nearest }: ProofFacts,
  check: "nearest" | "commands",
  results: Rows,
): Promise<boolean> {
  const { change: { base, tree, files }, trees, paths } = context;
  const isSteering = await Promise.all(files.map(async ({ path, from, kind }) => {
    if (maySteer(path)) {
      return kind !== "modified" ||
        weakened.some(({ id }) => id === `runner_changed ${paths.toProject(path)}`);
    }
    const isHelper = isTestSide(path) && languageOfPath(path)?.nature === "code" &&
      kind !== "added";
    const before = isHelper ? await trees.readText(base, from ?? path) ?? "" : "";
    return isHelper && (await readTests(path, before)).tests.length === 0;
  }));
  if (isSteering.includes(true)) return check === "commands";
  const tests = files.filter(({ path, from }) => parseTestName(from ?? path) !== null);
  if (tests.length === 0 || (check === "commands" && nearest !== undefined)) return false;
  const names = results.flatMap(({ report }) =>
    report ? [...report.names?.passed ?? [], ...report.failures.map(({ name }) => name)] : []
  );
  if (results.some(({ report }) => report && report.names === undefined)) return true;
  const near = (await context.listNear()).all.flatMap((path) => {
    const found = paths.toWorktree(path as Parameters<typeof paths.toWorktree>[0]);
    return found.kind === "path" ? [{ path: found.path, from: undefined, kind: "near" }] : [];
  });
  for (const { path, from, kind } of [...tests, ...near]) {
    const before = kind === "added" ? null : await trees.readText(base, from ?? path);
    if (before === null) continue;
    const after = kind === "deleted" ? "" : await trees.readText(tree, path) ?? "";
    const rows = (text: string) => text.split("\n").map((line) => line.trim());
    if (without(rows(before), rows(after), (row) => row).length > 0) return true;
    const known = (await readTests(path, before)).tests;
    const isHidden = known.some((test) =>
      test.name !== null && !test.isOff &&
      !names.some((one) => compileTitle(test.name ?? "").test(one))
    );
    if (isHidden) return true;
  }
  return false;
}
