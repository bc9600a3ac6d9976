/**
 * What a feature may give to the core: each member is asked for by its name, where the core needs it, and is absent where a
 * feature has none. Without any feature the core answers by itself.
 */
import type { CommitRun } from "../evidence/runs/verification.ts";
import type { Finding } from "../project/finding.ts";
import type { CodeIndex } from "../index/index_api.ts";
import type { SharedContents } from "../index/shared_contents.ts";
import type { ProofSource } from "../resolve/proven_places.ts";
import type { OtherRepositories } from "./other_repositories.ts";
import type { ProjectParts } from "./project_parts.ts";
import type { Explorer } from "../explore/explorer.ts";
import type { Learning } from "../workflow/context/learning.ts";
import type { Clock } from "../base/clock.ts";
import type { Services } from "./services_api.ts";
import type { MadeCommit } from "../workflow/context/deps.ts";
import type { RunAdditions } from "../workflow/context/run_additions.ts";
import type { FeaturePage, ServeHttpOptions } from "./transport.ts";

/** One check of `doctor`. */
export interface FeatureCheck {
  /** Stable name of the check. */
  readonly id: string;
  readonly title: string;
  readonly run: (services: Services) => Promise<readonly Finding[]>;
}

/** What proofs are read with. */
export type ProofParts = Pick<ProjectParts, "projectRoot" | "settings" | "isBrief"> & {
  readonly index: CodeIndex;
};

/** What learning works with; a hook has no more of a project. */
export interface LearningParts {
  /** Absolute path of the project's `.code-intel` folder; it need not exist. */
  readonly codeIntelDir: string;
  readonly clock: Clock;
  readonly explorer: Pick<Explorer, "findDefinitions">;
}

/** What a feature gives to the core. */
export interface Extension extends RunAdditions {
  /** Analyses that were made elsewhere: the index asks for contents that it does not know. */
  readonly openShared?: (parts: ProjectParts) => Promise<SharedContents>;
  /** What indexers of the languages proved, which goes before the rules of resolution. */
  readonly openProofs?: (parts: ProofParts) => Promise<ProofSource>;
  /** Other repositories that questions are asked of too. */
  readonly openOthers?: (parts: ProjectParts) => Promise<OtherRepositories>;
  /** What finished sessions leave behind, and what later ones are told of it. */
  readonly openLearning?: (parts: LearningParts) => Promise<Learning>;
  /** Runs before the index is brought up to date at a start, or by a command. It never fails; a start does not wait long. */
  readonly beforeSync?: (services: Services, signal: AbortSignal) => Promise<void>;
  /** Says of a commit that a session just made what others can check. A failure becomes a field of the reply. */
  readonly attest?: (
    services: Services,
    made: MadeCommit,
  ) => Promise<Readonly<Record<string, unknown>>>;
  /** What it kept of the runs behind the commits of a session, oldest first. */
  readonly readCommitRuns?: (
    parts: ProjectParts,
    sessionId: string,
  ) => Promise<readonly CommitRun[]>;
  readonly checks?: readonly FeatureCheck[];
  /** Pages that a server over HTTP shows. */
  readonly pages?: readonly FeaturePage[];
  /** Serves the protocol and all pages over HTTP until the signal ends it. */
  readonly serveHttp?: (options: ServeHttpOptions) => Promise<void>;
}
