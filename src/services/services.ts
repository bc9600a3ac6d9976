/** The composition root: the function that builds the real services. */
import { readHeadFile } from "../git/store_files.ts";
import type { Analyser } from "../analysis/analyser.ts";
import type { Logger } from "../base/logger.ts";
import type { Extension } from "./extension.ts";
import { askFeatures, createLearningOpener } from "./extension.ts";
import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import { DAY_MS, SYSTEM_CLOCK } from "../base/clock.ts";
import type { FileStamp } from "../base/files/file_stamp.ts";
import { isSameStamp, statIfThere, toStamp, wasOldAt } from "../base/files/file_stamp.ts";
import { readHead } from "../git/repository.ts";
import { createBackends } from "../backends/detect.ts";
import type { HistoryReader, PastReaderOptions } from "../history/past_reader.ts";
import type { DocumentList } from "../context/doc_research.ts";
import type { SettingsReader } from "../context/settings.ts";
import type { OpenRepo, PrivateRepository } from "../git/private_repository.ts";
import type { DoctorFacts } from "../project/doctor.ts";
import { createProjectLister } from "./project_files.ts";
import { lazyObject, loadOnce } from "../base/lazy.ts";
import { NO_REPOSITORIES } from "./other_repositories.ts";
import type { ProjectParts, Services } from "./services_api.ts";
import type { ProveParts } from "./prove_change.ts";
import type { ProjectBasis } from "./project_basis.ts";
import { createBasis } from "./project_basis.ts";
import { createCodeKnowledge, syncOnStart } from "./project_index.ts";
import type { FindLearnedTerms } from "../explore/meaning/map_hits.ts";
import { createRequestPast } from "./request_past.ts";
import { createSessionParts } from "./session_parts.ts";
import type { SessionStore } from "../session/store_api.ts";
import type { WorkflowDeps } from "../workflow/context/deps.ts";
import type { Workflow } from "../workflow/workflow_api.ts";
import { createLazyWorkflow } from "../workflow/outside_session.ts";

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
  /** What the program can do beside its core. Default nothing. */
  readonly features?: readonly Extension[];
  /** True in a process that ends with its first answer: it starts no background work. */
  readonly isBrief?: boolean;
  /** What analyses contents for the index; default threads of its own. */
  readonly analyser?: Analyser;
}

interface Known {
  readonly stamp: FileStamp;
  readonly readAtMs: number;
  readonly name: string;
}

const COMMIT_CHARS = 10;

/** Reads the branch that is checked out, or the beginning of a detached commit; null without git. */
export function createBranchReader(
  openRepo: OpenRepo,
  clock: Clock = SYSTEM_CLOCK,
): () => Promise<string | null> {
  let known: Known | null = null;
  return async () => {
    const repo = await openRepo();
    if (repo === null) return null;
    const info = statIfThere(join(repo.gitDir, "HEAD"));
    const stamp = info === null ? null : toStamp(info);
    if (
      stamp !== null && known !== null && isSameStamp(known.stamp, stamp) &&
      wasOldAt(stamp, known.readAtMs)
    ) return known.name;
    const readAtMs = clock.now().getTime();
    // Where refs have another store, its file stays the same whatever is checked out.
    const named = readHeadFile(repo);
    const head = named !== null && "branch" in named ? named : await readHead(repo);
    const name = "branch" in head ? head.branch : head.commit.slice(0, COMMIT_CHARS);
    known = stamp === null || named === null ? null : { stamp, readAtMs, name };
    return name;
  };
}

/** Opens the records of runs that travel with what is shared. */
function createRecordsOpener(features: readonly Extension[], parts: ProjectParts) {
  return async () => await askFeatures(features, "openSharedRecords")?.(parts) ?? null;
}

/** Opens other repositories that questions are asked of too, once. */
function createOthersOpener(features: readonly Extension[], parts: ProjectParts) {
  return loadOnce(async () =>
    await askFeatures(features, "openOthers")?.(parts) ?? NO_REPOSITORIES
  );
}

/** Proves changes; what that takes is loaded with the first one. */
function createProver(built: ProveParts): Services["proveChange"] {
  return async (request) => await (await import("./prove_change.ts")).proveChange(built, request);
}

/**
 * Builds the real services. Nothing is opened yet, and of the project only its folder is looked up.
 *
 * @throws {CodeIntelError} `io_failed` when there is no such folder, `not_a_project`.
 */
export async function createServices(options: ServicesOptions): Promise<Services> {
  const basis = await createBasis(options);
  const { place, settings, store, openUsable, verification } = basis;
  const { projectRoot, codeIntelDir } = place;
  const { logger, features = [] } = options;
  const parts = buildParts(basis, options);
  const askMap: FindLearnedTerms = async (...asked) => (await openLearning()).search(...asked);
  const code = createCodeKnowledge({ ...parts, askMap, features }, options.analyser);
  const { index, explorer, meaning, impact, history } = code;
  const others = createOthersOpener(features, parts);
  const clock = SYSTEM_CLOCK;
  const openLearning = createLearningOpener(features, { codeIntelDir, clock, explorer });
  const past = createRequestPast({ history, projectRoot });
  const listFiles = createProjectLister(projectRoot, parts.openRepo);
  const tests = createSessionParts({ ...code, projectRoot, openLearning, past });
  const workflow = createLazyWorkflow({
    ...{ ...basis.workflowDeps, listFiles, ...tests },
    addition: (name) => askFeatures(features, name),
    attest: async (made) => await askFeatures(features, "attest")?.(services, made) ?? {},
  });
  const git = { ...place, openRepo: openUsable, states: basis.states, settings, store };
  const beforeSync = async (signal: AbortSignal) => {
    await Promise.all(features.map((one) => one.beforeSync?.(services, signal)));
  };
  const services: Services = {
    parts,
    explorer,
    meaning,
    impact,
    history,
    past,
    pastReader: openPastReader({ history, openRepo: openUsable }),
    index,
    facts: code.facts,
    openRuns: code.openRuns,
    openSharedRecords: createRecordsOpener(features, parts),
    openOthers: others,
    readBranch: createBranchReader(openUsable),
    takeIndexNotices: code.takeNotices,
    listNested: code.listNested,
    workflow: withPruning(workflow, { ...git, logger }),
    listDocuments: () => listDocuments(basis.workflowDeps),
    openLearning,
    sessions: store,
    verification,
    readCommitRuns: async (sessionId) =>
      await askFeatures(features, "readCommitRuns")?.(parts, sessionId) ?? [],
    proveChange: createProver({ ...basis, parts, tests, features, index, openLearning }),
    readIndexStatus: code.readIndexStatus,
    openMaintenance: loadOnce(async () => {
      const otherChecks = listChecks(features, services);
      const { createMaintenance } = await import("./maintenance.ts");
      return createMaintenance(basis, { parts, code, workflow, otherChecks });
    }),
    beforeSync,
    syncOnStart: (signal) =>
      syncOnStart(code, { ...parts, signal, beforeSync: () => beforeSync(signal) }),
    close: async () => {
      await (await others.started)?.close();
      await Promise.all([index, history, verification.runner].map((one) => one.close()));
    },
  };
  return services;
}

function openPastReader(options: PastReaderOptions): HistoryReader {
  const load = loadOnce(async () =>
    (await import("../history/past_reader.ts")).createHistoryReader(options)
  );
  return lazyObject(load, {});
}

async function listDocuments(
  deps: Pick<WorkflowDeps, "loadSettings" | "listDocuments">,
): Promise<Pick<DocumentList, "documents" | "within">> {
  const { documentsEnabled } = await deps.loadSettings();
  return documentsEnabled ? await deps.listDocuments() : { documents: [], within: null };
}

function buildParts(basis: ProjectBasis, options: ServicesOptions): ProjectParts {
  const { place, settings, stateDir, openUsable } = basis;
  const { logger, get = (name: string) => Deno.env.get(name), isBrief = false } = options;
  const backends = createBackends({ env: { get } });
  return { ...place, stateDir, settings, backends, logger, get, isBrief, openRepo: openUsable };
}

/** The checks of `doctor` that features add. */
function listChecks(
  features: readonly Extension[],
  services: Services,
): DoctorFacts["otherChecks"] {
  return features.flatMap(({ checks = [] }) => checks)
    .map(({ id, title, run }) => ({ id, title, run: () => run(services) }));
}

/** Most snapshots removed at a start, which must not wait for a clean-up of years. */
const PRUNED_AT_START = 20;

/**
 * Lets each start of a session remove a few old snapshots too, so that they are removed even if
 * nobody runs `clean`.
 */
function withPruning(
  workflow: Workflow,
  { codeIntelDir, store, openRepo, states, settings, logger }: {
    readonly codeIntelDir: string;
    readonly store: SessionStore;
    readonly openRepo: OpenRepo;
    readonly states: PrivateRepository;
    readonly settings: SettingsReader;
    readonly logger: Logger;
  },
): Workflow {
  const prune = async () => {
    const days = (await settings.read()).config.values.snapshot_days;
    const old = {
      before: new Date(SYSTEM_CLOCK.now().getTime() - days * DAY_MS),
      keepSessions: (await store.loadAll()).map(({ id }) => id),
    };
    const { pruneCopies } = await import("../project/copies.ts");
    await pruneCopies(join(codeIntelDir, "backup"), old);
    const { pruneStates } = await import("./maintenance.ts");
    await pruneStates({ openRepo, states }, { ...old, maxSessions: PRUNED_AT_START });
  };
  return lazyObject(() => Promise.resolve(workflow), {
    hooks: workflow.hooks,
    startSession: async (...input) => {
      const reply = await workflow.startSession(...input);
      // The session has begun, so a failed clean-up is only logged.
      if (reply.ok) await prune().catch(({ message }) => logger.note(`old snapshots: ${message}`));
      return reply;
    },
  });
}
