/** What a stage of the flow is: a node of the machine. The rows are in `phases.ts`. */
import type { StepName } from "../../base/steps.ts";
import type { Words } from "../../base/text/words.ts";

/** A permission that a stage grants and a tool may need. */
export type Capability =
  | "text"
  | "files"
  | "definitions"
  | "references"
  | "structure"
  | "query"
  | "meaning"
  | "chunk"
  | "impact"
  | "review"
  | "write"
  | "cleanup";

/** The name of a phase in replies. */
export type PhaseName = Exclude<Stage, `READY_${string}`> | "READY";

/** A node of the machine; also the key of its row in the contract. */
export type Stage = Exclude<StepName, "START"> | "SESSION_COMPLETE";

/** The row of one stage. */
export interface ContractRow {
  /** Short, imperative English that names exactly one next call. */
  readonly instruction: Words;
  /** Each field with its type or a literal example. */
  readonly expectedPayload: Readonly<Record<string, unknown>>;
  /** Tools that must have answered `ok` in this stage entry. */
  readonly requiredTools: readonly string[];
  /** How many different tools must have answered `ok` in this stage entry. */
  readonly minDistinctTools: number;
}

/** What an accepted payload, or one of its effects, led to. */
export type Outcome =
  | "done"
  | "yes"
  | "no"
  | "planned"
  | "task_done"
  | "all_done"
  | "evidence_stale"
  | "tests_removed"
  | "outgrown"
  | "settled"
  | "no_changes"
  | "passed"
  | "failed"
  | "failed_at_limit"
  | "limit"
  | "reviewed"
  | "discarded"
  | "emptied"
  | "void"
  | "clean"
  | "issues"
  | "forced"
  | "hooks_changed"
  | "hook_failed"
  | "message_refused"
  | "message_limit"
  | "hook_broken"
  | "merged"
  | "taken_back"
  | "conflict"
  | "back"
  | "continued"
  | "retried"
  | "accepted"
  | "parked"
  | "abandoned"
  | "asked";

/** What is known of one stage. */
export interface StepRow {
  /** What tools may do in this stage. */
  readonly grants: readonly Capability[];
  /** Substep of READY, as the stored state names it. */
  readonly substep?: "plan" | "implement" | "complete";
  /** Folders and files below `.code-intel/` with prompts for the stage. */
  readonly prompts?: readonly string[];
  /** What the stage asks for; `summary` and `tools_used` are added where they are needed. */
  readonly asks: ContractRow;
  /** The instruction where the tool that it needs cannot be offered. */
  readonly withoutTool?: Words;
  /** The instruction where `verify` names no command. */
  readonly withoutCommands?: Words;
  /** A field that only the payload of this stage has. */
  readonly field?: string;
  /** Whether a payload without fields of its own is accepted, so that that of any other stage has to be distinguished. */
  readonly mayBeEmpty?: true;
  /** The outcome where everything is clear. */
  readonly clear?: Outcome;
  /** Whether its payload can be sent before the reply of the stage before was read. */
  readonly joins?: true;
  /** Whether payloads of later stages are offered here; who went on one by one wants none. */
  readonly begins?: true;
  /** What is likely of a small request; the agent confirms or changes it. */
  readonly small?: Readonly<Record<string, unknown>>;
}
