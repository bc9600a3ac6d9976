/**
 * The state of the engine: plain, JSON-ready data that the checkpoint stores as a whole. Only
 * `decide` makes new states. It refers to disk and git only by names and object ids.
 */
import type { ProjectPath, TreePath } from "../base/paths.ts";
import type { Problem, StoredProblem } from "../base/problem.ts";
import type { TestFinding } from "./check_findings.ts";
import type { AnswerSource, Facts, FrameSlot, ImpactFinding, Size } from "./facts.ts";
import type {
  CommitStatement,
  FailedRun,
  VerificationResult,
  VerifiedTrailer,
} from "./verification_state.ts";
import type { Flags, GateLevel, Intent } from "./table/flags.ts";
import type { Submission } from "./payload/payloads.ts";
import type { Outcome, Stage } from "./table/phases.ts";
import type { CarriedEvidence, StaleEvidence, Task } from "./tasks.ts";

/** Whether the session is being worked on, waits, or has ended. */
export type SessionStatus = "active" | "parked" | "ended";

/** How a session ended. */
export type SessionEnd = "merged" | "completed" | "abandoned" | "failed";

/** An answer of the user that changed the flow, kept for the report and the commit trailer. */
export interface UserDecision {
  readonly at: string;
  readonly stage: Stage;
  readonly decision: string;
  readonly reason: string;
  readonly source: AnswerSource;
}

/** Why the user has to be asked before the session goes on. */
export type EscalationCause =
  | "verification_limit"
  | "intervention_limit"
  | "back_limit"
  | "hook_limit"
  | "message_limit"
  | "hook_broken";

/** A question that waits for the user. */
export interface Escalation {
  readonly cause: EscalationCause;
  readonly message: string;
}

/** The request, split into slots. Unknown slots are null. */
export interface QueryFrame {
  readonly actionType: string | null;
  readonly slots: {
    readonly target_feature: FrameSlot | null;
    readonly trigger_condition: FrameSlot | null;
    readonly observed_issue: FrameSlot | null;
    readonly desired_action: FrameSlot | null;
  };
  readonly targetSymbols: readonly string[];
  /** How certain it is that a target symbol belongs to the request; absent until it was measured. */
  readonly symbolSources?: Readonly<Record<string, "FACT" | "HYPOTHESIS">>;
  readonly scope: string | null;
  readonly constraints: readonly string[];
}

/** How much harm a misunderstood request could do. */
export type Risk = "HIGH" | "MEDIUM" | "LOW";

/** The server's judgement of the exploration, from its own records. */
export interface Evaluation {
  readonly confidence: "high" | "low";
  /** For each missing part, a sentence that names the tool to call. */
  readonly missing: readonly string[];
}

/** A rule from the project's documents that the work has to follow. */
export interface MandatoryRule {
  readonly rule: string;
  readonly source: string;
  /** True for a rule that the request itself changes, so that it binds nobody. */
  readonly toChange?: true;
}

/** Counters of the session that limit loops. */
export interface Counters {
  /** Failed verifications that named no task. */
  readonly verificationFailures: number;
  readonly interventions: number;
  readonly qualityReverts: number;
  readonly backs: number;
}

/** A path that may be written during one entry of READY implement. */
export interface WriteGrant {
  readonly path: TreePath;
  readonly visit: number;
  readonly taskId: string | null;
  /** True where only the layout of the file changed, which needs no write grant and gives none. */
  readonly isLayout?: true;
  /** True for a folder, below which new files may be made; a file that was there is cleared by its own path. */
  readonly isFolder?: true;
}

/** The facts about git that the session works with. */
export interface WorkspaceState {
  /** Whether the project is inside a git worktree. */
  readonly hasGit: boolean;
  /** Branch that the work is merged into; null without git or with a detached HEAD. */
  readonly baseBranch: string | null;
  /** Commit of the base branch from which the task branch was made, or with which it was last merged. */
  readonly baseCommit: string | null;
  /** Task branch; null before the first accepted plan, and in flows without one. */
  readonly taskBranch: string | null;
  /** Tree with which the session's work is compared: the start tree with what a merged base brought. */
  readonly baselineTree: string | null;
  /** Tree at the last accepted plan, to which an intervention can go back. */
  readonly planTree: string | null;
  /** Tree when the session was parked: changes since then are the user's. */
  readonly parkTree: string | null;
  /**
   * Commit or tree without any change of the user: HEAD at the start, or after a merged base the clean tree of that
   * merge. The user's uncommitted changes are the difference between it and the baseline.
   */
  readonly cleanTree: string | null;
  /** Second parent of the next prepared commit, after a merged base. */
  readonly mergeParent: string | null;
  /**
   * Files that the merged base left with conflicts, relative to the worktree, until that merge is
   * committed. Absent before the first conflict, and in older checkpoints.
   */
  readonly conflictTreePaths?: readonly TreePath[];
  /**
   * Files in which the user changed lines of the session. The baseline lacks their text there, so
   * it counts as the session's, and no commit takes it without the user's permission.
   */
  readonly personOverlaps?: readonly UserOverlap[];
  /** What the newest commit says of its verification; null or absent where none is made since the work went on. */
  readonly statement?: CommitStatement | null;
  /** Commits that the session made, oldest first. */
  readonly commits: readonly string[];
}

/** A file in which the user changed lines of the session. */
export interface UserOverlap {
  readonly treePath: TreePath;
  /** Mode and blob before the user first changed the file; null where there was no such file. */
  readonly before: string | null;
  /** Mode and blob after the user's last change; null where they removed the file. */
  readonly after: string | null;
}

/** What the disk should look like, and who may change it. */
export interface LedgerState {
  /** Tree of the worktree with every attributed change; null without git. */
  readonly tree: string | null;
  /** Where the server left HEAD; null without git. */
  readonly head: { readonly branch: string | null; readonly commit: string | null } | null;
  /** Files, folders and globs that the user works on until the end of the session. */
  readonly personPaths: readonly string[];
  /** Tree in which findings were last reported, so that each state of the disk is reported once. */
  readonly foundTree: string | null;
  /** Hashes of the files that steer git, taken at the start. */
  readonly gitFiles: Readonly<Record<string, string>>;
  /**
   * Hashes, by project path, of contract, configuration and the texts behind the verification
   * commands, taken at the start.
   */
  readonly texts?: Readonly<Record<string, string>>;
  /** Fingerprints, by path of the worktree, of what no tree can hold (huge files, empty repositories). */
  readonly odd?: Readonly<Record<string, string>>;
  /** Tip of the task branch as the server left it, once HEAD was moved back to the base. */
  readonly taskTip?: string | null;
  /** Tip of the base branch that the agent was last told, where others moved it. */
  readonly baseTip?: string | null;
  /** How findings are treated; fixed at the start. */
  readonly mode: "strict" | "warn" | "off";
}

/** The decision about one changed file at step 17. */
export interface ReviewedFile {
  readonly path: ProjectPath;
  readonly decision: "keep" | "discard";
  readonly reason: string | null;
}

/** The commit that step 17 prepared. It is made exactly once, before MERGE. */
export interface PreparedCommit {
  readonly message: string;
  /** Paths whose changes are committed. */
  readonly paths: readonly ProjectPath[];
  /** Paths where the user's own changes are committed too. */
  readonly includePerson: readonly ProjectPath[];
  /** True once changes by git hooks have been reviewed; the next commit takes the files as hooks leave them. */
  readonly hooksReviewed: boolean;
}

/** What a decision wants done on git or on files; stored in the checkpoint before it is done. */
export type Effect =
  | { readonly kind: "resolve_stale"; readonly choice: "delete" | "merge" | "continue" }
  | { readonly kind: "create_branch" }
  | { readonly kind: "remove_branch" }
  | { readonly kind: "restore_tree"; readonly to: "plan" | "baseline" }
  | { readonly kind: "discard"; readonly paths: readonly ProjectPath[] }
  | { readonly kind: "commit"; readonly verified: VerifiedTrailer }
  | {
    readonly kind: "merge";
    readonly onConflict: "resolve" | "park" | null;
    /** Message of the merge commit; left out for the usual one. */
    readonly message?: string;
  }
  | { readonly kind: "leave_branch"; readonly restore: boolean };

/** The result of an effect. */
export interface EffectResult {
  readonly kind: Effect["kind"];
  /** Fields of the workspace that changed. */
  readonly workspace?: Partial<WorkspaceState>;
  /** The outcome of the transition table for a result other than plain success. */
  readonly outcome?:
    | "hooks_changed"
    | "hook_failed"
    | "message_refused"
    | "hook_broken"
    | "conflict"
    | "evidence_stale"
    | "no_changes"
    | "parked"
    | "taken_back";
  /** Paths that the result is about: conflicted files, files that hooks changed, removed files. */
  readonly paths?: readonly ProjectPath[];
  /** Files of the worktree whose present version the effect wrote. */
  readonly written?: readonly TreePath[];
  /** Tasks whose evidence the effect removed, with the positions of the items. */
  readonly stale?: readonly StaleEvidence[];
  /** Evidence that the effect moved. */
  readonly carried?: readonly CarriedEvidence[];
  /** Why a part of the effect was not done, where the session goes on without it. */
  readonly undone?: Omit<UndoneEffects, "effects">;
  /** Fields for the reply. */
  readonly reply?: Readonly<Record<string, unknown>>;
}

/**
 * An accepted submission with the facts that it was judged by; its changes are computed from both.
 */
export interface AcceptedSubmission {
  readonly kind: "submission";
  readonly submission: Submission;
  readonly facts: Facts;
}

/** What format 1 of the checkpoint kept instead: the changes themselves. */
export interface AcceptedChanges {
  readonly kind: "changes";
  readonly outcome: Outcome;
  readonly patch: Partial<SessionState>;
}

/** A decision whose effects are being done; stored, so that it survives a kill. */
export interface PendingDecision {
  readonly accepted: AcceptedSubmission | AcceptedChanges;
  readonly effects: readonly Effect[];
  /** Object ids that the effects started from, as facts for recognising half-done work. */
  readonly expected: Readonly<Record<string, string>>;
  /** Fields of the reply that were fixed beside the submission: what was ignored, resolved, or moved meanwhile. */
  readonly reply: Readonly<Record<string, unknown>>;
  /** Hash of the payload as it was sent; absent in older checkpoints. */
  readonly sentHash?: string;
  /** True once the sender was told that the effects failed: who then sends the payload again asks what became of it. */
  readonly isTold?: true;
}

/** Effects that were not done, because they kept failing while the session was left. */
export interface UndoneEffects {
  readonly at: string;
  readonly effects: readonly Effect["kind"][];
  /** Code and message of the failure. */
  readonly code: string;
  readonly message: string;
}

/** What the project sets about coverage. */
export interface FixedCoverage {
  /** Coverage files, or folders of them, relative to the project. */
  readonly files: readonly string[];
  /** Least share of the changed lines that has to run, 0 to 1; null where none is asked. */
  readonly changedLines: number | null;
  /** Whether Node is asked to count lines. */
  readonly node: boolean;
}

/** The verification settings of the configuration at the start; later changes hold from the next session on. */
export interface FixedVerify {
  readonly verify: readonly {
    readonly name: string;
    readonly run: readonly string[];
    readonly paths?: readonly string[] | undefined;
    readonly writes?: readonly string[] | undefined;
    readonly timeout_s: number;
  }[];
  readonly baseline: "auto" | "off";
  /** Whether they run in a clean checkout; absent in older sessions, which run them in the worktree. */
  readonly checkout?: "auto" | "off";
  /** Names of ignored folders that are lent to the checkout. */
  readonly lend?: readonly string[];
  /** What is asked of coverage; absent in older sessions, which read none. */
  readonly coverage?: FixedCoverage;
  /** Rows of the configuration that could not be read. */
  readonly faults: readonly Problem[];
}

/** Everything that the engine knows about a session. */
export interface SessionState {
  readonly sessionId: string;
  readonly query: string;
  readonly intent: Intent;
  readonly gateLevel: GateLevel;
  readonly flags: Flags;
  readonly docResearchPrompts: readonly string[];
  readonly startedAt: string;

  readonly stage: Stage;
  readonly status: SessionStatus;
  readonly end: SessionEnd | null;
  /** Number of stages entered so far; records carry it. READY implement keeps its number until the next plan. */
  readonly visit: number;
  /** Stages in the order in which they were entered, `by` the server where it answered the stage from what it saw. */
  readonly path: readonly { readonly stage: Stage; readonly at: string; readonly by?: "server" }[];
  /** What the agent sent as the one payload of the default way, so that nothing of it is asked again. */
  readonly sent?: Readonly<Record<string, unknown>>;

  readonly counters: Counters;
  readonly escalation: Escalation | null;
  readonly decisions: readonly UserDecision[];
  readonly lastProblems: readonly StoredProblem[];

  readonly compactionCount: number;
  /** True once the agent has sent a count: from then on a missing count is a mismatch. */
  readonly compactionSeen: boolean;
  /** Summaries of all stage entries, by key such as `step_05_EXPLORATION`, in order. */
  readonly summaries: Readonly<Record<string, string>>;

  readonly documents: readonly string[];
  readonly rules: readonly MandatoryRule[];
  readonly frame: QueryFrame | null;
  /** Set with the frame; absent before, and in older sessions. */
  readonly risk?: Risk;
  /** Set with the frame where enough is known; absent in flows whose steps are fixed, and in older sessions. */
  readonly size?: Size;
  /** Set each time EXPLORATION is left. */
  readonly evaluation?: Evaluation;
  /** How the defect of the request was made to show before the work; absent where it was not. */
  readonly reproduced?: { readonly command: string; readonly showed: string };
  /** For clauses of the request what was run after the work, and what it showed. */
  readonly observed?: Readonly<Record<string, string>>;
  readonly findings: readonly string[];
  readonly hypotheses: readonly string[];
  readonly answers: Readonly<Record<string, { readonly answer: boolean; readonly reason: string }>>;
  readonly impact: readonly {
    readonly path: string;
    readonly status: "will_modify" | "no_change_needed" | "not_affected";
    readonly reason: string | null;
  }[];
  /** What the analyses of step 11 found; absent before, and in older sessions. */
  readonly impactFound?: ImpactFinding;

  readonly tasks: readonly Task[];
  readonly revertReason: string | null;
  readonly clearances: readonly WriteGrant[];

  readonly workspace: WorkspaceState;
  /** Absent in older sessions, which read the present configuration. */
  readonly fixedVerify?: FixedVerify;
  /** Size limit for untracked files in trees, in MiB, as set at the start; absent in older sessions. */
  readonly maxSnapshotMb?: number;
  /** Absent in older sessions without a ledger. */
  readonly ledger?: LedgerState;
  readonly review: readonly ReviewedFile[];
  readonly prepared: PreparedCommit | null;
  /** What weakens tests or seems left behind in the prepared commit, with the agent's reason for each; absent before step 17. */
  readonly testFindings?: readonly (TestFinding & { readonly reason: string })[];
  /** Files whose changes by the user go into commits with their permission, and the version that it was given for. */
  readonly includedPerson?: readonly { readonly path: ProjectPath; readonly oid: string }[];
  readonly verification: VerificationResult | null;
  /** Runs of the server that failed in a row; empty after one that did not, absent before the first. */
  readonly attempts?: readonly FailedRun[];
  readonly quality: {
    readonly score: string;
    readonly issues: readonly string[];
  } | null;
  /** Issues that were open when the completion was forced; absent where it was not, empty where a later review found none. */
  readonly forced?: readonly string[];
  readonly pending: PendingDecision | null;
  /** Set while the session is parked: a decision whose effects failed, which the resume takes up again. */
  readonly deferred?: PendingDecision;
  /** Effects that were dropped for good, because a person must always be able to leave a session. */
  readonly undone?: readonly UndoneEffects[];
}
