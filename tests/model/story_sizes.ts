/** Which risks and sizes a story can have, and what work of a size can turn out to be. */
import type { SessionState } from "../../src/phase/state.ts";
import type { Story } from "./matrix.ts";

/** An investigation cannot do harm, whatever its request leaves open. */
export function toRisks(
  { intent, flags }: SessionState,
  story: Story,
): readonly ("HIGH" | "LOW")[] {
  const isWork = intent === "IMPLEMENT" || intent === "MODIFY";
  const canBeHigh = isWork && flags.only_explore !== true && story.stale === "none";
  return canBeHigh ? ["HIGH", "LOW"] : ["LOW"];
}

/** A size is judged where work is explored and no gate is fixed; with one flag at most, to keep the walks few. */
export function toSizes(
  { intent, flags, gateLevel }: SessionState,
  story: Story,
): readonly Pick<Story, "size">[] {
  const isWork = intent === "IMPLEMENT" || intent === "MODIFY";
  const isJudged = isWork && gateLevel === "auto" && flags.only_explore !== true &&
    Object.keys(flags).length <= 1 && story.stale === "none";
  if (!isJudged) return [{}];
  return story.risk === "HIGH"
    ? [{}, { size: "large" }]
    : [{}, { size: "small" }, { size: "large" }];
}

/** The story once for each thing that work which was judged small can turn out to be. */
export function toGrowths(story: Story): readonly Story[] {
  if (story.size !== "small" || story.hasDiff !== true || story.outgrows !== undefined) {
    return [story];
  }
  return (["no", "settled", "more"] as const).map((outgrows) => ({ ...story, outgrows }));
}
