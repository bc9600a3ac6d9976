/**
 * The rule of step 11 and its promises: each file that must be verified needs a decision. A file
 * that was to be modified but was not is named before the commit. Pure.
 */
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import type { ChangedFile, ImpactFinding, ImpactGroup } from "../facts.ts";
import { writesFiles } from "../table/flags.ts";
import type { PayloadOf } from "../payload/payloads.ts";
import type { Rule } from "./rule.ts";
import { buildLeftOut, judgeRows } from "./rule.ts";
import { globToRegExp } from "../../base/text/path_glob.ts";
import type { SessionState } from "../state.ts";

type Decision = PayloadOf<"IMPACT_ANALYSIS">["impact_summary"]["decisions"][number];

/** Most files that a problem or a reply names; the others are only counted. */
const MAX_NAMED = 20;

/** Step 11: a decision for every file that the change may reach. */
export const impactAnalysis: Rule<"IMPACT_ANALYSIS"> = (payload, { state, facts }) => {
  const found = joinFindings(facts.impact ?? []);
  const paths = judgeRows(payload.impact_summary.decisions, checkDecisionPath);
  const decisions = paths.kept;
  const problems = [...paths.problems, ...decisions.flatMap(checkDecisionReason)];
  const groups = found.groups ?? [];
  const open = [
    ...findUncovered(found.mustVerify, decisions),
    ...findOpenGroups(groups, decisions),
  ];
  const total = found.mustVerify.length + groups.length;
  if (open.length > 0) problems.push(makeUndecidedProblem(open, total));
  if (problems.length > 0) return { problems };
  const doubtful = findUncovered(found.shouldVerify, decisions);
  return {
    outcome: isSettled(state, decisions) ? "settled" : "done",
    patch: {
      impact: decisions.map(({ path, status, reason }) => ({
        path,
        status,
        reason: reason ?? null,
      })),
      impactFound: found,
    },
    // Other decisions are only advised on, because files that match by name may be unrelated.
    reply: {
      ...buildLeftOut(paths.left),
      ...(doubtful.length === 0 ? {} : {
        undecided_should_verify: {
          total: doubtful.length,
          files: doubtful.slice(0, MAX_NAMED),
          note: "Not enforced: look at those that the change can break.",
        },
      }),
    },
  };
};

/** True where work that outgrew its size is done, and the analysis finds nothing more to modify. */
function isSettled(
  { size, tasks, intent, flags }: SessionState,
  decisions: readonly Decision[],
): boolean {
  if (size?.outgrew !== true || tasks.length === 0 || !writesFiles({ intent, flags })) return false;
  if (tasks.some(({ status }) => status === "pending")) return false;
  const items = tasks.flatMap(({ checklist }) => checklist);
  const worked = items.flatMap(({ evidence }) => evidence?.replace(/:[^:]*$/, "") ?? []);
  return decisions.every(({ path, status }) => {
    if (status !== "will_modify") return true;
    const pattern = globToRegExp(path);
    return worked.some((file) => pattern?.test(file) === true);
  });
}

function checkDecisionPath({ path }: Decision, index: number): readonly Problem[] {
  if (globToRegExp(path) !== null) return [];
  return [makeProblem("path_invalid", `"${path}" is no path and no glob of the project`, {
    at: `data.impact_summary.decisions[${index}].path`,
    hint: "Give a path relative to the project; * and ** are allowed.",
  })];
}

function checkDecisionReason(
  { path, status, reason }: Decision,
  index: number,
): readonly Problem[] {
  if (status === "will_modify" || (reason ?? "").trim() !== "") return [];
  return [makeProblem("reason_missing", `${path} is ${status} without a reason`, {
    at: `data.impact_summary.decisions[${index}].reason`,
    hint: "Say in a few words why it needs no change.",
  })];
}

function makeUndecidedProblem(open: readonly string[], total: number): Problem {
  const rest = open.length > MAX_NAMED ? ` and ${open.length - MAX_NAMED} more` : "";
  const [first = ""] = open;
  return makeProblem(
    "impact_undecided",
    `${open.length} of ${total} files of must_verify have no decision: ${
      open.slice(0, MAX_NAMED).join(", ")
    }${rest}`,
    {
      at: "data.impact_summary.decisions",
      hint:
        `Add {"path": "${first}", "status": "will_modify"}, or "no_change_needed" or "not_affected" ` +
        "with a reason, for each; a glob such as tests/** decides for many.",
    },
  );
}

/**
 * Joins the findings of all analyses of the stage entry; a file that one of them must verify does not
 * stay a mere suggestion of another.
 */
function joinFindings(findings: readonly ImpactFinding[]): ImpactFinding {
  const join = (pick: (one: ImpactFinding) => readonly string[]) => [
    ...new Set(findings.flatMap(pick)),
  ];
  const mustVerify = join(({ mustVerify }) => mustVerify);
  const groups = joinGroups(findings, mustVerify);
  return {
    targets: join(({ targets }) => targets),
    mustVerify,
    ...(groups.length === 0 ? {} : { groups }),
    shouldVerify: join(({ shouldVerify }) => shouldVerify)
      .filter((path) => !mustVerify.includes(path)),
  };
}

/** A group is decided by its name, or by decisions for each of its files. */
function findOpenGroups(
  groups: readonly ImpactGroup[],
  decisions: readonly Decision[],
): readonly string[] {
  return groups.filter(({ name, files }) =>
    findUncovered([name], decisions).length > 0 && findUncovered(files, decisions).length > 0
  ).map(({ name }) => name);
}

/** The groups of all analyses by their names; what one of them must verify by itself is in no group. */
function joinGroups(
  findings: readonly ImpactFinding[],
  mustVerify: readonly string[],
): readonly ImpactGroup[] {
  const groups = Map.groupBy(findings.flatMap(({ groups = [] }) => groups), ({ name }) => name);
  return [...groups].flatMap(([name, parts]) => {
    const files = [...new Set(parts.flatMap(({ files }) => files))]
      .filter((path) => !mustVerify.includes(path));
    return files.length === 0 ? [] : [{ name, files }];
  });
}

function findUncovered(
  files: readonly string[],
  decisions: readonly Decision[],
): readonly string[] {
  const patterns = decisions.flatMap(({ path }) => {
    const pattern = globToRegExp(path);
    return pattern === null ? [] : [{ path: path.replace(/^\.\//, ""), pattern }];
  });
  return files.filter((file) =>
    // A file name that contains a bracket or a star is also compared literally.
    !patterns.some(({ path, pattern }) => path === file || pattern.test(file))
  );
}

/**
 * Files that step 11 promised to modify and that the session did not change; a glob is kept when it
 * fits any changed file.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { findUnmodified } from "./impact_rules.ts";
 * const impact = [{ path: "a.ts", status: "will_modify", reason: null }] as const;
 * deepEqual(findUnmodified({ impact }, []), ["a.ts"]);
 * ```
 */
export function findUnmodified(
  { impact }: Pick<SessionState, "impact">,
  changes: readonly Pick<ChangedFile, "path">[],
): readonly string[] {
  return impact.filter(({ status }) => status === "will_modify").map(({ path }) => path)
    .filter((promised) => {
      const pattern = globToRegExp(promised);
      return !changes.some(({ path }) => path === promised || pattern?.test(path) === true);
    });
}
