/**
 * What a feature may give to the core, its pages and transports among it. The core asks for each member by its name where
 * it needs it; a feature leaves out what it does not have. Without any feature the core answers by itself.
 */
import { loadOnce } from "../base/lazy.ts";
import type { Learning } from "../workflow/context/learning.ts";
import { NO_LEARNING } from "../workflow/context/learning.ts";
import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/logger.ts";
import type { ProjectParts, Services } from "./services_api.ts";
import type { CommitRun } from "../evidence/runs/verification.ts";
import type { DoctorFinding } from "../project/finding.ts";
import type { CodeIndex } from "../index/index_api.ts";
import type { SharedContents } from "../index/read/view.ts";
import type { SeenRuns, SharedRecords } from "../index/seen_runs.ts";
import type { ProofSource } from "../resolve/proven_places.ts";
import type { OtherRepositories } from "./other_repositories.ts";
import type { KeptNote, ProofToKeep, TrustedProofs, WantedProofs } from "./prove_api.ts";
import type { Repository } from "../git/repository.ts";
import type { Explorer } from "../explore/explorer.ts";
import type { MadeCommit } from "../workflow/context/deps.ts";
import type { RunAdditions } from "../workflow/context/run_additions.ts";

/**
 * What the first feature that has it gives under a name; undefined where none does.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { askFeatures } from "./extension.ts";
 * equal(askFeatures([{}, { checks: [] }], "checks")?.length, 0);
 * equal(askFeatures([{}], "openShared"), undefined);
 * ```
 */
export function askFeatures<K extends keyof Extension>(
  features: readonly Extension[],
  name: K,
): Extension[K] | undefined {
  return features.find((one) => one[name] !== undefined)?.[name];
}

/** Opens what is learned from sessions with the first question, once; without a feature that learns it is nothing. */
export function createLearningOpener(
  features: readonly Extension[],
  parts: LearningParts,
): () => Promise<Learning> {
  return loadOnce(async () => await askFeatures(features, "openLearning")?.(parts) ?? NO_LEARNING);
}

/** What the server runs with. */
export interface ServeOptions {
  /** Builds the services with the first tool call; after a failure the next call tries again. */
  readonly loadServices: () => Promise<Services>;
  readonly logger: Logger;
  /** Called after each call of a tool. */
  readonly onAnswered?: () => void;
  /** Ends the server from outside. */
  readonly signal?: AbortSignal;
  /** Measures how fast a form is answered; default the clock of the machine. */
  readonly clock?: Clock;
}

/** What the server over HTTP runs with. */
export interface ServeHttpOptions extends ServeOptions {
  /** The port to listen on; 0 takes any free one. */
  readonly port: number;
  /** The user's state folder, where the token is kept; null without a home folder. */
  readonly stateDir: string | null;
  /** The pages of all features. */
  readonly pages: readonly FeaturePage[];
  /** Called once clients can connect; `path` is the file of the token. */
  readonly onReady?: (
    ready: { readonly url: string; readonly token: string; readonly path: string | null },
  ) => void;
}

/** A page that a feature shows to a person in a browser. */
export type FeaturePage = OpenPage | GuardedPage;

/** A page that holds nothing of the project, so that anybody on this machine may open it. */
export interface OpenPage {
  readonly kind: "open";
  /** Its path, such as `/`. */
  readonly path: string;
  /** What the server says of its address when it starts. */
  readonly announcement: string;
  readonly draw: () => Promise<{ readonly text: string; readonly policy: string }>;
}

/** A page of the project, which is shown to a request with the token. */
export interface GuardedPage {
  readonly kind: "guarded";
  /** Its path, such as `/report`. */
  readonly path: string;
  /** Called once by a server. */
  readonly open: (services: Services) => Promise<LivePage>;
}

/** A page without a script that is drawn again only where something happened. */
export interface LivePage {
  /** Tells one state of what is shown from another. */
  readMark(): Promise<string>;
  draw(): Promise<string>;
}

/** One check of `doctor`. */
export interface FeatureCheck {
  /** Stable name of the check. */
  readonly id: string;
  readonly title: string;
  readonly run: (services: Services) => Promise<readonly DoctorFinding[]>;
}

/** What proofs are read with. */
export type ProofParts = Pick<ProjectParts, "projectRoot" | "settings" | "isBrief"> & {
  readonly index: CodeIndex;
};

/** What records of runs are read with. */
export type RunParts = ProjectParts & { readonly index: CodeIndex };

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
  /** What was seen when the project's tests ran. */
  readonly openRuns?: (parts: RunParts) => Promise<SeenRuns>;
  /** The records of runs that travel with what is shared. */
  readonly openSharedRecords?: (parts: ProjectParts) => Promise<SharedRecords>;
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
  /** Writes what was proven of a committed tree beside it. */
  readonly keepProof?: (repo: Repository, kept: ProofToKeep) => Promise<KeptNote>;
  /** What statements about a tree say that a key of the base signed. Nothing of them is run. */
  readonly readProofs?: (repo: Repository, wanted: WantedProofs) => Promise<TrustedProofs>;
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
