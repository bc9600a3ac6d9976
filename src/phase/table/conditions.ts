/**
 * The conditions that a transition may depend on. Flags are read here, and never in a rule. Pure.
 */
import { STEP } from "../../base/steps.ts";
import { isThinAtHighRisk } from "../contract/evaluation.ts";
import type { Flag } from "./flags.ts";
import { isInvestigation } from "./flags.ts";
import type { SessionState } from "../state.ts";

/** A condition on the session, by name so that the documents can show it. */
export type Condition =
  | "investigation"
  | "no_doc"
  | "skips_exploration"
  | "gate_full"
  | "thin_at_high_risk"
  | "no_verify"
  | "quick"
  | "only_verify"
  | "no_quality"
  | "no_intervention";

/**
 * What conditions read: how the session was started, and the server's judgement of its exploration.
 */
export type ConditionFacts = Pick<
  SessionState,
  "intent" | "gateLevel" | "flags" | "risk" | "evaluation" | "size"
>;

/** A row of {@link CONDITIONS}. */
export interface ConditionRow {
  readonly meaning: string;
  readonly holds: (facts: ConditionFacts) => boolean;
}

/** Every condition. */
export const CONDITIONS: Readonly<Record<Condition, ConditionRow>> = {
  investigation: {
    meaning: "the intent is to ask or to investigate, or the flag `only_explore` is set",
    holds: isInvestigation,
  },
  no_doc: flagged("no_doc"),
  skips_exploration: flagged("fast", "quick"),
  gate_full: {
    meaning: `\`gate_level\` is full, or the request was judged large at ${STEP.QUERY_FRAME}`,
    holds: ({ gateLevel, size }) => gateLevel === "full" || size?.level === "large",
  },
  thin_at_high_risk: {
    meaning:
      "the risk of the request is HIGH, and the server's records of the exploration show little",
    holds: isThinAtHighRisk,
  },
  no_verify: flagged("no_verify"),
  quick: flagged("quick"),
  only_verify: flagged("only_verify"),
  no_quality: flagged("no_quality", "fast"),
  no_intervention: flagged("no_intervention", "quick"),
};

/** A condition that is true when one of the flags is set. */
function flagged(...names: readonly Flag[]): ConditionRow {
  return {
    meaning: `the flag ${names.map((name) => `\`${name}\``).join(" or ")} is set`,
    holds: ({ flags }) => names.some((name) => flags[name] === true),
  };
}
