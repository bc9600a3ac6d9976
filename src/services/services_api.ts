/** What the composition root gives to tools, commands and features. */
import type { OpenRepo } from "../git/private_repository.ts";
import type { Backends } from "../backends/detect.ts";
import type { Logger } from "../base/logger.ts";
import type { SettingsReader } from "../context/settings.ts";
import type { DocumentList } from "../context/doc_research.ts";
import type { ProjectVerification } from "../evidence/runs/project_verification.ts";
import type { CommitRun } from "../evidence/runs/verification.ts";
import type { HistoryReader } from "../history/past_reader.ts";
import type { RepositoryHistory } from "../history/repository_history.ts";
import type { CodeIndex, IndexStatus } from "../index/index_api.ts";
import type { SeenRuns, SharedRecords } from "../index/seen_runs.ts";
import type { ImpactAnalyzer } from "../impact/analyze.ts";
import type { CleanDeps } from "../project/clean.ts";
import type { CopyDeps } from "../project/copies.ts";
import type { DoctorFacts } from "../project/doctor.ts";
import type { RestoreDeps } from "../project/restore.ts";
import type { PurgeDeps } from "../project/setup/purge_plan.ts";
import type { Explorer } from "../explore/explorer.ts";
import type { MeaningSearch } from "../explore/meaning/meaning_types.ts";
import type { RequestHistory } from "./request_past.ts";
import type { FactStore } from "../resolve/fact_store.ts";
import type { SessionStore } from "../session/store_api.ts";
import type { OtherRepositories } from "./other_repositories.ts";
import type { ProveAnswer, ProveRequest } from "./prove_api.ts";
import type { Learning } from "../workflow/context/learning.ts";
import type { Workflow } from "../workflow/workflow_api.ts";

/** The parts. */
export interface ProjectParts {
  /** Absolute path of the project. */
  readonly projectRoot: string;
  /** Absolute path of its `.code-intel` folder, which need not exist. */
  readonly codeIntelDir: string;
  /** Where the index lies without git. */
  readonly plainIndexDir: string;
  /** The user's folder of the program; null without a home. */
  readonly stateDir: string | null;
  readonly settings: SettingsReader;
  readonly backends: Backends;
  /** The repository of the project; null outside of git, and where git cannot be used. */
  readonly openRepo: OpenRepo;
  readonly logger: Logger;
  /** Value of a variable of the environment. */
  readonly get: (name: string) => string | undefined;
  /** True in a process that ends with its first answer: it starts no background work. */
  readonly isBrief: boolean;
}

/** Everything that tools and commands use beside their input; there is no ambient state. */
export interface Services {
  /** What is known of the project before anything of its code is. */
  readonly parts: ProjectParts;
  readonly explorer: Explorer;
  /** Finds code by what it does. */
  readonly meaning: MeaningSearch;
  /** Says what a change can break. */
  readonly impact: ImpactAnalyzer;
  /** The repository's past. */
  readonly history: RepositoryHistory;
  /** What the past knows of a request. */
  readonly past: RequestHistory;
  /** Answers questions about the past itself. */
  readonly pastReader: HistoryReader;
  readonly index: CodeIndex;
  /** Where names and modules lead, as references and impact know it. */
  readonly facts: Pick<FactStore, "ask">;
  /** What was seen when the project's tests ran. */
  openRuns(): Promise<SeenRuns>;
  /** The records of runs that travel with what is shared; null without a feature that has some. */
  openSharedRecords(): Promise<SharedRecords | null>;
  /** Other repositories that questions are asked of too. */
  openOthers(): Promise<OtherRepositories>;
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
  openLearning(): Promise<Learning>;
  /** The sessions on disk, for commands of the user. */
  readonly sessions: SessionStore;
  /** The project's verification commands, whether the user allowed them, and what runs them. */
  readonly verification: ProjectVerification;
  /** What was kept of the runs behind the commits of a session, oldest first; none where nobody keeps them. */
  readonly readCommitRuns: (sessionId: string) => Promise<readonly CommitRun[]>;
  /** Says whether a change is proven, without a session. */
  proveChange(request: ProveRequest): Promise<ProveAnswer>;
  /** What the index holds; null where none was built yet. This never builds one. */
  readIndexStatus(): Promise<IndexStatus | null>;
  /** What commands that look after a project work with. */
  openMaintenance(): Promise<Maintenance>;
  /** What features do before the index is brought up to date; never fails. */
  beforeSync(signal: AbortSignal): Promise<void>;
  /** Brings the index up to date in the background, if the configuration wants it; never fails. */
  syncOnStart(signal: AbortSignal): Promise<void>;
  /** Ends background work. Calls made after this fail. */
  close(): Promise<void>;
}

/** What `doctor`, `clean`, `snapshots`, `restore` and `uninstall --purge` work with. */
export interface Maintenance {
  /** What `doctor` looks at. */
  readonly doctorFacts: DoctorFacts;
  readonly cleanDeps: CleanDeps;
  readonly purgeDeps: PurgeDeps;
  /** What `snapshots` and `restore` work with. */
  readonly restoreDeps: RestoreDeps;
  /** What `snapshots` and `restore` work with where there is no git. */
  readonly copyDeps: CopyDeps;
}
