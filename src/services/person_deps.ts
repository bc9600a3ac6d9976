/** What the commands of a person work with: `doctor`, `clean`, `restore` and `uninstall --purge`. */
import { join } from "node:path";
import { SYSTEM_CLOCK } from "../base/clock.ts";
import type { Logger } from "../base/logger.ts";
import type { Reply } from "../base/reply.ts";
import type { SettingsReader } from "../context/settings.ts";
import type { ProjectVerification } from "../evidence/runs/project_verification.ts";
import type { Repository } from "../git/repository.ts";
import type { OpenRepo } from "../git/repository_opener.ts";
import { listOldSnapshots, pruneSnapshots, takeSnapshot } from "../git/lazy.ts";
import type { CleanDeps } from "../project/clean.ts";
import type { CopyDeps } from "../project/copies.ts";
import type { DoctorFacts } from "../project/doctor.ts";
import type { RestoreDeps } from "../project/restore.ts";
import type { PurgeDeps } from "../project/setup/purge_plan.ts";
import { listOldCopies, pruneCopies } from "../project/lazy.ts";
import { findNeededSessions } from "../project/needed_sessions.ts";
import type { Services } from "./services_api.ts";
import type { ProjectParts } from "./project_parts.ts";
import { toDoctorFacts } from "./project_doctor.ts";
import { toProjectIndexDir } from "./index_places.ts";
import type { SessionStore } from "../session/store_api.ts";
import { createRevisionMarks } from "../session/revision_marks.ts";
import type { WorkflowDeps } from "../workflow/context/deps.ts";
import type { Workflow } from "../workflow/workflow_api.ts";
import type { Basis } from "./project_basis.ts";
import type { CodeKnowledge } from "./project_index.ts";

/** What these commands work with. */
export type PersonDeps = Pick<
  Services,
  "doctorFacts" | "cleanDeps" | "purgeDeps" | "restoreDeps" | "openCopyDeps"
>;

/** Puts it together; nothing is opened before a command asks. */
export function createPersonDeps(
  basis: Basis,
  { parts, code, workflow, otherChecks }: {
    readonly parts: ProjectParts;
    readonly code: CodeKnowledge;
    readonly workflow: Workflow;
    readonly otherChecks: DoctorFacts["otherChecks"];
  },
): PersonDeps {
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
    openCopyDeps: () => openCopyDeps({ ...place, ...restoreDeps, ...code.lists }),
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

async function openCopyDeps(
  parts: RestoreDeps & {
    readonly projectRoot: string;
    readonly codeIntelDir: string;
    readonly listWithoutGit: WorkflowDeps["listWithoutGit"];
  },
): Promise<CopyDeps> {
  const { ManifestTrees } = await import("../ledger/manifest_trees.ts");
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
