/** What a proof is asked for, and what it answers. */
import type { UserPrompt } from "../base/asker.ts";
import type { Problem } from "../base/problem.ts";
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
  }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };
