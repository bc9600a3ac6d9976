/** Paths of single starts, written out by hand, one by one. */
import { strictEqual as equal } from "node:assert/strict";
import type { FlagName, Start, Story } from "./matrix.ts";
import { walkAll } from "./walk.ts";

const COMMIT = "+commit(self-reported) 19 +merge end:merged";
const UNVERIFIED = "+commit(no) 19 +merge end:merged";
const WORK = "12 +create_branch 13 14";

/** Path with old branches absent, all answers no, and nothing that goes wrong. */
const PLAIN: readonly (readonly [
  intent: Start["intent"],
  gate: Start["gate"],
  flags: readonly FlagName[],
  path: string,
])[] = [
  ["IMPLEMENT", "auto", [], `3 4 5 6 8 10 ${WORK} 15 17 18 ${COMMIT}`],
  ["MODIFY", "auto", [], `3 4 5 6 8 10 ${WORK} 15 17 18 ${COMMIT}`],
  ["MODIFY", "full", [], `3 4 5 6 7 8 9 10 11 ${WORK} 15 17 18 ${COMMIT}`],
  ["INVESTIGATE", "auto", [], "3 4 5 6 8 10 end:completed"],
  ["QUESTION", "auto", [], "3 4 5 6 8 10 end:completed"],
  ["INVESTIGATE", "full", [], "3 4 5 6 7 8 9 10 11 end:completed"],
  ["QUESTION", "auto", ["no_doc"], "4 5 6 8 10 end:completed"],
  ["IMPLEMENT", "auto", ["only_explore"], "3 4 5 6 8 10 end:completed"],
  ["MODIFY", "full", ["only_explore"], "3 4 5 6 7 8 9 10 11 end:completed"],
  ["MODIFY", "auto", ["only_explore", "no_verify", "no_quality"], "3 4 5 6 8 10 end:completed"],
  ["IMPLEMENT", "auto", ["only_verify"], "15 end:completed"],
  ["MODIFY", "auto", ["only_verify", "no_doc", "no_intervention"], "15 end:completed"],
  ["MODIFY", "auto", ["no_verify"], `3 4 5 6 8 10 ${WORK} 17 18 ${UNVERIFIED}`],
  ["MODIFY", "auto", ["no_quality"], `3 4 5 6 8 10 ${WORK} 15 17 ${COMMIT}`],
  ["MODIFY", "auto", ["no_verify", "no_quality"], `3 4 5 6 8 10 ${WORK} 17 ${UNVERIFIED}`],
  ["MODIFY", "full", ["no_verify"], `3 4 5 6 7 8 9 10 11 ${WORK} 17 18 ${UNVERIFIED}`],
  ["MODIFY", "auto", ["fast"], `3 4 ${WORK} 15 17 ${COMMIT}`],
  ["MODIFY", "auto", ["fast", "no_doc"], `4 ${WORK} 15 17 ${COMMIT}`],
  ["MODIFY", "auto", ["fast", "no_verify"], `3 4 ${WORK} 17 ${UNVERIFIED}`],
  ["MODIFY", "auto", ["fast", "no_quality"], `3 4 ${WORK} 15 17 ${COMMIT}`],
  ["MODIFY", "auto", ["quick"], "3 4 12 13 14 15 end:completed"],
  ["MODIFY", "auto", ["quick", "no_doc"], "4 12 13 14 15 end:completed"],
  ["MODIFY", "auto", ["quick", "no_verify"], "3 4 12 13 14 end:completed"],
  ["MODIFY", "auto", ["quick", "no_quality", "no_verify"], "3 4 12 13 14 end:completed"],
  ["MODIFY", "auto", ["no_doc"], `4 5 6 8 10 ${WORK} 15 17 18 ${COMMIT}`],
  ["MODIFY", "auto", ["no_intervention"], `3 4 5 6 8 10 ${WORK} 15 17 18 ${COMMIT}`],
];

for (const [intent, gate, flags, path] of PLAIN) {
  Deno.test(`decide() takes ${intent} ${gate} ${flags.join("+") || "default"} along ${path}`, () => {
    equal(toPath({ intent, gate, flags }, {}), path);
  });
}

const ROUND = "12 13 14 15";

/** Paths where something goes wrong on the way; named for the weakness that the row keeps away. */
const LOOPS: readonly (readonly [
  name: string,
  flags: readonly FlagName[],
  story: Story,
  path: string,
])[] = [
  [
    "R1: a session without quality review commits before it merges",
    ["no_quality", "no_doc"],
    {},
    `4 5 6 8 10 ${WORK} 15 17 +commit(self-reported) 19 +merge end:merged`,
  ],
  [
    "R57: fast never enters the quality review",
    ["fast", "no_doc"],
    {},
    `4 ${WORK} 15 17 ${COMMIT}`,
  ],
  [
    "R1: the third review with issues forces completion, with the commit first",
    ["no_doc"],
    { issues: 3 },
    `4 5 6 8 10 ${WORK} 15 17 18 ${ROUND} 17 18 ${ROUND} 17 18 ${COMMIT}`,
  ],
  [
    "R5: the person's word leads out of an escalation",
    ["no_doc", "no_intervention"],
    { failures: 3, answer: "accept" },
    `4 5 6 8 10 ${WORK} 15 ${ROUND} ${ROUND} ? 17 18 +commit(overridden (relayed)) 19 +merge end:merged`,
  ],
  [
    "R8: a failure that names no task counts all the same",
    ["no_doc"],
    { failures: 3, namesTask: false },
    `4 5 6 8 10 ${WORK} 15 ${ROUND} ${ROUND} 16 ${ROUND} 17 18 ${COMMIT}`,
  ],
  [
    "R8: without interventions the loop ends at the person",
    ["no_doc", "no_intervention"],
    { failures: 3, answer: "park" },
    `4 5 6 8 10 ${WORK} 15 ${ROUND} ${ROUND} ? +leave_branch parked`,
  ],
  [
    "R8: quick asks the person too",
    ["no_doc", "quick"],
    { failures: 3, answer: "abandon" },
    `4 12 13 14 15 ${ROUND} ${ROUND} ? +leave_branch end:abandoned`,
  ],
  [
    "the second intervention asks the person",
    ["no_doc"],
    { failures: 6, answer: "continue" },
    `4 5 6 8 10 ${WORK} 15 ${ROUND} ${ROUND} 16 ${ROUND} ${ROUND} ${ROUND} 16 ? ${ROUND} 17 18 ${COMMIT}`,
  ],
  [
    "a merge conflict goes through implement, verify, review and a second commit",
    ["no_doc"],
    { hasConflict: true },
    `4 5 6 8 10 ${WORK} 15 17 18 +commit(self-reported) 19 +merge 13 14 15 17 18 ${COMMIT}`,
  ],
  [
    "no changes at step 14 end the session without a commit",
    ["no_doc"],
    { hasDiff: false },
    `4 5 6 8 10 ${WORK} +remove_branch end:completed`,
  ],
  [
    "a failed verification of only_verify ends as failed",
    ["only_verify"],
    { failures: 1 },
    "15 end:failed",
  ],
  [
    "old branches are asked about first",
    ["no_doc", "quick", "no_verify"],
    { stale: "delete" },
    "2 +resolve_stale(delete) 4 12 13 14 end:completed",
  ],
  [
    "a high risk after a thin exploration leads through step 7 although the answer is no",
    ["no_doc"],
    { risk: "HIGH", isThin: true },
    `4 5 6 7 8 10 ${WORK} 15 17 18 ${COMMIT}`,
  ],
  [
    "a high risk after a good exploration skips step 7 as the answer says",
    ["no_doc"],
    { risk: "HIGH", isThin: false },
    `4 5 6 8 10 ${WORK} 15 17 18 ${COMMIT}`,
  ],
  [
    "a thin exploration at a low risk is advice only",
    ["no_doc"],
    { risk: "LOW", isThin: true },
    `4 5 6 8 10 ${WORK} 15 17 18 ${COMMIT}`,
  ],
  [
    "fast never asks, so it is never forced",
    ["fast", "no_doc"],
    {},
    `4 ${WORK} 15 17 ${COMMIT}`,
  ],
  [
    "answers of yes lead to their steps",
    ["only_explore"],
    { q1: true, q2: true, q3: true },
    "3 4 5 6 7 8 9 10 11 end:completed",
  ],
];

for (const [name, flags, story, path] of LOOPS) {
  Deno.test(`decide() ${name}`, () => {
    equal(toPath({ intent: "MODIFY", gate: "auto", flags }, story), path);
  });
}

/** The path of the story that has what is asked for, and else nothing that goes wrong. */
function toPath(start: Start, wanted: Story): string {
  const calm: Story = {
    stale: "none",
    risk: "LOW",
    isThin: false,
    q1: false,
    q2: false,
    q3: false,
    hasDiff: true,
    failures: 0,
    namesTask: wanted.namesTask ?? wanted.failures !== undefined,
    restore: "none",
    answer: "continue",
    issues: 0,
    hasConflict: false,
  };
  const story: Record<string, unknown> = { ...calm, ...wanted };
  if (start.flags.includes("only_verify")) story.namesTask = false;
  const fits = (walked: Story) =>
    Object.entries(walked).every(([key, value]) => story[key] === value);
  const found: string[] = [];
  walkAll(start, ({ path }) => found.push(path), fits);
  equal(found.length, 1, `${found.length} stories fit`);
  return found[0] ?? "";
}
