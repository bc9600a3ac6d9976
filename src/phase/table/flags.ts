/** Intents, flags, and which combinations are allowed, as tables. Pure. */
import { STEP } from "../../base/steps.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import type { Words } from "../../base/text/words.ts";
import { argument, say } from "../../base/text/words.ts";

/** What the user wants, as the agent classified it. */
export type Intent = "IMPLEMENT" | "MODIFY" | "INVESTIGATE" | "QUESTION";

/** All intents. */
export const INTENTS = ["IMPLEMENT", "MODIFY", "INVESTIGATE", "QUESTION"] as const;

/** Whether the answers to Q1–Q3 are followed (`auto`) or only recorded (`full`). */
export type GateLevel = "full" | "auto";

/** A flag of a session. */
export type Flag =
  | "no_verify"
  | "no_quality"
  | "only_verify"
  | "only_explore"
  | "fast"
  | "quick"
  | "no_doc"
  | "no_intervention";

/** Every flag with the option a person types and what it does; numbers are steps. */
export const FLAGS: Readonly<Record<Flag, { readonly option: string; readonly effect: string }>> = {
  no_verify: { option: "--no-verify", effect: "Skip 15-16" },
  no_quality: { option: "--no-quality", effect: "Skip 18" },
  only_verify: {
    option: "--only-verify, -v",
    effect: "Only 15, on the working diff",
  },
  only_explore: {
    option: "--only-explore, -e",
    effect: "Explore, write nothing",
  },
  fast: { option: "--fast, -f", effect: "Skip 5-11 and 18" },
  quick: { option: "--quick, -q", effect: "Skip 5-11 and 16-19, no branch" },
  no_doc: { option: "--no-doc-research, --no-doc", effect: "Skip 3" },
  no_intervention: { option: "--no-intervention, -ni", effect: "Skip 16" },
};

/** All flags in a fixed order. */
export const FLAG_NAMES = Object.keys(FLAGS) as readonly Flag[];

/** The flags of one session; absent means false. */
export type Flags = Readonly<Partial<Record<Flag, boolean>>>;

/** What a session was started with. */
export interface Mode {
  readonly intent: Intent;
  readonly gateLevel: GateLevel;
  readonly flags: Flags;
}

/** A contradictory combination, and how to say what was meant. */
interface Conflict {
  readonly holds: (mode: Mode) => boolean;
  readonly pair: Words;
  readonly hint: Words;
}

const ONLY_VERIFY_FREE: readonly Flag[] = [
  "only_verify",
  "no_doc",
  "no_intervention",
  "no_quality",
];
const ONLY_EXPLORE_CONTRADICTS: readonly Flag[] = ["fast", "quick", "only_verify"];

const CONFLICTS: readonly Conflict[] = [
  {
    pair: say`${argument("fast")} + ${argument("quick")}`,
    holds: ({ flags }) => flags.fast === true && flags.quick === true,
    hint: say`Send ${argument("fast")} for a branch with review and merge, or ${
      argument("quick")
    } for neither.`,
  },
  {
    pair: say`${argument("gate_level")} full + ${argument("fast")}`,
    holds: ({ gateLevel, flags }) => gateLevel === "full" && flags.fast === true,
    hint: say`${argument("gate_level")} full runs every exploration step, ${
      argument("fast")
    } skips them: send one of the two.`,
  },
  {
    pair: say`${argument("gate_level")} full + ${argument("quick")}`,
    holds: ({ gateLevel, flags }) => gateLevel === "full" && flags.quick === true,
    hint: say`${argument("gate_level")} full runs every exploration step, ${
      argument("quick")
    } skips them: send one of the two.`,
  },
  {
    pair: say`${argument("fast")} or ${argument("quick")} + investigation`,
    holds: (mode) =>
      isInvestigation(mode) && (mode.flags.fast === true || mode.flags.quick === true),
    hint: say`An investigation only explores: leave ${argument("fast")} and ${
      argument("quick")
    } out, or send ${argument("intent")} MODIFY.`,
  },
  {
    pair: say`${argument("only_verify")} + another flow`,
    holds: (mode) =>
      mode.flags.only_verify === true &&
      (isInvestigation(mode) || mode.gateLevel === "full" ||
        FLAG_NAMES.some((flag) => mode.flags[flag] === true && !ONLY_VERIFY_FREE.includes(flag))),
    hint: say`${argument("only_verify")} runs ${STEP.POST_IMPL_VERIFY} alone: send it with ${
      argument("intent")
    } IMPLEMENT or MODIFY and no other flow.`,
  },
  {
    pair: say`${argument("only_explore")} + another flow`,
    holds: ({ flags }) =>
      flags.only_explore === true && ONLY_EXPLORE_CONTRADICTS.some((flag) => flags[flag] === true),
    hint: say`${argument("only_explore")} ends after the exploration: leave ${argument("fast")}, ${
      argument("quick")
    } and ${argument("only_verify")} out.`,
  },
];

/** The problems of contradictory combinations of intent, gate level and flags, one for each. */
export function checkMode(mode: Mode): readonly Problem[] {
  return CONFLICTS.filter((conflict) => conflict.holds(mode)).map((conflict) =>
    makeProblem("flags_conflict", say`These cannot go together: ${conflict.pair}`, {
      at: "flags",
      hint: conflict.hint,
    })
  );
}

/** True when the session only explores and writes nothing, whatever its other flags are. */
export function isInvestigation(mode: Pick<Mode, "intent" | "flags">): boolean {
  return mode.intent === "INVESTIGATE" || mode.intent === "QUESTION" ||
    mode.flags.only_explore === true;
}

/** True when the session plans work and writes files: it neither explores alone nor verifies alone. */
export function writesFiles(mode: Pick<Mode, "intent" | "flags">): boolean {
  return !isInvestigation(mode) && mode.flags.only_verify !== true;
}

/** True when the session works on a task branch and ends with a commit and a merge. */
export function hasBranchFlow(mode: Pick<Mode, "intent" | "flags">): boolean {
  return writesFiles(mode) && mode.flags.quick !== true;
}
