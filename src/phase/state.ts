/**
 * The state of the engine: plain, JSON-ready data that the checkpoint stores whole. Only `decide`
 * makes new ones. Nothing here knows the disk or git beyond names and object ids.
 */
import type { ProjectPath, TreePath } from "../base/paths.ts";
import type { Problem } from "../base/problem.ts";
import type { ImpactFinding } from "./facts.ts";
import type { Flags, GateLevel, Intent } from "./flags.ts";
import type { Stage } from "./phases.ts";
import type { Task } from "./tasks.ts";
import type { Outcome } from "./transitions.ts";

/** Whether the session goes on, waits, or is over. */
export type SessionStatus = "active" | "parked" | "ended";

/** How a session ended. */
export type SessionEnd = "merged" | "completed" | "abandoned" | "failed";

/** Who answered a question that belongs to the person. */
export type AnswerSource = "asked" | "terminal" | "relayed";

/** An answer of the person that changed the flow, kept for the report and the commit trailer. */
export interface PersonDecision {
  readonly at: string;
  readonly stage: Stage;
  readonly decision: string;
  readonly reason: string;
  readonly source: AnswerSource;
}

/** Why the person has to be asked before anything goes on. */
export type EscalationCause =
  | "verification_limit"
  | "intervention_limit"
  | "back_limit"
  | "hook_limit";

/** A question that waits for the person. */
export interface Escalation {
  readonly cause: EscalationCause;
  readonly message: string;
}

/** A slot of the query frame. */
export interface FrameSlot {
  readonly value: string;
  readonly quote: string;
  readonly source: "FACT" | "HYPOTHESIS";
}

/** The request, taken apart. Unknown slots are null. */
export interface QueryFrame {
  readonly actionType: string | null;
  readonly slots: {
    readonly target_feature: FrameSlot | null;
    readonly trigger_condition: FrameSlot | null;
    readonly observed_issue: FrameSlot | null;
    readonly desired_action: FrameSlot | null;
  };
  readonly targetSymbols: readonly string[];
  /** How sure the link of a target symbol to the request is; absent until it is measured. */
  readonly symbolSources?: Readonly<Record<string, "FACT" | "HYPOTHESIS">>;
  readonly scope: string | null;
  readonly constraints: readonly string[];
}

/** How much harm a misunderstood request can do. */
export type Risk = "HIGH" | "MEDIUM" | "LOW";

/** What the server thinks of the exploration, from its own records. */
export interface Evaluation {
  readonly confidence: "high" | "low";
  /** One sentence for each thing that is missing, naming the tool to call. */
  readonly missing: readonly string[];
}

/** A rule of the project's documents that the work has to keep. */
export interface MandatoryRule {
  readonly rule: string;
  readonly source: string;
}

/** Counters of the safety valves that belong to the session. */
export interface Counters {
  /** Failed verifications that name no task. */
  readonly verificationFailures: number;
  readonly interventions: number;
  readonly qualityReverts: number;
  readonly backs: number;
}

/** A path that the write guard allowed, for one visit of READY implement. */
export interface Clearance {
  readonly path: TreePath;
  readonly visit: number;
  readonly taskId: string | null;
}

/** What git facts the session works with. */
export interface Workspace {
  /** Whether the project is inside a git worktree. */
  readonly hasGit: boolean;
  /** Branch that the work is merged into; null without git or with a detached HEAD. */
  readonly baseBranch: string | null;
  /** Commit of the base branch that the task branch was made from or last merged with. */
  readonly baseCommit: string | null;
  /** Task branch; null before the first accepted plan and in flows without one. */
  readonly taskBranch: string | null;
  /** Tree that the work of the session is compared with (the start tree, plus what a base brought). */
  readonly baselineTree: string | null;
  /** Tree at the last accepted plan: what an intervention can go back to. */
  readonly planTree: string | null;
  /** Tree when the session was parked: what changed since is the person's. */
  readonly parkTree: string | null;
  /**
   * Commit or tree without any change of the person's: HEAD at the start, and after a merged base what
   * that merge answered. It tells the person's dirty files from the baseline.
   */
  readonly cleanTree: string | null;
  /** Second parent that the next prepared commit gets, after a merged base. */
  readonly mergeParent: string | null;
  /**
   * Files that the merged base left with conflicts, relative to the worktree, until the commit of that
   * merge is made. Absent before the first conflict, and in checkpoints from before it was written.
   */
  readonly conflictTreePaths?: readonly TreePath[];
  /**
   * Files in which the person changed lines that the session had written: the baseline lacks their text there,
   * so that it counts as the session's, and no commit takes it without their word.
   */
  readonly personOverlaps?: readonly PersonOverlap[];
  /** Commits that the session made, oldest first. */
  readonly commits: readonly string[];
}

/** A file in which the person changed lines of the session. */
export interface PersonOverlap {
  readonly treePath: TreePath;
  /** Mode and blob before the person first changed it; null where there was no such file. */
  readonly before: string | null;
  /** The same with what they changed last; null where they removed it. */
  readonly after: string | null;
}

/** What the disk should look like, and who may change it without being asked. */
export interface LedgerState {
  /** Tree of the worktree with every change that was booked to somebody; null without git. */
  readonly tree: string | null;
  /** Where the server left HEAD; null without git. */
  readonly head: { readonly branch: string | null; readonly commit: string | null } | null;
  /** Files, folders and globs that the person works on until the end of the session. */
  readonly personPaths: readonly string[];
  /** Tree in which findings were seen last, so that each state of the disk is reported once. */
  readonly foundTree: string | null;
  /** Hashes of the files that steer git, taken at the start. */
  readonly gitFiles: Readonly<Record<string, string>>;
  /**
   * Hashes of contract, configuration and the texts behind the verification commands, by path of the
   * project, taken at the start.
   */
  readonly texts?: Readonly<Record<string, string>>;
  /** Fingerprints of what no tree can hold (huge files, empty repositories), by path of the worktree. */
  readonly odd?: Readonly<Record<string, string>>;
  /** Tip of the task branch as the server left it, once HEAD has gone back to the base. */
  readonly taskTip?: string | null;
  /** Tip of the base branch that the agent was last told of, where others moved it. */
  readonly baseTip?: string | null;
  /** How findings are dealt with; fixed at the start. */
  readonly mode: "strict" | "warn" | "off";
}

/** A decision about one changed file at step 17. */
export interface ReviewedFile {
  readonly path: ProjectPath;
  readonly decision: "keep" | "discard";
  readonly reason: string | null;
}

/** The commit that step 17 prepared and that is made exactly once, before MERGE. */
export interface PreparedCommit {
  readonly message: string;
  /** Paths whose changes are committed. */
  readonly paths: readonly ProjectPath[];
  /** Paths where the person's own changes are committed too. */
  readonly includePerson: readonly ProjectPath[];
  /** True once git hooks changed files after a review; the next commit is made as it then is. */
  readonly hooksReviewed: boolean;
}

/** A result of step 15. */
export interface VerificationResult {
  readonly at: string;
  readonly passed: boolean;
  readonly verifier: string;
  readonly details: string;
  readonly failedTasks: readonly string[];
  /** Who says so: the server's own run, the client, or the client where the run was red before. */
  readonly source: "server" | "self-reported" | "baseline-red";
  /** Tree at the start of the server's run. Absent without git or run. */
  readonly ranOn?: string | null;
  /** Files that the commands of the run wrote, as announced, relative to the worktree. */
  readonly wrote?: readonly TreePath[];
  /** Tree for which the result was accepted: the work in it is as in that of the run. */
  readonly tree?: string | null;
  /** The baseline at that moment: what it has gained since is not the session's. */
  readonly baselineTree?: string | null;
}

/** How sure a committed change is verified: the value of the commit trailer. */
export type VerifiedTrailer =
  | "yes"
  /** Verified, and then others changed files beside the work, or a git hook changed the commit again. */
  | "yes, tree differs"
  | "self-reported"
  | "baseline-red"
  | "no"
  | `overridden (${AnswerSource})`;

/** What a decision wants done on git or the tree; written to the checkpoint before it is done. */
export type Effect =
  | { readonly kind: "resolve_stale"; readonly choice: "delete" | "merge" | "continue" }
  | { readonly kind: "create_branch" }
  | { readonly kind: "remove_branch" }
  | { readonly kind: "restore_tree"; readonly to: "plan" | "baseline" }
  | { readonly kind: "discard"; readonly paths: readonly ProjectPath[] }
  | { readonly kind: "commit"; readonly verified: VerifiedTrailer }
  | { readonly kind: "merge"; readonly onConflict: "resolve" | "park" | null }
  | { readonly kind: "leave_branch"; readonly restore: boolean };

/** Evidence that does not stand any more. */
export interface StaleEvidence {
  readonly taskId: string;
  /** Positions in the checklist, from 0. */
  readonly items: readonly number[];
}

/** Evidence of a completed task as it is in a later tree. */
export interface CarriedEvidence {
  readonly taskId: string;
  /** The tree in which the texts are right. */
  readonly tree: string;
  /** Present texts by position in the checklist, from 0. */
  readonly items: readonly { readonly index: number; readonly evidence: string }[];
}

/** What became of an effect. */
export interface EffectResult {
  readonly kind: Effect["kind"];
  /** New values of the workspace. */
  readonly workspace?: Partial<Workspace>;
  /** An event other than plain success: the name of an outcome of the transition table. */
  readonly outcome?:
    | "hooks_changed"
    | "hook_failed"
    | "conflict"
    | "evidence_stale"
    | "no_changes"
    | "parked";
  /** Paths concerned: conflicted files, files that hooks changed, files removed. */
  readonly paths?: readonly ProjectPath[];
  /** Files of the worktree whose present version is the effect's own doing. */
  readonly written?: readonly TreePath[];
  /** Tasks whose evidence the effect took away, with the positions of the items. */
  readonly stale?: readonly StaleEvidence[];
  /** Evidence that the effect moved. */
  readonly carried?: readonly CarriedEvidence[];
  /** Why a part of the effect was not done, where the session goes on without it. */
  readonly undone?: Omit<UndoneEffects, "effects">;
  /** Facts for the reply. */
  readonly reply?: Readonly<Record<string, unknown>>;
}

/** A decision whose effects are under way: the intent that survives a kill. */
export interface PendingDecision {
  readonly outcome: Outcome;
  readonly effects: readonly Effect[];
  /** What the decision changes in the state once its effects are done. */
  readonly patch: Partial<SessionState>;
  /** Object ids that the effects started from, as facts for recognising half-done work. */
  readonly expected: Readonly<Record<string, string>>;
  /** Fields of the reply that the decision already fixed. */
  readonly reply: Readonly<Record<string, unknown>>;
}

/** Effects that the session went on without, because they kept failing while it was left. */
export interface UndoneEffects {
  readonly at: string;
  readonly effects: readonly Effect["kind"][];
  /** Code and text of the failure. */
  readonly code: string;
  readonly message: string;
}

/** What the configuration said of verification at the start: a later change waits for the next session. */
export interface FixedVerify {
  readonly verify: readonly {
    readonly name: string;
    readonly run: readonly string[];
    readonly paths?: readonly string[] | undefined;
    readonly writes?: readonly string[] | undefined;
    readonly timeout_s: number;
  }[];
  readonly baseline: "auto" | "off";
  /** Rows that could not be read. */
  readonly faults: readonly Problem[];
}

/** Everything the engine knows about one session. */
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
  /** Counts entries into stages; records carry it. READY implement keeps one until the next plan. */
  readonly visit: number;
  /** Stages in the order in which they were entered. */
  readonly path: readonly { readonly stage: Stage; readonly at: string }[];

  readonly counters: Counters;
  readonly escalation: Escalation | null;
  readonly decisions: readonly PersonDecision[];
  readonly lastProblems: readonly Problem[];

  readonly compactionCount: number;
  /** True once the agent has sent a count: from then on a missing one is a mismatch. */
  readonly compactionSeen: boolean;
  /** Summaries of all visits, by key such as `step_05_EXPLORATION`, in order. */
  readonly summaries: Readonly<Record<string, string>>;

  readonly documents: readonly string[];
  readonly rules: readonly MandatoryRule[];
  readonly frame: QueryFrame | null;
  /** Set with the frame; absent before, and in sessions that took that step before there was a risk. */
  readonly risk?: Risk;
  /** Set on leaving EXPLORATION, each time anew. */
  readonly evaluation?: Evaluation;
  /** Names in `tools_used` that the server cannot check, by key of the summary. */
  readonly unverifiedTools?: Readonly<Record<string, readonly string[]>>;
  readonly findings: readonly string[];
  readonly hypotheses: readonly string[];
  readonly answers: Readonly<Record<string, { readonly answer: boolean; readonly reason: string }>>;
  readonly impact: readonly {
    readonly path: string;
    readonly status: "will_modify" | "no_change_needed" | "not_affected";
    readonly reason: string | null;
  }[];
  /** What the analyses of step 11 found; absent before, and in sessions that took that step before it was kept. */
  readonly impactFound?: ImpactFinding;

  readonly tasks: readonly Task[];
  readonly revertReason: string | null;
  readonly clearances: readonly Clearance[];

  readonly workspace: Workspace;
  /** Absent in sessions that began before it was kept: they read the configuration as it is. */
  readonly fixedVerify?: FixedVerify;
  /** Largest untracked file that a tree holds, in MiB, as it was at the start; absent like the former. */
  readonly maxSnapshotMb?: number;
  /** Absent in sessions that began before there was a ledger. */
  readonly ledger?: LedgerState;
  readonly review: readonly ReviewedFile[];
  readonly prepared: PreparedCommit | null;
  /** Files whose changes by the person go into commits with their word, and which version it was about. */
  readonly includedPerson?: readonly { readonly path: ProjectPath; readonly oid: string }[];
  readonly verification: VerificationResult | null;
  readonly quality: {
    readonly score: string;
    readonly issues: readonly string[];
  } | null;
  readonly pending: PendingDecision | null;
  /** Set while parked: a decision whose effects failed; the resume takes it up again. */
  readonly deferred?: PendingDecision;
  /** What was given up for good, because leaving the session may not depend on it. */
  readonly undone?: readonly UndoneEffects[];
}
