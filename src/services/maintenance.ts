/** What commands that look after a project work with: `doctor`, `clean`, `snapshots`, `restore` and `uninstall --purge`. */
import type { Repository } from "../git/repository.ts";
import { listRefs } from "../git/repository.ts";
import type { PruneOptions } from "../git/snapshots/snapshot_list.ts";
import { listOldSnapshots, pruneSnapshots } from "../git/snapshots/snapshot_list.ts";
import { join } from "node:path";
import { SYSTEM_CLOCK } from "../base/clock.ts";
import type { Logger } from "../base/logger.ts";
import type { Reply } from "../base/reply.ts";
import type { SettingsReader } from "../context/settings.ts";
import { listUnmet } from "../context/settings.ts";
import type { ProjectVerification } from "../evidence/runs/project_verification.ts";
import { OWN_REFS } from "../git/store_files.ts";
import type { OpenRepo, PrivateRepository } from "../git/private_repository.ts";
import { prunePrivate } from "../git/private_repository.ts";
import { takeSnapshot } from "../git/snapshots/snapshots.ts";
import type { CleanDeps } from "../project/clean.ts";
import type { DoctorFacts } from "../project/doctor.ts";
import type { RestoreDeps } from "../project/restore.ts";
import type { PurgeDeps } from "../project/setup/purge_plan.ts";
import { listOldCopies, pruneCopies } from "../project/copies.ts";
import { findNeededSessions } from "../project/leftovers.ts";
import type { Maintenance, ProjectParts } from "./services_api.ts";
import { toProjectIndexDir } from "./project_files.ts";
import type { SessionStore } from "../session/store_api.ts";
import { RevisionMarks } from "../session/revision_marks.ts";
import type { Workflow } from "../workflow/workflow_api.ts";
import type { Problem } from "../base/problem.ts";
import { say } from "../base/text/words.ts";
import type { Seal } from "../base/files/seal.ts";
import { PROGRAM_NAME, VERSION } from "../base/version.ts";
import type { Backends } from "../backends/detect.ts";
import { ContractFile } from "../workflow/context/contract_file.ts";
import type { ProjectBasis } from "./project_basis.ts";
import type { CodeKnowledge } from "./project_index.ts";

/** Puts it together; nothing is opened before a command asks. */
export function createMaintenance(
  basis: ProjectBasis,
  { parts, code, workflow, otherChecks }: {
    readonly parts: ProjectParts;
    readonly code: CodeKnowledge;
    readonly workflow: Workflow;
    readonly otherChecks: DoctorFacts["otherChecks"];
  },
): Maintenance {
  const { place, openRepo, openUsable, states, settings, store, seal, verification } = basis;
  const git = { ...place, openRepo: openUsable, states, settings, store };
  const restoreDeps = buildRestoreDeps({ ...git, hashTexts: basis.hashTexts });
  return {
    doctorFacts: buildDoctorFacts({
      ...{ ...parts, openRepo, states, store, seal, verification, otherChecks },
      listClosedTexts: () => workflow.listClosedTexts(),
      readIndex: code.readIndexStatus,
      readMeaning: code.readMeaningFacts,
    }),
    cleanDeps: buildCleanDeps({ workflow, ...git, logger: parts.logger }),
    purgeDeps: buildPurgeDeps({ ...parts, verification }),
    restoreDeps,
    copyDeps: {
      projectRoot: place.projectRoot,
      backupDir: join(place.codeIntelDir, "backup"),
      store,
      now: () => SYSTEM_CLOCK.now(),
    },
  };
}

/**
 * Builds what `clean` needs: sessions and files here, branches and snapshots through the workflow
 * and git.
 */
function buildCleanDeps(parts: {
  readonly codeIntelDir: string;
  readonly store: SessionStore;
  readonly workflow: Workflow;
  readonly openRepo: OpenRepo;
  readonly states: PrivateRepository;
  readonly settings: SettingsReader;
  readonly logger: Logger;
}): CleanDeps {
  const { codeIntelDir, store, workflow, openRepo, states, settings, logger } = parts;
  const backupDir = join(codeIntelDir, "backup");
  return {
    codeIntelDir,
    store,
    now: SYSTEM_CLOCK.now(),
    listStaleBranches: async () => {
      if (await openRepo() === null) return [];
      const reply = await workflow.cleanupStaleBranches({ action: "list" });
      return readNames(reply, "branches").map((name) => ({ name, commitCount: null }));
    },
    deleteStaleBranches: async () => {
      if (await openRepo() === null) return { deleted: [], problems: [] };
      const reply = await workflow.cleanupStaleBranches({ action: "delete" });
      const problems = reply.ok ? [] : reply.problems ?? [];
      return { deleted: readNames(reply, "deleted_branches"), problems };
    },
    pruneSnapshots: async (options) => [
      ...await pruneCopies(backupDir, options),
      ...await pruneStates({ openRepo, states }, options),
    ],
    listOldSnapshots: async (options) => {
      const [repo, own] = [await openRepo(), await states.find()];
      return [
        ...await listOldCopies(backupDir, options),
        ...repo === null
          ? []
          : await listOldSnapshots(repo, { ...options, ...buildNeededFinder(repo) }),
        ...own === null ? [] : await listOldSnapshots(own, options),
      ];
    },
    saveEnd: async (sessionId) => {
      const repo = await openStates({ openRepo, states }, sessionId);
      if (repo === null) return;
      const maxFileMb = (await settings.read()).config.values.max_snapshot_mb;
      const at = SYSTEM_CLOCK.now();
      await takeSnapshot(repo, { sessionId, label: "ended by clean", at, maxFileMb });
    },
    noteEnd: async (sessionId) => {
      for (const notice of await workflow.noteCleaned(sessionId)) logger.note(notice);
    },
    loadSnapshotDays: async () => (await settings.read()).config.values.snapshot_days,
  };
}

function buildPurgeDeps({ projectRoot, codeIntelDir, stateDir, openRepo, verification }: {
  readonly projectRoot: string;
  readonly codeIntelDir: string;
  readonly stateDir: string | null;
  readonly openRepo: OpenRepo;
  readonly verification: ProjectVerification;
}): PurgeDeps {
  const { trust } = verification;
  const marks = new RevisionMarks(stateDir, join(codeIntelDir, "sessions"));
  return {
    projectRoot,
    codeIntelDir,
    stateDir,
    openRepo,
    fallbackIndexDir: toProjectIndexDir(stateDir, projectRoot),
    listMarks: () => marks.list(),
    forgetMark: (sessionId) => marks.forget(sessionId),
    countTrust: async () => {
      const [{ entries, modes }, key] = await Promise.all([
        trust.list(),
        verification.readRepositoryKey(),
      ]);
      return [...entries, ...modes].filter(({ repository }) => repository === key).length;
    },
    revokeTrust: async () => await trust.revoke(await verification.readRepositoryKey()),
  };
}

function buildRestoreDeps(parts: {
  readonly openRepo: OpenRepo;
  readonly states: PrivateRepository;
  readonly store: SessionStore;
  readonly settings: SettingsReader;
  readonly hashTexts: RestoreDeps["hashTexts"];
}): RestoreDeps {
  const { store, settings, hashTexts } = parts;
  return {
    openRepo: (sessionId) => openStates(parts, sessionId),
    store,
    now: () => SYSTEM_CLOCK.now(),
    hashTexts,
    loadMaxFileMb: async () => (await settings.read()).config.values.max_snapshot_mb,
  };
}

/** Where the states of files are. */
interface StatePlaces {
  readonly openRepo: OpenRepo;
  readonly states: PrivateRepository;
}

/** The repository that has the states of a session; of none in particular, that of the project if there is one. */
async function openStates(
  { openRepo, states }: StatePlaces,
  sessionId: string | undefined,
): Promise<Repository | null> {
  const [project, own] = [await openRepo(), await states.find()];
  if (project === null || own === null || sessionId === undefined) return project ?? own;
  return (await listRefs(own, `${OWN_REFS}/${sessionId}/`)).size > 0 ? own : project;
}

/** Removes old snapshots, of the project's repository and of the private one; returns the ids of their sessions. */
export async function pruneStates(
  { openRepo, states }: StatePlaces,
  options: PruneOptions,
): Promise<readonly string[]> {
  const repo = await openRepo();
  const pruned = repo === null
    ? []
    : await pruneSnapshots(repo, { ...options, ...buildNeededFinder(repo) });
  const own = await states.find();
  if (own === null) return pruned;
  const removed = await pruneSnapshots(own, options);
  if (removed.length > 0) await prunePrivate(own);
  return [...pruned, ...removed];
}

function buildNeededFinder(repo: Repository) {
  return { findNeeded: (ids: readonly string[]) => findNeededSessions(repo, ids) };
}

function readNames(reply: Reply, field: string): readonly string[] {
  const names = (reply as Readonly<Record<string, unknown>>)[field];
  return Array.isArray(names) ? names.map(String) : [];
}

/**
 * Environment variables that change what the program does and belong to no key of the
 * configuration.
 */
const VARIABLES = [
  "CODE_INTEL_STATE_DIR",
  "CODE_INTEL_CACHE_DIR",
  "CODE_INTEL_RG",
] as const;

/** The parts that `doctor` looks at. */
interface DoctorParts {
  readonly projectRoot: string;
  readonly codeIntelDir: string;
  readonly openRepo: OpenRepo;
  readonly backends: Backends;
  readonly settings: SettingsReader;
  readonly store: SessionStore;
  readonly seal: Seal;
  readonly listClosedTexts: DoctorFacts["listClosedTexts"];
  readonly readIndex: DoctorFacts["readIndex"];
  readonly readMeaning: DoctorFacts["readMeaning"];
  readonly otherChecks: DoctorFacts["otherChecks"];
  readonly verification: ProjectVerification;
  readonly get: (name: string) => string | undefined;
}

/** A problem of a key of `context.yml` with the key before it, because `doctor` shows what many keys say. */
function nameProblem({ at, message, ...problem }: Problem): Problem {
  return { ...problem, message: at === undefined ? message : say`${at}: ${message}` };
}

/** Builds the facts that `doctor` checks; nothing is read before a check asks for it. */
function buildDoctorFacts(parts: DoctorParts): DoctorFacts {
  const { backends, settings, codeIntelDir, verification, get } = parts;
  return {
    ...parts,
    versions: [`${PROGRAM_NAME} ${VERSION}`, `deno ${Deno.version.deno}`],
    readBackends: async () => [await backends.rg()],
    readConfig: async () => {
      const { config, context } = await settings.read();
      const oldDocuments = context.values.essential_docs.summaries.length;
      const unmet = await listUnmet(parts, context.values);
      const problems = [
        ...config.warnings,
        ...context.warnings,
        ...unmet.map(nameProblem),
      ];
      const variables = VARIABLES.filter((name) => get(name) !== undefined);
      return { problems, overrides: config.overrides, variables, oldDocuments };
    },
    readVerify: async () => {
      const { commands, isTrusted } = await verification.loadCommands();
      return { commands, isTrusted };
    },
    readContract: () => new ContractFile(codeIntelDir, null).load(),
  };
}
