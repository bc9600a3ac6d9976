/** The first state of a session. Pure. */
import type { Flags, GateLevel, Intent } from "./table/flags.ts";
import type { FixedVerify, LedgerState, SessionState, WorkspaceState } from "./state.ts";
import { findFirstStage } from "./table/transitions.ts";

/** What the state of a new session is made from; the flags were checked with `checkMode`. */
export interface BeginInput {
  readonly sessionId: string;
  readonly query: string;
  readonly intent: Intent;
  readonly gateLevel: GateLevel;
  readonly flags: Flags;
  readonly docResearchPrompts: readonly string[];
  /** The present time, ISO 8601. */
  readonly now: string;
  readonly workspace: WorkspaceState;
  /** The first ledger; absent without git. */
  readonly ledger?: LedgerState;
  readonly hasStaleBranches: boolean;
  /** What the configuration says about verification now, which holds for the whole session. */
  readonly fixedVerify?: FixedVerify;
  readonly maxSnapshotMb?: number;
}

/** Makes the state of a new session. */
export function beginSession(input: BeginInput): SessionState {
  const stage = findFirstStage(input, input.hasStaleBranches);
  return {
    sessionId: input.sessionId,
    query: input.query,
    intent: input.intent,
    gateLevel: input.gateLevel,
    flags: input.flags,
    docResearchPrompts: input.docResearchPrompts,
    startedAt: input.now,
    stage,
    status: "active",
    end: null,
    visit: 1,
    path: [{ stage, at: input.now }],
    counters: { verificationFailures: 0, interventions: 0, qualityReverts: 0, backs: 0 },
    escalation: null,
    decisions: [],
    lastProblems: [],
    compactionCount: 0,
    compactionSeen: false,
    summaries: {},
    documents: [],
    rules: [],
    frame: null,
    findings: [],
    hypotheses: [],
    answers: {},
    impact: [],
    tasks: [],
    revertReason: null,
    clearances: [],
    workspace: input.workspace,
    ...(input.fixedVerify === undefined ? {} : { fixedVerify: input.fixedVerify }),
    ...(input.maxSnapshotMb === undefined ? {} : { maxSnapshotMb: input.maxSnapshotMb }),
    ...(input.ledger === undefined ? {} : { ledger: input.ledger }),
    review: [],
    prepared: null,
    verification: null,
    quality: null,
    pending: null,
  };
}
