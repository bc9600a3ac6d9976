/** What commands that look after a project work with: `doctor`, `clean`, `snapshots`, `restore` and `uninstall --purge`. */
import { join } from "node:path";
import { SYSTEM_CLOCK } from "../base/clock.ts";
import type { Logger } from "../base/logger.ts";
import type { Reply } from "../base/reply.ts";
import type { SettingsReader } from "../context/settings.ts";
import type { ProjectVerification } from "../evidence/runs/project_verification.ts";
import type { Repository } from "../git/repository.ts";
import type { OpenRepo } from "../git/repository_opener.ts";
import { listOldSnapshots, pruneSnapshots, takeSnapshot } from "../git/snapshots/snapshots.ts";
import type { CleanDeps } from "../project/clean.ts";
import type { CopyDeps } from "../project/copies.ts";
import type { DoctorFacts } from "../project/doctor.ts";
import type { RestoreDeps } from "../project/restore.ts";
import type { PurgeDeps } from "../project/setup/purge_plan.ts";
import { listOldCopies, pruneCopies } from "../project/copies.ts";
import { findNeededSessions } from "../project/needed_sessions.ts";
import type { Maintenance } from "./services_api.ts";
import type { ProjectParts } from "./project_parts.ts";
import { toProjectIndexDir } from "./index_places.ts";
import { ManifestTrees } from "../ledger/manifest_trees.ts";
import type { SessionStore } from "../session/store_api.ts";
import { createRevisionMarks } from "../session/revision_marks.ts";
import type { WorkflowDeps } from "../workflow/context/deps.ts";
import type { Workflow } from "../workflow/workflow_api.ts";
import type { Problem } from "../base/problem.ts";
import { say } from "../base/text/words.ts";
import type { Seal } from "../base/files/seal.ts";
import { PROGRAM_NAME, VERSION } from "../base/version.ts";
import type { Backends } from "../backends/detect.ts";
import { listUnmet } from "../context/settings.ts";
import { ContractFile } from "../workflow/context/contract_file.ts";
import type { Basis } from "./project_basis.ts";
import type { CodeKnowledge } from "./project_index.ts";

/** Puts it together; nothing is opened before a command asks. */
export function createMaintenance(
  basis: Basis,
  { parts, code, workflow, otherChecks }: {
    readonly parts: ProjectParts;
    readonly code: CodeKnowledge;
    readonly workflow: Workflow;
    readonly otherChecks: DoctorFacts["otherChecks"];
  },
): Maintenance {
  const { place, openRepo, openUsable, settings, store, seal, verification } = basis;
  const git = { ...place, openRepo: openUsable, settings, store };
  const restoreDeps = toRestoreDeps({ ...git, hashTexts: basis.hashTexts });
  return {
    doctorFacts: toDoctorFacts({
      ...{ ...parts, openRepo, store, seal, verification, otherChecks },
      listClosedTexts: () => workflow.listClosedTexts(),
      readIndex: code.readIndexStatus,
      readMeaning: code.readMeaningFacts,
    }),
    cleanDeps: toCleanDeps({ workflow, ...git, logger: parts.logger }),
    purgeDeps: toPurgeDeps({ ...parts, verification }),
    restoreDeps,
    copyDeps: toCopyDeps({ ...place, ...restoreDeps, ...code.lists }),
  };
}

/**
 * Builds what `clean` needs: sessions and files here, branches and snapshots through the workflow
 * and git.
 */
function toCleanDeps(parts: {
  readonly codeIntelDir: string;
  readonly store: SessionStore;
  readonly workflow: Workflow;
  readonly openRepo: OpenRepo;
  readonly settings: SettingsReader;
  readonly logger: Logger;
}): CleanDeps {
  const { codeIntelDir, store, workflow, openRepo, settings, logger } = parts;
  const backupDir = join(codeIntelDir, "backup");
  return {
    codeIntelDir,
    store,
    now: SYSTEM_CLOCK.now(),
    listStaleBranches: async () => {
      if (await openRepo() === null) return [];
      const reply = await workflow.cleanupStaleBranches({ action: "list" });
      return toNames(reply, "branches").map((name) => ({ name, commitCount: null }));
    },
    deleteStaleBranches: async () => {
      if (await openRepo() === null) return { deleted: [], problems: [] };
      const reply = await workflow.cleanupStaleBranches({ action: "delete" });
      const problems = reply.ok ? [] : reply.problems ?? [];
      return { deleted: toNames(reply, "deleted_branches"), problems };
    },
    pruneSnapshots: async (options) => {
      const repo = await openRepo();
      const copies = await pruneCopies(backupDir, options);
      if (repo === null) return copies;
      return [...copies, ...await pruneSnapshots(repo, { ...options, ...toNeeded(repo) })];
    },
    listOldSnapshots: async (options) => {
      const repo = await openRepo();
      const copies = await listOldCopies(backupDir, options);
      if (repo === null) return copies;
      return [...copies, ...await listOldSnapshots(repo, { ...options, ...toNeeded(repo) })];
    },
    saveEnd: async (sessionId) => {
      const repo = await openRepo();
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

function toPurgeDeps({ projectRoot, codeIntelDir, stateDir, openRepo, verification }: {
  readonly projectRoot: string;
  readonly codeIntelDir: string;
  readonly stateDir: string | null;
  readonly openRepo: OpenRepo;
  readonly verification: ProjectVerification;
}): PurgeDeps {
  const { trust } = verification;
  const marks = createRevisionMarks(stateDir, join(codeIntelDir, "sessions"));
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

function toRestoreDeps(parts: {
  readonly openRepo: OpenRepo;
  readonly store: SessionStore;
  readonly settings: SettingsReader;
  readonly hashTexts: RestoreDeps["hashTexts"];
}): RestoreDeps {
  const { openRepo, store, settings, hashTexts } = parts;
  return {
    openRepo,
    store,
    now: () => SYSTEM_CLOCK.now(),
    hashTexts,
    loadMaxFileMb: async () => (await settings.read()).config.values.max_snapshot_mb,
  };
}

function toCopyDeps(
  parts: RestoreDeps & {
    readonly projectRoot: string;
    readonly codeIntelDir: string;
    readonly listWithoutGit: WorkflowDeps["listWithoutGit"];
  },
): CopyDeps {
  const { projectRoot, listWithoutGit: listFiles } = parts;
  const backupDir = join(parts.codeIntelDir, "backup");
  const manifests = new ManifestTrees({ root: projectRoot, backupDir, listFiles });
  return { ...parts, backupDir, manifests };
}

function toNeeded(repo: Repository) {
  return { findNeeded: (ids: readonly string[]) => findNeededSessions(repo, ids) };
}

function toNames(reply: Reply, field: string): readonly string[] {
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
function toNamed({ at, message, ...problem }: Problem): Problem {
  return { ...problem, message: at === undefined ? message : say`${at}: ${message}` };
}

/** Builds the facts that `doctor` checks; nothing is read before a check asks for it. */
function toDoctorFacts(parts: DoctorParts): DoctorFacts {
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
        ...unmet.map(toNamed),
      ];
      const variables = VARIABLES.filter((name) => get(name) !== undefined);
      const { chunk_strategy: chunks } = config.values;
      return { problems, overrides: config.overrides, variables, oldDocuments, chunks };
    },
    readVerify: async () => {
      const { commands, isTrusted } = await verification.loadCommands();
      return { commands, isTrusted };
    },
    readContract: () => new ContractFile(codeIntelDir, null).load(),
  };
}
