/**
 * What the program learns from finished work: logs of decisions and outcomes, agreements, and their recall.
 *
 * @module
 */
export type { Agreement, StoredAgreement } from "./agreement.ts";
export type { AgreementList, SaveResult } from "./agreement_folder.ts";
export { createSymbolFinder } from "./check_symbols.ts";
export type { FindSymbol } from "./check_symbols.ts";
export type { ChangedSymbol } from "./confirm.ts";
export type { DecisionLine, DecisionPlan, LearnedState } from "./decision_log.ts";
export { createLearning } from "./open_learning.ts";
export type { Learning } from "./open_learning.ts";
export type {
  HandOutcome,
  LearnedLogs,
  LearningOptions,
  Noted,
  ProjectLearning,
  SavedState,
} from "./learning.ts";
export { MIN_MAP_SCORE, scoreAgreement } from "./map.ts";
export type { LearnedMap, MapDocument, MapHit, ScoredAgreement } from "./map.ts";
export type { FindDefined, MapReport, StaleAgreement } from "./map_check.ts";
export type { OutcomeLine, OutcomeResult } from "./outcome_log.ts";
export { findLastWork, toFinalOutcomes } from "./outcome_log.ts";
export { toSimilarity } from "./recall.ts";
export { toSessionStory, toStats } from "./stats.ts";
export type { FailurePoint, ResultCount, SessionStory, Stats } from "./stats.ts";
export type { Suggestion } from "./suggestions.ts";
