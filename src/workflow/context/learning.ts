/** What is learned from sessions, as the core asks for it: who learns gives it, and without anybody nothing is known or kept. */
import type { FindLearnedTerms } from "../../explore/meaning/map_hits.ts";
import type { SessionState } from "../../phase/state.ts";
import type { Stage } from "../../phase/table/phases.ts";
import type { CheckCost } from "../../phase/check_findings.ts";
import type { Proof } from "../../prove/verdict.ts";
import type { SessionRecord } from "../../session/records.ts";

/** A definition with lines that a session added, changed or took out. */
export interface ChangedSymbol {
  /** Relative to the project. */
  readonly path: string;
  /** The qualified name of the innermost definition round the lines. */
  readonly name: string;
  /** The qualified names of what holds it, the nearest first. */
  readonly holders: readonly string[];
  readonly isTest: boolean;
}

/** What was planned for a request when it was understood. */
export interface DecisionPlan {
  /** Phases that the flow of the session passes where nothing optional is asked for. */
  readonly requiredPhases: string[];
  /** Tools of the searches that the understood request leads to. */
  readonly toolsPlanned: string[];
  /** Past commits like the request, nearest first. */
  readonly pastCommits: string[];
}

/** A state that was saved, with what is needed to say what it means. */
export interface SavedState {
  readonly state: SessionState;
  /** Whether the flow of the session takes the request apart. */
  readonly isFramed: boolean;
  /** Read only when a line is due that is not written yet. */
  readonly loadRecords: () => Promise<readonly SessionRecord[]>;
  /** What the session changed, by definitions; read only where something can be learned of it. */
  readonly loadChanged: () => Promise<readonly ChangedSymbol[]>;
  /** Asked only when the decision is due. */
  readonly loadPlan: () => Promise<DecisionPlan>;
  /** Files that the session changed, relative to the project. */
  readonly files: readonly string[];
  /** Turns a path of the records into one of the project. */
  readonly toProject: (path: string) => string;
}

/** What came of noting a state. */
export interface Noted {
  /** What could not be written, for the reply. */
  readonly notices: readonly string[];
  /** Names of files in `.code-intel/agreements/` that were written. */
  readonly learned: readonly string[];
}

/** What an agent suggests about the prompts of the project. */
export interface Suggestion {
  readonly sessionId: string;
  readonly stage: Stage;
  readonly text: string;
}

/** What words of requests stand for, by one file of `.code-intel/agreements/`. */
export interface LearnedTerms {
  /** Name of the file. */
  readonly name: string;
  readonly terms: readonly string[];
  readonly symbols: readonly string[];
}

/** How many sessions ended how. */
export interface ResultCount {
  readonly total: number;
  readonly success: number;
  readonly partial: number;
  readonly failure: number;
}

/** A stage at which work failed, with the reasons on record. */
export interface FailurePoint {
  readonly phase: string;
  readonly failures: number;
  /** The newest first, each once. */
  readonly root_causes: readonly string[];
}

/** The last word about one piece of work. */
export interface FinalOutcome {
  readonly sessionId: string | null;
  readonly at: string;
  readonly query: string;
  readonly outcome: string;
  readonly result: "success" | "partial" | "failure";
  readonly phase: string | null;
  readonly rootCause: string | null;
}

/** What became of earlier work; each session counts by the last word about it. */
export interface LoggedOutcomes {
  /** In the order of the last words. */
  readonly finals: readonly FinalOutcome[];
  readonly counts: {
    readonly all: ResultCount;
    readonly by_phase: Readonly<Record<string, ResultCount>>;
    readonly common_failure_points: readonly FailurePoint[];
  };
  /** Lines on record that could not be read; they count for nothing. */
  readonly damaged: number;
}

/** What a proof cost and found. */
export interface ProofCost extends Pick<Proof, "findings"> {
  /** Who proved: the command and the tool, or step 15 of a session. */
  readonly by: "prove" | "session";
  /** Trees of before and of the change. */
  readonly base: string;
  readonly tree: string;
  /** ISO time. */
  readonly at: string;
  /** `rare`: passed over this time, since it did not pay here. */
  readonly checks: readonly CheckCost[];
}

/** What one check of proofs cost in this project, and what came of it. */
export interface CheckPrice {
  readonly name: string;
  readonly runs: number;
  /** Of all runs together. */
  readonly seconds: number;
  /** Findings that were gone after a change of the files. */
  readonly paid: number;
  /** Findings that were answered, or committed as they were. */
  readonly overridden: number;
  /** Whether it has not paid for so long that it runs once in ten. */
  readonly isRare: boolean;
  /** Whether the next proof passes it over. */
  readonly isPassedOver: boolean;
}

/** Of the names those that are defined now; null where nobody can say. */
export type FindDefined = (names: readonly string[]) => Promise<ReadonlySet<string> | null>;

/** What is remembered across sessions. */
export interface Learning {
  /** Records what a state makes due and is not there yet; it can be called as often as one likes. */
  note(saved: SavedState): Promise<Noted>;
  /** Fields of a start reply about earlier requests like this one; empty where there is nothing. Never fails. */
  recall(query: string): Promise<Readonly<Record<string, unknown>>>;
  /** How many sessions that were judged small went wrong at one of these symbols or files. */
  countTroubled(
    at: { readonly symbols: readonly string[]; readonly files: readonly string[] },
  ): Promise<number>;
  /** Records that the last finished work has failed after all; null when none is on record. */
  amendLast(reason: string): Promise<{ readonly sessionId: string | null } | null>;
  /** Keeps a suggestion; returns why that could not be done, null when it was. */
  addSuggestion(suggestion: Suggestion): Promise<string | null>;
  /** What the words of a question stand for, best first. Whether symbols still exist is not checked. */
  readonly search: FindLearnedTerms;
  /** Fields of a reply about terms that the code has left behind; null where nothing can be checked. */
  checkMap(findDefined: FindDefined): Promise<Readonly<Record<string, unknown>> | null>;
  readOutcomes(): Promise<LoggedOutcomes>;
  /** Keeps what a proof cost. Never fails: a cost that is not kept only makes the prices poorer. */
  noteProof(cost: ProofCost): Promise<void>;
  readPrices(): Promise<readonly CheckPrice[]>;
  /** What a session taught. */
  listLearned(sessionId: string): Promise<readonly LearnedTerms[]>;
}

const NONE: ResultCount = { total: 0, success: 0, partial: 0, failure: 0 };

/** Nothing is learned. */
export const NO_LEARNING: Learning = {
  note: () => Promise.resolve({ notices: [], learned: [] }),
  recall: () => Promise.resolve({}),
  countTroubled: () => Promise.resolve(0),
  amendLast: () => Promise.resolve(null),
  addSuggestion: () => Promise.resolve("Suggestions are not kept: nothing here learns from them"),
  search: () => Promise.resolve([]),
  checkMap: () => Promise.resolve(null),
  readOutcomes: () =>
    Promise.resolve({
      finals: [],
      counts: { all: NONE, by_phase: {}, common_failure_points: [] },
      damaged: 0,
    }),
  noteProof: () => Promise.resolve(),
  readPrices: () => Promise.resolve([]),
  listLearned: () => Promise.resolve([]),
};
