/** What a proof is asked for, and what it answers. */
import type { UserPrompt } from "../base/asker.ts";
import type { Problem } from "../base/problem.ts";
import type { ProjectCommands } from "../evidence/runs/project_verification.ts";
import type { VerificationResultRow } from "../evidence/runs/verification.ts";
import type { ProofAnswer } from "../prove/answers.ts";
import type { ProveInput } from "../prove/prove.ts";
import type { ChangeRequest, NamedChange } from "../prove/read_change.ts";
import type { Proof } from "../prove/verdict.ts";

/** What is asked. */
export interface ProveRequest {
  readonly change: ChangeRequest;
  /** How long it may take; Infinity for as long as it takes. */
  readonly withinMs: number;
  readonly signal: AbortSignal;
  /** True where a proof of the same trees that is known does not count. */
  readonly isAnew?: boolean;
  /** Asks a person to allow commands. */
  readonly asker: UserPrompt;
  readonly onProgress?: ProveInput["onProgress"];
  readonly onVerdict?: ProveInput["onVerdict"];
  /** What is said to findings: `PLACE: reason`, or `cannot prove because reason`. */
  readonly answers?: readonly string[];
  /** True to write what is proven as a statement beside the tree. */
  readonly isNoted?: boolean;
  /** For a job: commands that a signed statement covers are not run. */
  readonly job?: {
    /** Hashes of commands that may run, at least their first 12 digits; `all` for any. */
    readonly allowed: readonly string[];
  };
}

/** A proof that becomes a statement beside its tree. */
export interface ProofToKeep {
  readonly change: NamedChange;
  readonly found: ProjectCommands;
  readonly projectRoot: string;
  readonly proof: Proof;
  /** ISO time at which it was made. */
  readonly at: string;
  /** Whole commands that passed in a clean checkout of the tree. */
  readonly results: readonly VerificationResultRow[];
}

/** What became of a statement. */
export type KeptNote =
  | {
    readonly kind: "written";
    readonly ref: string;
    readonly platform: string;
    /** Why nobody else will trust it; null where it is signed. */
    readonly unsignedBecause: string | null;
  }
  | { readonly kind: "refused"; readonly why: string };

/** A change whose statements are asked for. */
export interface WantedProofs extends Pick<ProofToKeep, "change" | "found" | "projectRoot"> {
  /** The text of the file of allowed signers as the base has it; null for none. */
  readonly signers: string | null;
}

/** What statements that count say of a tree. */
export interface TrustedProofs {
  /** A proof of the same tree against the same base; null for none. */
  readonly whole: Proof | null;
  /** What was answered to findings about the tree. */
  readonly answers: readonly ProofAnswer[];
  /** Whole commands that passed on the tree. */
  readonly results: readonly VerificationResultRow[];
  readonly signer: string | null;
  /** ISO time of the proof. */
  readonly at: string | null;
  /** Why statements do not count, as ends of sentences. */
  readonly refused: readonly string[];
}

/** What a job saved by statements of others. */
export interface SavedRuns {
  readonly seconds: number;
  /** Names of the commands that were not run. */
  readonly commands: readonly string[];
  readonly signer: string | null;
  readonly refused: readonly string[];
}

/** The answer, or why there is none. */
export type ProveAnswer =
  | {
    readonly kind: "proof";
    readonly proof: Proof;
    readonly change: NamedChange;
    /** Where the commands are from: the configuration, or what the project shows. */
    readonly commands: readonly { readonly name: string; readonly run: readonly string[] }[];
    /** ISO time at which the same trees were proven; absent where it was done now. */
    readonly keptAt?: string;
    /** What became of the statement, where one was asked for. */
    readonly note?: KeptNote;
    /** What statements of others saved, where they were asked for. */
    readonly saved?: SavedRuns;
  }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };
