/** What replies of a step say of the tests that were seen to run the code it is about. A run function is not a checked one. */
import type { Reply } from "../../base/reply.ts";
import { clipLine } from "../../base/text/clip.ts";
import type { SeenFunction } from "../../index/seen_runs.ts";
import { findUnit, formatExtent, formatRan } from "../../index/seen_runs.ts";
import type { SessionState } from "../../phase/state.ts";
import { readChangedSymbols } from "../context/note_state.ts";
import type { SeenAnswer, SeenCode } from "../context/seen_code.ts";
import type { SessionContext } from "../context/sessions.ts";

const MOST = { named: 3, files: 10 } as const;
/** The size of a step's reply; a first look at the code comes to that of exploration, which takes the rest. */
const REPLY_CHARS = { usual: 1_400, EXPLORATION: 1_150 } as const;
const CHARS = { test: 90, all: 420 } as const;

/** The reply of a step with its fields of seen tests; as it is where no run was recorded, or nothing is known of its code. */
export async function addSeenTests<Sent extends Reply>(
  reply: Sent,
  context: Context,
  state: SessionState,
): Promise<Sent> {
  const { findSeenTests } = context.deps;
  const readCode = CODE_OF[state.stage];
  const isOpen = state.status === "active" && state.escalation === null;
  if (readCode === undefined || !isOpen || await findSeenTests([]) === null) return reply;
  // The step is taken: what cannot be read is left out of its reply.
  const answers = await findSeenTests(await readCode(context, state).catch(() => []));
  const answer = answers?.find(({ functions }) =>
    functions.some(({ seen }) => seen !== "not recorded")
  );
  if (answer === undefined) return reply;
  const isWritten = state.stage === "READY_COMPLETE";
  const run = isWritten ? await planNearest(context, state, answer.tests) : {};
  const room = state.stage === "EXPLORATION" ? REPLY_CHARS.EXPLORATION : REPLY_CHARS.usual;
  for (let most: number = MOST.named;; most--) {
    const told = { ...reply, run_by: formatSeenTests(answer, most), ...run };
    if (most === 0 || JSON.stringify(told).length <= room) return told;
  }
}

type Context = Pick<SessionContext, "deps" | "trees" | "paths">;
type CodeReader = (context: Context, state: SessionState) => Promise<readonly SeenCode[]>;

/** The code that a stage is about; a later entry is asked where nothing is known of those before it. */
const CODE_OF: Readonly<Partial<Record<SessionState["stage"], CodeReader>>> = {
  EXPLORATION: (_, { frame }) => Promise.resolve([{ symbols: frame?.targetSymbols ?? [] }]),
  READY_PLAN: (_, { frame, impact }) => {
    const files = impact.filter(({ status }) => status === "will_modify").map(({ path }) => path);
    return Promise.resolve([{ symbols: frame?.targetSymbols ?? [] }, { files }]);
  },
  READY_COMPLETE: async (context, state) => {
    const changed = await readChangedSymbols({ ...context, state });
    return [{ functions: changed.filter(({ isTest }) => !isTest) }];
  },
};

/**
 * One line: `login, logout: run by 14 tests, nearest tests/test_auth.py::test_in (recorded for 812 of 1,010 tests)`.
 *
 * @param most how many tests and functions are named.
 */
export function formatSeenTests(
  { names, functions, tests, extent }: SeenAnswer,
  most: number = MOST.named,
): string {
  const list = (wanted: SeenFunction) => {
    const own = names.filter((_, at) => functions[at]?.seen === wanted).map(({ name }) => name);
    const shown = own.slice(0, Math.max(1, most));
    const more = own.length - shown.length;
    return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
  };
  const [ran, loaded, idle] = [list("run by tests"), list("run at import"), list("not run")];
  const unit = findUnit(tests);
  const nearest = tests.slice(0, most).map(({ name }) => clipLine(name, CHARS.test)).join(", ");
  const parts = [
    ...(tests.length === 0 ? [] : [
      `${ran}: run by ${formatRan(unit, tests.length)}${
        most > 0 ? `, ${unit === "group" ? "such as" : "nearest"} ${nearest}` : ""
      }`,
    ]),
    ...(loaded === "" ? [] : [`${loaded}: run at import alone`]),
    ...(idle === "" ? [] : [`${idle}: not run by any recorded test`]),
  ];
  return `${clipLine(parts.join("; "), CHARS.all)} (${formatExtent(extent)})`;
}

/** The command for the files of the nearest tests alone; none where it runs all, or a reply has no room for it. */
async function planNearest(
  { deps }: Context,
  { fixedVerify }: SessionState,
  tests: SeenAnswer["tests"],
): Promise<{ readonly run_first?: string }> {
  const files = new Set([...new Set(tests.map(({ file }) => file))].slice(0, MOST.files));
  const own = fixedVerify?.verify.map((one) => ({ ...one, paths: one.paths ?? null })) ?? [];
  const command = await deps.planTests(tests.filter(({ file }) => files.has(file)), own).catch(() =>
    null
  );
  const isLong = command === null || command.length > CHARS.all;
  // A command that cannot be narrowed runs at the next step anyway.
  return isLong || own.some(({ run }) => run.join(" ") === command) ? {} : { run_first: command };
}
