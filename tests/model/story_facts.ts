/** What the disk and the records say at each step of a story, in place of a real project. */
import type { Facts } from "../../src/phase/facts.ts";
import type { SessionState } from "../../src/phase/state.ts";
import { CHANGE, GOOD_EXPLORATION, toFacts } from "../phase/samples.ts";
import type { Story } from "./matrix.ts";

/** The facts of one step of a story. */
export function toFactsAt(now: string, state: SessionState, story: Story): Facts {
  if (state.stage === "QUERY_FRAME") {
    const scale = story.size === undefined ? {} : { scale: SCALES[story.size] };
    return { ...FRAMED[story.risk ?? "LOW"], ...scale, now };
  }
  if (state.stage === "READY_COMPLETE" && (story.outgrows ?? "no") !== "no") {
    return { ...MORE, now };
  }
  if (state.stage === "EXPLORATION") {
    return { ...EXPLORED[story.isThin === true ? "thin" : "good"], now };
  }
  return story.hasDiff === false ? { ...NONE, now } : { ...SOME, now };
}

const SOME = toFacts();
const NONE = toFacts({ changes: [], ownCommits: 0 });

const MORE = toFacts({
  changes: ["a", "b", "c", "d", "e"].map((name) => ({ ...CHANGE, path: `src/${name}.ts` })),
});
const PLACE = { places: 1, missing: 0, files: ["src/auth.ts"], tests: 1, troubled: 0 };
const SCALES = {
  small: { ...PLACE, users: 1, reverted: 0 },
  large: { ...PLACE, users: 40, reverted: 3 },
} as const;

const SLOT = { value: "login", quote: "login form", source: "FACT" } as const;
const FRAMED = {
  HIGH: toFacts({ frame: { slots: { observed_issue: SLOT }, problems: [] } }),
  LOW: toFacts({
    frame: {
      slots: {
        target_feature: SLOT,
        trigger_condition: SLOT,
        observed_issue: SLOT,
        desired_action: SLOT,
      },
      problems: [],
    },
  }),
};

const TOOLS = ["search_text", "find_definitions", "find_references"];
const EXPLORED = {
  thin: toFacts({ offered: TOOLS, explored: [] }),
  good: toFacts({ offered: TOOLS, explored: GOOD_EXPLORATION }),
};
