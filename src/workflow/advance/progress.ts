/** Who submits a payload, and what the call has learned and done for it so far. */
import type { AskedSource, UserPrompt } from "../../base/asker.ts";
import type { WorktreeSnapshot } from "../../ledger/trees.ts";
import type { Facts } from "../../phase/facts.ts";
import type { SessionState } from "../../phase/state.ts";
import type { UserAnswer } from "../resolve/ask_resolutions.ts";
import { isLeaving } from "../resolve/resolve_findings.ts";
import type { Waiting } from "../verify/run_wait.ts";
import type { FinishedRun, TrustGiven } from "../verify/verify_step.ts";

/** Who submits: how long they can wait, and how the user is asked. */
export interface Caller extends Waiting {
  readonly asker: UserPrompt;
  /** True for a caller outside the agent's conversation, such as a command line. */
  readonly isAside?: boolean;
  /** Where the user themself said this; absent where the agent says it. */
  readonly said?: AskedSource;
}

/** The session that a submission is for (the active one, or one by id), and who submits. */
export interface AdvanceOptions {
  readonly sessionId?: string;
  readonly caller?: Caller;
  /** What the payload before this one in the same call saw of the files. */
  readonly lookBefore?: PreviousObservation | null;
  /** Set where the server made the payload, with the agent's one payload where there is one. */
  readonly draft?: Facts["draft"];
}

/** What a call has learned and done so far for its payload. */
export interface Progress {
  /** The payload as it was sent. */
  readonly sent: unknown;
  /** The payload without the resolutions that were carried out. */
  readonly data: unknown;
  /** The payload parks or abandons, which is possible in spite of findings and of effects that fail. */
  readonly isLeaving: boolean;
  /** Only resolutions were sent: once they are carried out, the call is answered. */
  readonly isAlone: boolean;
  /** The user's answer to the last question; null before one. */
  readonly word: UserAnswer | null;
  /** The last run of the project's commands; null before one. */
  readonly run: FinishedRun | null;
  /** The commands that the user allowed during this call. */
  readonly trust: TrustGiven | null;
  /** Fields about resolved findings, which the reply has to carry. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** What the payload before this one in the same call saw; null where there is none. */
  readonly lookBefore: PreviousObservation | null;
  /** How often the files changed after they were judged. */
  readonly races: number;
  /** Effects of an earlier call were completed during this one. */
  readonly hasCompleted: boolean;
}

/** What a payload saw of the files, and the state that was saved afterwards. */
export interface PreviousObservation {
  readonly looked: WorktreeSnapshot | null;
  readonly state: SessionState;
}

/** What a call begins with. */
export function beginProgress(data: unknown, { lookBefore = null }: AdvanceOptions): Progress {
  return {
    sent: data,
    data,
    isLeaving: isLeaving(data),
    isAlone: false,
    word: null,
    run: null,
    trust: null,
    fields: {},
    lookBefore,
    races: 0,
    hasCompleted: false,
  };
}
