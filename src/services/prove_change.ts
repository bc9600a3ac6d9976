/** Puts together what a proof works with: the repository, the commands that somebody allowed, tests near the change, features. */
import { SYSTEM_CLOCK } from "../base/clock.ts";
import type { Seal } from "../base/files/seal.ts";
import { CodeIntelError } from "../base/errors.ts";
import { makeProblem } from "../base/problem.ts";
import type {
  ProjectCommands,
  ProjectVerification,
} from "../evidence/runs/project_verification.ts";
import { makeUntrustedProblem } from "../evidence/runs/project_verification.ts";
import type { CodeIndex } from "../index/index_api.ts";
import { createTrees } from "../ledger/trees.ts";
import { chooseVerify } from "../project/setup/start_fault.ts";
import { createUseApart } from "../prove/checkout_use.ts";
import { NO_MEMORY, openProofMemory } from "../prove/proof_memory.ts";
import { prove } from "../prove/prove.ts";
import { readChange } from "../prove/read_change.ts";
import { ProjectPaths } from "../workflow/context/project_paths.ts";
import type { Extension } from "./extension.ts";
import { askFeatures } from "./extension.ts";
import type { ProjectParts } from "./services_api.ts";
import type { ProveAnswer, ProveRequest } from "./prove_api.ts";
import type { WorkflowDeps } from "../workflow/context/deps.ts";
import type { ListProject } from "./project_files.ts";

/** What it is built from. */
export interface ProveParts {
  readonly parts: ProjectParts;
  readonly verification: ProjectVerification;
  readonly tests: Pick<WorkflowDeps, "findNearTests" | "findSeenTests">;
  readonly features: readonly Extension[];
  readonly seal: Seal;
  readonly index: Pick<CodeIndex, "sync">;
  readonly listFiles: ListProject;
}

/** Proves a change of the project. */
export async function proveChange(built: ProveParts, request: ProveRequest): Promise<ProveAnswer> {
  const { parts: { projectRoot, stateDir, openRepo, settings }, verification, tests } = built;
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
  const found = await loadCommands(built);
  if (found.faults.length > 0) return { kind: "refused", problems: found.faults };
  const asked = { ...request, about: "prove" };
  if (!found.isTrusted && await verification.askToAllow(found, asked) !== "answered") {
    return { kind: "refused", problems: [makeUntrustedProblem(found)] };
  }
  const { change } = read;
  const memory = stateDir === null
    ? NO_MEMORY
    : openProofMemory({ stateDir, seal: built.seal, clock: SYSTEM_CLOCK });
  const commands = found.commands.map(({ name, run }) => ({ name, run }));
  const key = { base: change.base, tree: change.tree, commandsHash: found.hash };
  const kept = request.isAnew === true ? null : await memory.readProof(key);
  if (kept !== null) return { kind: "proof", proof: kept.proof, change, commands, keptAt: kept.at };
  const paths = new ProjectPaths(projectRoot, repo.worktree);
  const { findNearTests, findSeenTests } = tests;
  await fillIndex(built, request);
  const proof = await prove({
    ...request,
    ...{ repo, trees, paths, change, found, verification, memory, projectRoot, stateDir },
    findNearTests,
    clock: SYSTEM_CLOCK,
    planWrongVersions: async ({ commands, seconds }) => {
      const use = createUseApart(verification, found);
      const planned = await askFeatures(built.features, "planMutants")?.({
        ...{ commands, seconds, repo, findNearTests, findSeenTests, isGate: false, useApart: use },
        base: change.base,
        changed: change.files.map(({ path }) => path),
        checkout: { tree: change.tree, isSure: true, use: use({ tree: change.tree, commands }) },
        toProject: (path) => paths.toProject(path),
      });
      return planned?.mutants ?? null;
    },
  });
  await memory.saveProof(key, proof);
  return { kind: "proof", proof, change, commands };
}

/** The configured commands; where there are none, those that the project itself shows. */
async function loadCommands(
  { verification, parts, listFiles }: ProveParts,
): Promise<ProjectCommands> {
  const found = await verification.loadCommands();
  if (found.commands.length > 0 || found.faults.length > 0) return found;
  const files = await listFiles();
  const { verify } = await chooseVerify({
    root: parts.projectRoot,
    path: parts.get("PATH") ?? "",
    files,
    startDir: "",
  });
  const rows = verify.map(({ name, run }) => ({ name, run, timeout_s: 1_800 }));
  return await verification.loadCommands({ ...await verification.readSettings(), verify: rows });
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
