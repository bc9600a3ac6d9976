/** The interface of the workflow: what the protocol and the command line may ask of a session. */
import type { ProjectPath } from "../base/paths.ts";
import type { AskedSource, UserPrompt } from "../base/asker.ts";
import type { Reply } from "../base/reply.ts";
import type { ContextUpdate } from "../context/update_context.ts";
import type { GuidingText } from "../evidence/runs/trust.ts";
import type { Capability, Stage } from "../phase/table/phases.ts";
import type { CallRecord } from "../session/records.ts";
import type { LoadedContract } from "./context/contract_file.ts";
import type { HookDoor } from "./hook_door.ts";
import type { StartInput } from "./calls/start.ts";
import type { Progress } from "./verify/run_wait.ts";

/** How a payload is submitted, beside the user who may be asked. */
export interface SubmitOptions {
  /**
   * True for a caller outside the agent's conversation, whose `compaction_count` stays as it is;
   * default false.
   */
  readonly isAside?: boolean;
  /** Receives how far the project's commands are while the call waits for them. */
  readonly progress?: Progress;
  /** Where the user typed this themself; absent where the agent says it. */
  readonly said?: AskedSource;
  /** Payloads of the steps that follow, each checked like a call of its own until one is refused. */
  readonly then?: readonly unknown[];
}

/** Whether a tool may be called now. */
export type Admission =
  | {
    readonly kind: "allowed";
    /** The session in which the call is recorded; null outside of a session. */
    readonly sessionId: string | null;
    readonly visit: number;
    readonly stage: Stage | null;
    /** The count that every reply of a session carries; null outside of a session. */
    readonly compactionCount: number | null;
  }
  | { readonly kind: "refused"; readonly reply: Reply };

/** Everything that can be asked of sessions. Each answer is a whole reply with the next call. */
export interface Workflow {
  /** @param asker Asks the user of this call; without it nobody can be asked. */
  startSession(input: StartInput, signal: AbortSignal, asker?: UserPrompt): Promise<Reply>;
  /**
   * @param data The payload as it was sent; checked here.
   * @param asker Asks the user of this call; without it nobody can be asked.
   */
  submitPhase(
    data: unknown,
    signal: AbortSignal,
    asker?: UserPrompt,
    options?: SubmitOptions,
  ): Promise<Reply>;
  /** @param asker Asks the user whether the active session may be discarded. */
  getStatus(
    input: { readonly sessionId?: string; readonly discardActive?: boolean },
    signal?: AbortSignal,
    asker?: UserPrompt,
  ): Promise<Reply>;
  checkWriteTarget(
    input: {
      readonly paths: readonly ProjectPath[];
      readonly allowNewFiles: boolean;
      readonly isShown?: boolean;
    },
  ): Promise<Reply>;
  addExploredFiles(paths: readonly ProjectPath[]): Promise<Reply>;
  reviewChanges(
    input: {
      readonly path?: string;
      readonly offset?: number;
      readonly maxBytes: number;
      readonly isBrief?: boolean;
      readonly onSeen?: (tree: string) => void;
    },
  ): Promise<Reply>;
  /** @param asker Asks the user of this call; without it the caller's word stands for theirs. */
  cleanupStaleBranches(
    input: { readonly action: "delete" | "merge" | "list" },
    signal?: AbortSignal,
    asker?: UserPrompt,
  ): Promise<Reply>;
  updateContext(
    input: ContextUpdate,
  ): Promise<Reply>;
  /** What each stage asks for: the built-in contract with the project's overrides. */
  readContract(): Promise<LoadedContract>;
  /** The texts of the project that would guide agents, and that nobody allowed here. */
  listClosedTexts(): Promise<readonly GuidingText[]>;
  /** Remembers that these texts may guide agents in this repository. */
  allowTexts(texts: readonly GuidingText[], by: "asked" | "terminal"): Promise<void>;
  /** Runs what writes one file of the project, and books the file to the server where a session is active. */
  writeAsServer(projectPath: ProjectPath, write: () => Promise<Reply>): Promise<Reply>;
  /**
   * Records the outcome of a session that is about to be archived by hand; returns what went wrong.
   */
  noteCleaned(sessionId: string): Promise<readonly string[]>;
  /** Whether the present stage permits a tool that needs `needs`. */
  admit(tool: string, needs: Capability | null): Promise<Admission>;
  /** Appends a call to the records of the session that `admission` named. */
  record(admission: Admission, call: CallRecord): Promise<void>;
  /**
   * Adds notices about sessions' files that no reply has reported yet; each is reported once.
   *
   * @param active The active session, null for none, where the caller has just looked; by default it is looked up.
   */
  tellNotices(reply: Reply, active?: string | null): Promise<Reply>;
  /** What the hooks of a client may ask. */
  readonly hooks: HookDoor;
}
