/** The composition root: the interface `Services`, and the function that builds the real ones. */
import { join } from "node:path";
import { DAY_MS, SYSTEM_CLOCK } from "../base/clock.ts";
import type { Analyser } from "../analysis/mod.ts";
import type { Logger } from "../base/logger.ts";
import type { Reply } from "../base/reply.ts";
import { createBackends } from "../backends/mod.ts";
import type { StatementStore } from "../attest/mod.ts";
import type { DocumentList, SettingsReader } from "../context/mod.ts";
import type { ProjectVerification } from "../evidence/mod.ts";
import type { OpenRepo, Repository } from "../git/mod.ts";
import { listOldSnapshots, pruneSnapshots, takeSnapshot } from "../git/mod.ts";
import type { PastReader, RepositoryHistory } from "../history/mod.ts";
import { createPastReader } from "../history/mod.ts";
import type { CodeIndex } from "../index/mod.ts";
import type { ImpactAnalyzer } from "../impact/mod.ts";
import type { Learning } from "../learning/mod.ts";
import { createLearning, createSymbolFinder } from "../learning/mod.ts";
import type { CleanDeps, CopyDeps, DoctorFacts, PurgeDeps, RestoreDeps } from "../project/mod.ts";
import { findNeededSessions, listOldCopies, pruneCopies } from "../project/mod.ts";
import { createBranchReader } from "./branch_reader.ts";
import { createBasis } from "./project_basis.ts";
import { toDoctorFacts } from "./project_doctor.ts";
import { toProjectIndexDir } from "./index_places.ts";
import { createCodeKnowledge, syncOnStart } from "./project_index.ts";
import type { AskMap, Explorer, MeaningSearch } from "../explore/mod.ts";
import type { RequestPast } from "./request_past.ts";
import { createRequestPast } from "./request_past.ts";
import { createSessionParts } from "./session_parts.ts";
import { createProjectWorkspace } from "./project_workspace.ts";
import type { ReportSource } from "../report/mod.ts";
import { createReportSource } from "../report/mod.ts";
import { createDependentsFinder } from "./report_dependents.ts";
import type { FactStore } from "../resolve/mod.ts";
import type { SessionStore } from "../session/mod.ts";
import type { Share } from "../share/mod.ts";
import { createRevisionMarks } from "../session/mod.ts";
import type { Workspace } from "../workspace/mod.ts";
import type { Workflow, WorkflowDeps, WorkflowSettings } from "../workflow/mod.ts";
import { createWorkflow } from "../workflow/mod.ts";

/** Everything that tools and commands use beside their input; there is no ambient state. */
export interface Services {
  /** Absolute path of the project. */
  readonly projectRoot: string;
  readonly explorer: Explorer;
  /** Finds code by what it does. */
  readonly meaning: MeaningSearch;
  /** Says what a change can break. */
  readonly impact: ImpactAnalyzer;
  /** The repository's past. */
  readonly history: RepositoryHistory;
  /** What the past knows of a request. */
  readonly past: RequestPast;
  /** Answers questions about the past itself. */
  readonly pastReader: PastReader;
  readonly index: CodeIndex;
  /** Where names and modules lead, as references and impact know it. */
  readonly facts: Pick<FactStore, "ask">;
  /** What is shared with other machines. */
  readonly share: Share;
  /** Other repositories that questions are asked of too. */
  readonly workspace: Workspace;
  /** The branch that is checked out, or the beginning of a detached commit; null without git. */
  readonly readBranch: () => Promise<string | null>;
  /** Takes what happened to the index since the last reply and has to stand in the next one: it was set aside. */
  takeIndexNotices(): readonly string[];
  /** Folders of repositories inside the project, whose files are not part of it, as the files were last listed. */
  listNested(): readonly string[];
  readonly workflow: Workflow;
  /** The documents that step 3 is about, relative to the project; none where it asks for none. */
  readonly listDocuments: () => Promise<Pick<DocumentList, "documents" | "within">>;
  /** What was learned from finished sessions. */
  readonly learning: Learning;
  /** The sessions on disk, for commands of the person. */
  readonly sessions: SessionStore;
  /** The project's verification commands, whether the person allowed them, and what runs them. */
  readonly verification: ProjectVerification;
  /** What sessions say of their commits. */
  readonly statements: StatementStore;
  /** Reports about sessions. */
  readonly reports: ReportSource;
  /** Whether commits get a note with a statement, as the configuration says now. */
  readonly attestMode: () => Promise<WorkflowSettings["attest"]>;
  /** What `doctor` looks at. */
  readonly doctorFacts: DoctorFacts;
  /** What `clean` works with. */
  readonly cleanDeps: CleanDeps;
  /** What `uninstall --purge` works with. */
  readonly purgeDeps: PurgeDeps;
  /** What `snapshots` and `restore` work with. */
  readonly restoreDeps: RestoreDeps;
  /** What `snapshots` and `restore` work with where there is no git. */
  readonly openCopyDeps: () => Promise<CopyDeps>;
  /** Brings the index up to date in the background, if the configuration wants it; never fails. */
  syncOnStart(signal: AbortSignal): Promise<void>;
  /** Ends background work. Calls made after this fail. */
  close(): Promise<void>;
}

/** What the services are built for. */
export interface ServicesOptions {
  /** Any folder of the project, or with `isNamed` the project itself. */
  readonly projectDir: string;
  /** True where a person named the folder. Default false. */
  readonly isNamed?: boolean;
  readonly logger: Logger;
  /** Names of the tools that can be called. */
  readonly offered: readonly string[];
  /** Value of a variable of the environment; default the real one. */
  readonly get?: (name: string) => string | undefined;
  /** True in a process that ends with its first answer: it starts no background work. */
  readonly isBrief?: boolean;
  /** What analyses contents for the index; default threads of its own. */
  readonly analyser?: Analyser;
}

/**
 * Builds the real services. Nothing is opened yet, and of the project only its folder is looked up.
 *
 * @throws {CodeIntelError} `io_failed` when there is no such folder, `not_a_project`.
 */
export async function createServices(options: ServicesOptions): Promise<Services> {
  const basis = await createBasis(options);
  const { place, settings, stateDir, seal, store, openRepo, openUsable, verification } = basis;
  const { projectRoot, codeIntelDir } = place;
  const { logger, get = (name: string) => Deno.env.get(name) } = options;
  const backends = createBackends({ env: { get } });
  const parts = { ...place, stateDir, settings, backends, logger };
  const askMap: AskMap = (question, limits) => askLearned(learning, question, limits);
  const code = createCodeKnowledge({ ...parts, openRepo: openUsable, askMap }, options);
  const { index, explorer, meaning, impact, history, lists } = code;
  const workspace = createProjectWorkspace({ ...parts, get, isBrief: options.isBrief === true });
  const findSymbol = createSymbolFinder(explorer);
  const learning = createLearning({ codeIntelDir, clock: SYSTEM_CLOCK, findSymbol });
  const past = createRequestPast({ history, projectRoot });
  const workflow = createWorkflow({
    ...basis.workflowDeps,
    ...lists,
    ...createSessionParts({ index, explorer, impact, history, learning, past }),
  });
  const git = { ...place, openRepo: openUsable, settings, store };
  const restoreDeps = toRestoreDeps({ ...git, hashTexts: basis.hashTexts });
  const reports = createReportSource({
    ...{ ...basis, openRepo: openUsable, learning, history },
    findDependents: createDependentsFinder(impact),
  });
  return {
    projectRoot,
    explorer,
    meaning,
    impact,
    history,
    past,
    pastReader: createPastReader({ history, openRepo: openUsable }),
    index,
    facts: code.facts,
    share: code.share,
    workspace,
    readBranch: createBranchReader(openUsable),
    takeIndexNotices: code.takeNotices,
    listNested: code.listNested,
    workflow: withPruning(workflow, { ...git, logger }),
    listDocuments: () => listDocuments(basis.workflowDeps),
    learning,
    sessions: store,
    verification,
    statements: basis.statements,
    reports,
    attestMode: () => settings.read().then(({ config }) => config.values.attest),
    doctorFacts: toDoctorFacts({
      ...{ ...parts, openRepo, store, seal, verification, get },
      listClosedTexts: () => workflow.listClosedTexts(),
      readIndex: code.readIndexStatus,
      readMeaning: code.readMeaningFacts,
      readScip: code.readProofs,
      readShare: () => code.share.readStatus(),
    }),
    cleanDeps: toCleanDeps({ workflow, ...git, logger }),
    purgeDeps: toPurgeDeps({ ...parts, openRepo: openUsable, verification }),
    restoreDeps,
    openCopyDeps: () => openCopyDeps({ ...place, ...restoreDeps, ...lists }),
    syncOnStart: (signal) => syncOnStart(code, { ...parts, signal }),
    close: async () => {
      await Promise.all([workspace, index, history, verification.runner].map((one) => one.close()));
    },
  };
}

async function listDocuments(
  deps: Pick<WorkflowDeps, "loadSettings" | "listDocuments">,
): Promise<Pick<DocumentList, "documents" | "within">> {
  const { documentsEnabled } = await deps.loadSettings();
  return documentsEnabled ? await deps.listDocuments() : { documents: [], within: null };
}

/** What was learned, in the form that a search takes. */
async function askLearned(
  learning: Learning,
  ...[question, limits]: Parameters<AskMap>
): ReturnType<AskMap> {
  const hits = await learning.search(question, limits);
  return hits.map(({ document, score }) => ({ ...document, score }));
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
  const { ManifestTrees } = await import("../ledger/mod.ts");
  const { projectRoot, listWithoutGit: listFiles } = parts;
  const backupDir = join(parts.codeIntelDir, "backup");
  const manifests = new ManifestTrees({ root: projectRoot, backupDir, listFiles });
  return { ...parts, backupDir, manifests };
}

function toNeeded(repo: Repository) {
  return { findNeeded: (ids: readonly string[]) => findNeededSessions(repo, ids) };
}

/** Most snapshots removed at a start, which must not wait for a clean-up of years. */
const PRUNED_AT_START = 20;

/**
 * Lets each start of a session remove a few old snapshots too, so that they are removed even if
 * nobody runs `clean`.
 */
function withPruning(
  workflow: Workflow,
  { codeIntelDir, store, openRepo, settings, logger }: {
    readonly codeIntelDir: string;
    readonly store: SessionStore;
    readonly openRepo: OpenRepo;
    readonly settings: SettingsReader;
    readonly logger: Logger;
  },
): Workflow {
  const prune = async () => {
    const repo = await openRepo();
    const days = (await settings.read()).config.values.snapshot_days;
    const old = {
      before: new Date(SYSTEM_CLOCK.now().getTime() - days * DAY_MS),
      keepSessions: (await store.loadAll()).map(({ id }) => id),
    };
    await pruneCopies(join(codeIntelDir, "backup"), old);
    if (repo === null) return;
    await pruneSnapshots(repo, {
      ...old,
      maxSessions: PRUNED_AT_START,
      ...toNeeded(repo),
    });
  };
  return {
    ...workflow,
    startSession: async (...input) => {
      const reply = await workflow.startSession(...input);
      // The session has begun, so a failed clean-up is only logged.
      if (reply.ok) await prune().catch(({ message }) => logger.note(`old snapshots: ${message}`));
      return reply;
    },
  };
}

function toNames(reply: Reply, field: string): readonly string[] {
  const names = (reply as Readonly<Record<string, unknown>>)[field];
  return Array.isArray(names) ? names.map(String) : [];
}
