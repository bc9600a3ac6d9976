/**
 * What a session's path has to be: the matrix of steps, flags and loops, as
 * literals. Nothing here comes from the engine, so that the two can be compared.
 */

/** How a session was started, in words of this table's own. */
export interface Start {
  readonly intent: "IMPLEMENT" | "MODIFY" | "INVESTIGATE" | "QUESTION";
  readonly gate: "full" | "auto";
  /** Flags that are set. */
  readonly flags: readonly FlagName[];
}

/** Flags as `start_session` takes them. */
export type FlagName =
  | "no_verify"
  | "no_quality"
  | "only_verify"
  | "only_explore"
  | "fast"
  | "quick"
  | "no_doc"
  | "no_intervention";

/** All flags. */
export const ALL_FLAGS: readonly FlagName[] = [
  "no_verify",
  "no_quality",
  "only_verify",
  "only_explore",
  "fast",
  "quick",
  "no_doc",
  "no_intervention",
];

/** What happened on the way; fields that never came up are absent. */
export interface Story {
  readonly stale?: "none" | "delete" | "merge" | "continue";
  /** What the frame leaves open; asked only where step 5 runs. */
  readonly risk?: "HIGH" | "LOW";
  /** What the frame and the index say of the size of work that is explored; absent where it is as usual. */
  readonly size?: "small" | "large";
  /** Whether work that was judged small is more, and whether step 11 then finds more to change. */
  readonly outgrows?: "no" | "settled" | "more";
  /** Whether the records of step 5 show little. */
  readonly isThin?: boolean;
  readonly q1?: boolean;
  readonly q2?: boolean;
  readonly q3?: boolean;
  readonly hasDiff?: boolean;
  /** How often the verification fails before it passes. */
  readonly failures?: 0 | 1 | 2 | 3 | 4 | 6;
  /** Whether failures name a task; the path is the same, the counter is another. */
  readonly namesTask?: boolean;
  readonly restore?: "none" | "plan";
  /** The person's first answer to an escalation; later ones are `continue`. */
  readonly answer?: "continue" | "accept" | "park" | "abandon";
  /** How often the quality review finds issues. */
  readonly issues?: 0 | 1 | 2 | 3;
  readonly hasConflict?: boolean;
}

/** `+` runs, `-` never runs, `c` runs when its condition holds. Rows are flags, columns steps. */
const MATRIX = {
  //                2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19
  default: /*     */ "c + + + + c + c + c + + + + c + + +",
  investigation: /**/ "c + + + + c + c + c - - - - - - - -",
  only_verify: /* */ "- - - - - - - - - - - - - + - - - -",
  no_verify: /*   */ "c + + + + c + c + c + + + - - + + +",
  no_quality: /*  */ "c + + + + c + c + c + + + + c + - +",
  fast: /*        */ "c + + - - - - - - - + + + + c + - +",
  quick: /*       */ "c + + - - - - - - - + + + + - - - -",
  no_doc: /*      */ "c - + + + c + c + c + + + + c + + +",
  no_intervention: "c + + + + c + c + c + + + + - + + +",
  gate_full: /*   */ "c + + + + + + + + + + + + + c + + +",
} as const;

type Row = keyof typeof MATRIX;

const CELLS = new Map(
  Object.entries(MATRIX).map(([name, cells]) => [name, cells.split(" ")]),
);

/** Pairs that are refused at the start; `investigation` stands for both of its intents. */
export const REFUSED_PAIRS: readonly (readonly [string, string])[] = [
  ["fast", "quick"],
  ["gate_full", "fast"],
  ["gate_full", "quick"],
  ["fast", "investigation"],
  ["quick", "investigation"],
  ["only_verify", "investigation"],
  ["only_verify", "gate_full"],
  ["only_verify", "no_verify"],
  ["only_verify", "fast"],
  ["only_verify", "quick"],
  ["only_verify", "only_explore"],
  ["only_explore", "fast"],
  ["only_explore", "quick"],
];

/** What a start consists of, in the words of {@link REFUSED_PAIRS}. */
export function toWords(start: Start): readonly string[] {
  const isInvestigation = start.intent === "INVESTIGATE" || start.intent === "QUESTION";
  return [
    ...start.flags,
    ...(isInvestigation ? ["investigation"] : []),
    ...(start.gate === "full" ? ["gate_full"] : []),
  ];
}

/** Whether a session may start so. */
export function isLegal(start: Start): boolean {
  const words = toWords(start);
  return !REFUSED_PAIRS.some(([one, other]) => words.includes(one) && words.includes(other));
}

/** Every start that can be written down: intent × gate level × every set of flags. */
export function toAllStarts(): readonly Start[] {
  const starts: Start[] = [];
  for (const intent of ["IMPLEMENT", "MODIFY", "INVESTIGATE", "QUESTION"] as const) {
    for (const gate of ["auto", "full"] as const) {
      for (let bits = 0; bits < 2 ** ALL_FLAGS.length; bits++) {
        starts.push({ intent, gate, flags: ALL_FLAGS.filter((_, bit) => (bits >> bit) % 2 === 1) });
      }
    }
  }
  return starts;
}

const PLAN_AGAIN = "12 13 14";

/** Path from step 14 of work that was judged small, by what it turned out to be. */
const GROWN = { no: "", settled: " 11 14", more: " 11 12 13 14" } as const;

/** Path through steps 15 and 16 until the verification passes, by number of failures before it. */
const FAILURES = {
  withIntervention: {
    0: "15",
    1: "15 12 13 14 15",
    2: "15 12 13 14 15 12 13 14 15",
    3: "15 12 13 14 15 12 13 14 15 16 R 12 13 14 15",
    4: "15 12 13 14 15 12 13 14 15 16 R 12 13 14 15 12 13 14 15",
    6: "15 12 13 14 15 12 13 14 15 16 R 12 13 14 15 12 13 14 15 12 13 14 15 16 R ? 12 13 14 15",
  },
  withoutIntervention: {
    0: "15",
    1: "15 12 13 14 15",
    2: "15 12 13 14 15 12 13 14 15",
    3: "15 12 13 14 15 12 13 14 15 ? 12 13 14 15",
    4: "15 12 13 14 15 12 13 14 15 ? 12 13 14 15 12 13 14 15",
    6: "15 12 13 14 15 12 13 14 15 ? 12 13 14 15 12 13 14 15 12 13 14 15 ? 12 13 14 15",
  },
} as const;

/** Path through steps 17 and 18 until the commit, by number of reviews with issues; V is step 15. */
const ISSUES = {
  0: "17 18",
  1: "17 18 12 13 14 V 17 18",
  2: "17 18 12 13 14 V 17 18 12 13 14 V 17 18",
  // The third time completion is forced: no other round.
  3: "17 18 12 13 14 V 17 18 12 13 14 V 17 18",
} as const;

/**
 * The path that has to come out: step numbers, `+effect` where git is touched, `?` where
 * the person is asked, and the end.
 */
export function toExpectedPath(start: Start, story: Story): string {
  // A large request runs every step, as if the person had asked for it.
  const rows: readonly Row[] = [
    ...toRows(start),
    ...(story.size === "large" ? ["gate_full"] as const : []),
  ];
  const cell = (step: number): string => {
    const cells = rows.map((row) => CELLS.get(row)?.[step - 2] ?? "");
    if (cells.includes("-")) return "-";
    return cells.includes("+") && !(cells.includes("c") && !rows.includes("gate_full")) ? "+" : "c";
  };
  const runs = (step: number) => cell(step) !== "-";
  const words: string[] = [];
  if (runs(2) && story.stale !== "none") words.push(`2 +resolve_stale(${story.stale})`);
  for (const step of [3, 4, 5]) if (runs(step)) words.push(String(step));
  for (const [question, more, answer] of toQuestions(story)) {
    if (!runs(question)) continue;
    words.push(String(question));
    const isForced = more === 7 && story.risk === "HIGH" && story.isThin === true;
    if (cell(more) === "+" || answer === true || isForced) words.push(String(more));
  }
  if (!runs(12)) words.push(toEndWithoutWork(start, story));
  else words.push(toWorkPath(start, story, runs));
  return words.filter((word) => word !== "").join(" ");
}

function toRows(start: Start): readonly Row[] {
  const rows: Row[] = ["default"];
  for (const flag of start.flags) rows.push(flag === "only_explore" ? "investigation" : flag);
  if (start.intent === "INVESTIGATE" || start.intent === "QUESTION") rows.push("investigation");
  if (start.gate === "full") rows.push("gate_full");
  return rows;
}

function toQuestions(story: Story): readonly (readonly [number, number, boolean | undefined])[] {
  return [[6, 7, story.q1], [8, 9, story.q2], [10, 11, story.q3]];
}

function toEndWithoutWork(start: Start, story: Story): string {
  if (!start.flags.includes("only_verify")) return "end:completed";
  return story.failures === 0 ? "15 end:completed" : "15 end:failed";
}

/** Steps 12–19. */
function toWorkPath(start: Start, story: Story, runs: (step: number) => boolean): string {
  const isQuick = start.flags.includes("quick");
  const first = isQuick ? PLAN_AGAIN : "12 +create_branch 13 14";
  const built = `${first}${GROWN[story.outgrows ?? "no"]}`;
  if (story.hasDiff === false) {
    return `${built}${isQuick ? "" : " +remove_branch"} end:completed`;
  }
  const verified = runs(15) ? toVerifyPath(story, { hasIntervention: runs(16) }) : "";
  if (/parked|end:/.test(verified)) return `${built} ${verified}`;
  if (isQuick) return `${built} ${verified} end:completed`.replaceAll("  ", " ");
  return `${built} ${verified} ${toFinishPath(story, runs)}`.replaceAll("  ", " ");
}

function toVerifyPath(
  story: Story,
  mode: { readonly hasIntervention: boolean },
): string {
  const table = mode.hasIntervention ? FAILURES.withIntervention : FAILURES.withoutIntervention;
  const path = table[story.failures ?? 0]
    .replaceAll(" R", story.restore === "plan" ? " +restore_tree(plan)" : "");
  if (story.answer === undefined || story.answer === "continue") return path;
  const asked = path.slice(0, path.indexOf("?") + 1);
  if (story.answer === "park") return `${asked} +leave_branch parked`;
  if (story.answer === "abandon") return `${asked} +leave_branch end:abandoned`;
  return asked;
}

/** Steps 17–19, with the commit exactly once before each merge. */
function toFinishPath(story: Story, runs: (step: number) => boolean): string {
  const verify = runs(15) ? "15" : "";
  const checked = runs(15) ? "self-reported" : "no";
  const issues = story.issues ?? 0;
  const isOverridden = story.answer === "accept" && issues === 0;
  const first = `+commit(${isOverridden ? "overridden (relayed)" : checked})`;
  const review = runs(18) ? ISSUES[issues].replaceAll("V", verify) : "17";
  const path = `${review} ${first} 19 +merge`;
  if (story.hasConflict !== true) return `${path} end:merged`;
  const again = `13 14 ${verify} 17${runs(18) ? " 18" : ""} +commit(${checked}) 19 +merge`;
  return `${path} ${again} end:merged`.replaceAll("  ", " ");
}
