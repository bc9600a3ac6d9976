/** Puts together what a proof works with: the repository, the commands that somebody allowed, tests near the change, features. */
import { SYSTEM_CLOCK } from "../base/clock.ts";
import type { Seal } from "../base/files/seal.ts";
import { CodeIntelError } from "../base/errors.ts";
import type { TreePath } from "../base/paths.ts";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import type {
  ProjectCommands,
  ProjectVerification,
} from "../evidence/runs/project_verification.ts";
import { readSteering } from "../evidence/runs/run_environment.ts";
import { makeUntrustedProblem } from "../evidence/runs/project_verification.ts";
import type { CodeIndex } from "../index/index_api.ts";
import { createTrees } from "../ledger/trees.ts";
import { NO_MEMORY, openProofMemory } from "../prove/proof_memory.ts";
import type { VerifyCommand } from "../evidence/runs/verify_commands.ts";
import { selectCommands } from "../evidence/runs/verify_commands.ts";
import type { Repository } from "../git/repository.ts";
import { readTree } from "../git/repository.ts";
import { readBlobText } from "../git/trees/changes.ts";
import { applyAnswers, parseAnswers } from "../prove/answers.ts";
import type { ProveInput } from "../prove/prove.ts";
import { prove } from "../prove/prove.ts";
import type { NamedChange } from "../prove/read_change.ts";
import type { Proof } from "../prove/verdict.ts";
import { IS_RARE } from "../prove/verdict.ts";
import type { Learning } from "../workflow/context/learning.ts";
import { readChange } from "../prove/read_change.ts";
import { ProjectPaths } from "../workflow/context/project_paths.ts";
import type { Extension } from "./extension.ts";
import { askFeatures } from "./extension.ts";
import type { ProjectParts } from "./services_api.ts";
import type { ProveAnswer, ProveRequest, SavedRuns, TrustedProofs } from "./prove_api.ts";
import type { WorkflowDeps } from "../workflow/context/deps.ts";
import { loadShownCommands } from "./shown_commands.ts";

/** What it is built from. */
export interface ProveParts {
  readonly parts: ProjectParts;
  readonly verification: ProjectVerification;
  readonly tests: Pick<WorkflowDeps, "findNearTests" | "findSeenTests">;
  readonly features: readonly Extension[];
  readonly openLearning: () => Promise<Learning>;
  readonly seal: Seal;
  readonly index: Pick<CodeIndex, "sync">;
}

/** Proves a change of the project. */
export async function proveChange(built: ProveParts, request: ProveRequest): Promise<ProveAnswer> {
  const { parts: { projectRoot, stateDir, openRepo, settings }, verification } = built;
  const repo = await openRepo();
  if (repo === null) {
    const problem = makeProblem("git_missing", "There is no git repository: nothing to compare", {
      hint: "Run git init and commit once; a proof compares two states.",
    });
    return { kind: "refused", problems: [problem] };
  }
  const trees = createTrees(repo);
  const maxFileMb = (await settings.read()).config.values.max_snapshot_mb;
  const read = await readChange({ repo, trees }, request.change, { maxFileMb });
  if (read.kind === "refused") return { kind: "refused", problems: [read.problem] };
  const found = await loadShownCommands(built);
  if (found.faults.length > 0) return { kind: "refused", problems: found.faults };
  const { change } = read;
  const refusal = await refuseAsked(built, request, change) ??
    await refuseUntrusted(verification, found, request);
  if (refusal !== null) return { kind: "refused", problems: [refusal] };
  // What a job takes from others is not to be remembered as proven here.
  const memory = stateDir === null || request.job !== undefined
    ? NO_MEMORY
    : openProofMemory({ stateDir, seal: built.seal, clock: SYSTEM_CLOCK });
  const commands = found.commands.map(({ name, run }) => ({ name, run }));
  const key = { base: change.base, tree: change.tree, commandsHash: found.hash };
  const paths = new ProjectPaths(projectRoot, repo.worktree);
  const input = { repo, trees, paths, change, found, verification, memory, projectRoot, stateDir };
  const about = { change, found, projectRoot };
  const job = request.job === undefined ? null : {
    ...about,
    signers: await readSigners(repo, change),
  };
  const trusted = job && await askFeatures(built.features, "readProofs")?.(repo, job) || null;
  const own = request.isAnew === true ? null : await memory.readProof(key);
  const made = own ?? await makeProof(built, request, { ...input, trusted });
  const applying = selectCommands(
    found.commands,
    change.files.map(({ path }) => paths.toProject(path)),
  );
  if (own === null && made.at === null) await memory.saveProof(key, made.proof);
  const { proof, problems } = await answerProof(made.proof, request, { ...input, trusted });
  if (problems.length > 0) return { kind: "refused", problems };
  if (request.job === undefined) await noteCost(built, change, proof);
  const answer: ProveAnswer = {
    ...{ kind: "proof", proof, change, commands },
    ...(made.at === null ? {} : { keptAt: made.at }),
    ...(trusted === null ? {} : { saved: countSaved(trusted, made.proof, applying) }),
  };
  if (request.isNoted !== true) return answer;
  const results = await memory.readResults(change.tree, applying) ?? [];
  const at = made.at ?? SYSTEM_CLOCK.now().toISOString();
  const kept = { ...about, proof, results, at };
  const note = await askFeatures(built.features, "keepProof")?.(repo, kept);
  return note === undefined ? answer : { ...answer, note };
}

/** The proof with what was said to its findings, now, before, or in a statement. */
async function answerProof(
  proof: Proof,
  { answers = [], asker }: ProveRequest,
  { memory, change: { tree }, trusted }: Pick<ProveInput, "memory" | "change"> & {
    readonly trusted: TrustedProofs | null;
  },
): Promise<{ readonly proof: Proof; readonly problems: readonly Problem[] }> {
  const by = asker.isTyped === true ? "person" : "agent";
  const said = parseAnswers(answers, proof, { by, at: SYSTEM_CLOCK.now().toISOString() });
  if (said.problems.length > 0) return { proof, problems: said.problems };
  const kept = await memory.readAnswers(tree);
  await memory.addAnswers(tree, said.answers);
  const all = [...trusted?.answers ?? [], ...kept, ...said.answers];
  return { proof: applyAnswers(proof, all), problems: [] };
}

/** Proves anew what no statement covers; `at` is the time of the statement that covers all, else null. */
async function makeProof(
  built: ProveParts,
  request: ProveRequest,
  { trusted, ...input }:
    & Pick<
      ProveInput,
      | "repo"
      | "trees"
      | "change"
      | "found"
      | "verification"
      | "memory"
      | "projectRoot"
      | "stateDir"
    >
    & { readonly paths: ProjectPaths; readonly trusted: TrustedProofs | null },
): Promise<{ readonly proof: Proof; readonly at: string | null }> {
  const { findNearTests, findSeenTests } = built.tests;
  const rare = request.isAnew === true ? new Set<string>() : await listRare(built);
  const perform = async (withinMs: number) =>
    await prove({
      ...{ ...request, ...input, findNearTests, clock: SYSTEM_CLOCK, withinMs, rare },
      attested: trusted?.results ?? [],
      planWrongVersions: async (planned) => {
        const plan = askFeatures(built.features, "planMutants");
        return (await plan?.({ ...planned, findSeenTests }))?.mutants ?? null;
      },
    });
  // What the change itself shows is looked at whatever a statement says: it costs a moment.
  const isCovered = trusted?.whole &&
    (await perform(0)).findings.every(({ weight }) => weight === "notes");
  if (isCovered) return { proof: trusted.whole, at: trusted.at };
  await fillIndex(built, request);
  return { proof: await perform(request.withinMs), at: null };
}

/** Checks that have not paid here and are passed over this time. */
async function listRare({ openLearning }: ProveParts): Promise<ReadonlySet<string>> {
  const prices = await (await openLearning()).readPrices();
  return new Set(prices.flatMap(({ name, isPassedOver }) => isPassedOver ? [name] : []));
}

/** Keeps what a proof cost. */
async function noteCost(
  { openLearning }: ProveParts,
  { base, tree, files }: NamedChange,
  { checks, findings }: Proof,
): Promise<void> {
  if (files.length === 0) return;
  await (await openLearning()).noteProof({
    ...{ base, tree, findings, by: "prove", at: SYSTEM_CLOCK.now().toISOString() },
    checks: checks.map((one) => one.why === IS_RARE ? { ...one, state: "rare" } : one),
  });
}

/** Refuses statements where nothing can write or read them, or the change is none that others have. */
function refuseAsked(
  { features, parts: { stateDir } }: ProveParts,
  { isNoted = false, job }: ProveRequest,
  change: NamedChange,
): Problem | null {
  if (!isNoted && job === undefined) return null;
  if (isNoted && job !== undefined) {
    return makeProblem("one_of_both", "A job states nothing: --ci and --note exclude each other", {
      at: "--note",
      hint: "Write the note where the tests ran: code-intel prove --commit HEAD --note",
    });
  }
  const [steering] = isNoted ? Object.keys(readSteering()) : [];
  if (steering !== undefined) {
    return makeProblem("steered_runs", `${steering} is set, which changes what test runners do`, {
      at: "--note",
      hint: `A statement is for others, who run without it: env -u ${steering} code-intel prove …`,
    });
  }
  if (askFeatures(features, "keepProof") === undefined || stateDir === null) {
    return makeProblem("not_available", "There are no statements about proofs here", {
      hint: "It needs the feature attest and a home folder; leave the option out.",
    });
  }
  if (job !== undefined && change.namedBase === null) {
    return makeProblem("range_missing", "--ci needs a range, whose base has the allowed signers", {
      at: "--ci",
      hint: "Name the target branch: code-intel prove --ci origin/main...HEAD",
    });
  }
  return change.commit !== null ? null : makeProblem("not_committed", "Only a commit is stated", {
    at: "--note",
    hint: "Commit, then: code-intel prove --commit HEAD --note",
  });
}

/** Fewer digits of a hash would be guessable. */
const LEAST_DIGITS = 12;

/** Null where the commands may run: a person allowed them, or allows them now, or the job names them. */
async function refuseUntrusted(
  verification: ProjectVerification,
  found: ProjectCommands,
  { asker, signal, job }: ProveRequest,
): Promise<Problem | null> {
  const isNamed = job?.allowed.some((one) =>
    one === "all" || (one.length >= LEAST_DIGITS && found.hash.startsWith(one.toLowerCase()))
  );
  if (found.isTrusted || isNamed) return null;
  const told = await verification.askToAllow(found, { asker, signal, about: "prove" });
  if (told === "answered") return null;
  const problem = makeUntrustedProblem(found);
  return job === undefined ? problem : {
    ...problem,
    hint:
      `Look at the commands and at what they run, then name them: --allow-commands ${found.hash}; \`all\` lets a job run whatever the change names.`,
  };
}

/** Where a project keeps the keys whose statements count, from the top of the worktree. */
const SIGNER_FILES = [
  ".code-intel/allowed_signers",
  ".github/allowed_signers",
  ".gitlab/allowed_signers",
];

/** The allowed signers of the named base: a change does not say who may vouch for it. */
async function readSigners(repo: Repository, { namedBase }: NamedChange): Promise<string | null> {
  if (namedBase === null) return null;
  const tree = await readTree(repo, namedBase);
  for (const path of SIGNER_FILES) {
    const text = await readBlobText(repo, tree, path as TreePath);
    if (text !== null) return text;
  }
  return null;
}

/** What did not have to run: by a whole proof all of its checks, else the commands that a statement covers. */
function countSaved(
  { whole, results, signer, refused }: TrustedProofs,
  proof: Proof,
  applying: readonly VerifyCommand[],
): SavedRuns {
  const covered = results.filter(({ name }) => applying.some((one) => one.name === name));
  const milliseconds = covered.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const seconds = proof === whole
    ? whole.checks.reduce((sum, check) => sum + check.seconds, 0)
    : milliseconds / 1_000;
  const commands = covered.map(({ name }) => name);
  return { seconds: Math.round(seconds * 10) / 10, commands, signer, refused };
}

/** The longest wait for an index without which no test is known to be near, as a part of the whole time. */
const INDEX_SHARE = 1 / 4;
const MOST_INDEX_MS = 30_000;

/** Reads what the index lacks, within its time; without an index all tests are as near. */
async function fillIndex(
  { index }: Pick<ProveParts, "index">,
  { withinMs, signal }: Pick<ProveRequest, "withinMs" | "signal">,
): Promise<void> {
  const budgetMs = Math.min(MOST_INDEX_MS, withinMs * INDEX_SHARE);
  await index.sync({ signal, budgetMs }).catch((failure) => {
    if (!(failure instanceof CodeIntelError) || failure.code === "cancelled") throw failure;
  });
}
