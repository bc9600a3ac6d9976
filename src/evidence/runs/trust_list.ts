/** What is kept of a person's decisions about repositories: commands, texts, modes. */
import type { ProjectConfig } from "../../base/settings/config.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * How the person answered: in a form of the server, or at a terminal. An agent's claim that the
 * person said so is not enough.
 */
export type TrustSource = "asked" | "terminal";

/** How strictly the ledger's findings are enforced. */
export type EnforcementMode = ProjectConfig["enforcement"];

/** Commands that a person allowed. */
export interface TrustEntry {
  /** Key of the repository, from {@link toRepositoryKey}. */
  readonly repository: string;
  /** Hash of the commands and the texts behind them. */
  readonly hash: string;
  readonly by: TrustSource;
  /** ISO time of the decision. */
  readonly at: string;
  /** The commands that the person was shown. */
  readonly commands: readonly { readonly name: string; readonly run: readonly string[] }[];
  /** Programs and variables of that moment; absent in older entries. */
  readonly surroundings?: Surroundings;
}

/** A mode that a person confirmed for a repository. */
export interface ConfirmedMode {
  readonly repository: string;
  readonly mode: EnforcementMode;
  readonly by: TrustSource;
  /** ISO time of the decision. */
  readonly at: string;
}

/** A decision in the name of the person that no start of a session has told yet. */
export interface UntoldWord {
  readonly repository: string;
  /** What was allowed, in words. */
  readonly what: string;
  readonly by: TrustSource;
  /** ISO time of the decision. */
  readonly at: string;
}

/** A text of a repository that may guide agents there. */
export interface TrustedText {
  readonly repository: string;
  /** Hash of the text and its place. */
  readonly hash: string;
  readonly path: string;
  readonly name: string;
  /** Who allowed it; `update_context` where an agent of this machine wrote it by that tool. */
  readonly by: TrustSource | "update_context";
  /** ISO time of the decision. */
  readonly at: string;
}

/** All decisions of the user, oldest first. */
export interface TrustList {
  readonly entries: readonly TrustEntry[];
  /** Absent in files of older versions. */
  readonly texts?: readonly TrustedText[];
  /** Each holds for the next session alone. */
  readonly modes: readonly ConfirmedMode[];
  /** Absent in files of older versions. */
  readonly untold?: readonly UntoldWord[];
}
