/** Says how step 15 proves the work of a session: by the checks of a proof, on the tree that would be committed. */
import type { TreePath } from "../../base/paths.ts";
import { clipLine } from "../../base/text/clip.ts";
import { omitUndefined } from "../../base/text/json_record.ts";
import type {
  CheckedResults,
  CommandRuns,
  RunCheckout,
  VerificationRequest,
  VerificationRun,
} from "../../evidence/runs/verification.ts";
import type { ProjectCommands } from "../../evidence/runs/project_verification.ts";
import type { VerifyCommand } from "../../evidence/runs/verify_commands.ts";
import { readHead, readTree } from "../../git/repository.ts";
import { buildCommitTree } from "../../git/trees/commit_tree.ts";
import type { SessionState } from "../../phase/state.ts";
import type { ProofWords } from "../../phase/check_findings.ts";
import { CONDITIONS } from "../../phase/table/conditions.ts";
import { hasBranchFlow } from "../../phase/table/flags.ts";
import type { CheckInput } from "../../prove/check_input.ts";
import { createUse } from "../../prove/checkout_use.ts";
import { runChecks } from "../../prove/checks.ts";
import { findRun } from "../../prove/check_runs.ts";
import type { Proof } from "../../prove/verdict.ts";
import { buildProof, listForms, readTestProof } from "../../prove/verdict.ts";
import type { SessionSettings } from "../context/deps.ts";
import type { SessionContext } from "../context/sessions.ts";

/** What a run is about. */
export interface ChecksPlanInput {
  readonly state: SessionState;
  readonly settings: Pick<SessionSettings, "mutants">;
  readonly found: ProjectCommands;
  readonly commands: readonly VerifyCommand[];
  /** Tree of the worktree. */
  readonly tree: string;
  /** Files that the session changed, relative to the worktree; none for the untouched tree. */
  readonly changed: readonly TreePath[];
  /** The run on the untouched tree, where it is known. */
  readonly baseline?: VerificationRun | undefined;
}

/** What is asked of the run: the checks of a proof, or in flows that commit nothing the commands alone. */
export async function planChecks(
  context: SessionContext,
  input: ChecksPlanInput,
): Promise<Partial<VerificationRequest>> {
  const { baseline } = input;
  const [checkout, change] = [await planCheckout(context, input), await readWork(context, input)];
  const asked = { ...input, project: context };
  const { coverage } = await context.deps.addition("planCoverage")?.(asked) ?? {};
  if (checkout !== undefined && change !== null) {
    return { check: (runs) => checkWork(context, { ...input, checkout, change, coverage }, runs) };
  }
  return omitUndefined({ checkout, coverage, before: baseline?.results });
}

/** The work as a commit would have it, beside what the branch had before; null where nothing is committed. */
async function readWork(
  context: SessionContext,
  input: ChecksPlanInput,
): Promise<CheckInput["change"] | null> {
  const { repo, trees } = context;
  if (!hasBranchFlow(input.state) || input.changed.length === 0) return null;
  const { commit } = await readHead(repo);
  const tree = await buildCommittedTree(context, input);
  if (commit === null || tree === null) return null;
  const base = await readTree(repo, input.state.workspace.cleanTree ?? commit);
  const files = await trees.changes(base, tree);
  // Work that takes back what the person changed leaves nothing to commit.
  return files.length === 0 ? null : { base, tree, files, isInWorktree: true };
}

interface PlannedWork extends ChecksPlanInput {
  readonly change: CheckInput["change"];
  readonly checkout: RunCheckout | string;
  readonly coverage: VerificationRequest["coverage"];
}

async function checkWork(
  { repo, trees, paths, deps }: SessionContext,
  { state, found, commands, baseline, settings, change, checkout, coverage }: PlannedWork,
  runs: CommandRuns,
): Promise<CheckedResults> {
  const { workspace: { commits, mergeParent }, risk } = state;
  const { when, seconds, gate } = settings.mutants;
  // A commit of the session has changed the branch: HEAD has no sources of before it any more.
  const isFirst = commits.length === 0 && mergeParent === null;
  const isProven = isFirst && found.checkout === "auto" &&
    !CONDITIONS.skips_exploration.holds(state);
  const isTried = when === "always" || (when === "high" && risk === "HIGH");
  const { facts, checks } = await runChecks({
    ...{ repo, trees, paths, change, found, commands, runs, checkout, coverage },
    verification: deps.verification,
    memory: rememberBaseline(baseline),
    runsBase: isFirst && found.checkout === "auto" && found.baseline !== "off",
    leftOut: {
      ...(isProven ? {} : { changed_tests: "no clean checkout of the sources of before is made" }),
      ...(isTried ? {} : { wrong_versions: "the settings do not ask for them" }),
    },
    findNearTests: deps.findNearTests,
    trial: { seconds, isGate: gate },
    planWrongVersions: async (planned) => {
      const { findSeenTests } = deps;
      const { mutants } = await deps.addition("planMutants")?.({ ...planned, findSeenTests }) ?? {};
      return mutants ?? null;
    },
    withinMs: Infinity,
  });
  const { results = [], place, untouched } = findRun(facts) ?? {};
  const forms = [...Map.groupBy(listForms(facts), ({ place }) => place)].map(([place, found]) => ({
    id: `form ${place}`,
    what: found.map(({ what }) => what).join("; "),
  }));
  return {
    results,
    ...facts.commands === undefined ? { isNearest: true } : {},
    ...omitUndefined({
      place,
      untouched,
      tests: readTestProof(facts),
      forms: forms.length === 0 ? undefined : forms,
      mutants: facts.wrongVersions,
      said: sayProof(buildProof(facts, checks)),
    }),
  };
}

const MOST_FINDINGS = 5;
const FINDING_CHARS = 160;

/** The verdict in the words of a proof; failures are told with their commands. */
function sayProof({ verdict, line, findings, checks }: Proof): ProofWords {
  const told = findings.filter(({ weight }) => weight !== "breaks").slice(0, MOST_FINDINGS)
    .map(({ place, what }) => clipLine(`${place}: ${what}`, FINDING_CHARS));
  const costs = checks.map(({ name, state, seconds }) => ({ name, state, seconds }));
  return { isProven: verdict === "proven", line, findings: told, checks: costs };
}

/** What is known of the untouched tree: the run that was made of it at the start. */
function rememberBaseline(baseline: VerificationRun | undefined): CheckInput["memory"] {
  const isOf = ({ name, run }: VerifyCommand) =>
    baseline?.results.some((one) => one.name === name && one.run.join("\0") === run.join("\0"));
  return {
    readResults: (_, commands) =>
      Promise.resolve(baseline !== undefined && commands.every(isOf) ? baseline.results : null),
    saveResults: () => Promise.resolve(),
  };
}

/** The checkout of what the session would commit now; undefined for flows that commit nothing. */
async function planCheckout(
  context: SessionContext,
  input: ChecksPlanInput,
): Promise<RunCheckout | string | undefined> {
  const { state, found, commands, baseline, changed } = input;
  if (!hasBranchFlow(state)) return undefined;
  if (found.checkout === "off") return "Clean checkouts are switched off (verify_checkout).";
  const writer = commands.find(({ writes }) => writes.length > 0);
  if (writer !== undefined) {
    return `"${writer.name}" writes files of the project, which belong into the worktree (writes).`;
  }
  if (baseline?.place?.kind === "worktree" && baseline.place.differs) {
    return `On the untouched tree: ${baseline.place.why}`;
  }
  const tree = await buildCommittedTree(context, input);
  if (tree === null) return "There is no commit yet.";
  const use = createUse(context.deps.verification, found)({ tree, commands });
  const isKnown = baseline?.place?.kind === "checkout";
  return { tree, use, isSure: isKnown, isUntouched: changed.length === 0 };
}

/** The tree that a commit of the changed files would have; null without a commit. */
async function buildCommittedTree(
  { paths, repo }: Pick<SessionContext, "paths" | "repo">,
  { state, tree, changed }: Pick<ChecksPlanInput, "state" | "tree" | "changed">,
): Promise<string | null> {
  const { workspace } = state;
  const { commit } = await readHead(repo);
  if (commit === null) return null;
  if (changed.length === 0) return await readTree(repo, workspace.cleanTree ?? commit);
  const built = await buildCommitTree(repo, {
    headCommit: commit,
    baselineTree: workspace.baselineTree ?? commit,
    currentTree: tree,
    ...(workspace.cleanTree === null ? {} : { cleanTree: workspace.cleanTree }),
    mergeParent: workspace.mergeParent,
    overlaps: workspace.personOverlaps ?? [],
    paths: changed,
    includePerson: (state.includedPerson ?? []).flatMap(({ path }) => {
      const resolved = paths.toWorktree(path);
      return resolved.kind === "path" ? [resolved.path] : [];
    }),
  });
  // Lines of the session and of the user cannot be distinguished: both are looked at.
  return built.inseparable.length > 0 ? tree : built.tree;
}
