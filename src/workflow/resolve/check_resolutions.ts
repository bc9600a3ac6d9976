/**
 * Checks whether resolutions can be carried out: each must name a finding and an action that the
 * finding allows.
 */
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import type { ChangeFinding } from "../../ledger/ledger.ts";
import { AFTER_REVIEW, isHeadMoved } from "../../ledger/ledger.ts";
import type { ChangeResolution } from "../../phase/payload/payloads.ts";
import { globToRegExp } from "../../base/text/path_glob.ts";
import type { SessionContext } from "../context/sessions.ts";
import type { InspectInput, Inspection } from "../look/inspect.ts";
import { checkAuthorised } from "../look/guard_facts.ts";

/** What is checked. */
export interface CheckInput extends InspectInput {
  readonly inspection: Inspection;
  readonly rows: readonly ChangeResolution[];
}

/** All reasons against the rows; empty when all of them can be carried out. */
export async function checkResolutions(
  context: SessionContext,
  input: CheckInput,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const [index, row] of input.rows.entries()) {
    const at = `data.change_resolution[${index}]`;
    if (row.path === "HEAD") problems.push(...checkHeadRow(input, row, at));
    else if (row.path.startsWith(".git/")) problems.push(...checkGitRow(input, row, at));
    else problems.push(...await checkFileRow(context, { ...input, row, at }));
  }
  return problems;
}

/** Findings that match a path, folder or glob from the agent. */
export function matchFindings(
  context: SessionContext,
  findings: readonly ChangeFinding[],
  path: string,
): readonly ChangeFinding[] {
  const isTaken = compilePattern(path);
  return findings.filter(({ change }) => isTaken(context.paths.toProject(change.path)));
}

/** Protected texts that match a path, folder or glob from the agent. */
export function matchTexts(inspection: Inspection, path: string): readonly string[] {
  return inspection.texts.changed.filter(compilePattern(path));
}

/** Files in git's folder that a row matches, by their name in it. */
export function matchGitFiles(inspection: Inspection, path: string): readonly string[] {
  return (inspection.seen?.gitFiles ?? []).filter((name) => compilePattern(path)(`.git/${name}`));
}

function compilePattern(path: string): (shown: string) => boolean {
  const pattern = globToRegExp(path);
  const folder = `${path.replace(/\/$/, "")}/`;
  return (shown) => shown === path || shown.startsWith(folder) || pattern?.test(shown) === true;
}

function checkHeadRow(
  { inspection }: CheckInput,
  row: ChangeResolution,
  at: string,
): readonly Problem[] {
  const { state, seen } = inspection;
  if (seen === null || !isHeadMoved(state, seen.head)) return [makeNoFindingProblem(row, at)];
  if (row.action !== "undo" && row.action !== "person") {
    return [makeNotOfferedProblem(`HEAD takes undo or person, not ${row.action}`, at, {
      hint: "Send undo (the content stays in the files) or, with the person's word, person.",
    })];
  }
  const isReviewed = AFTER_REVIEW.includes(state.stage);
  const isTask = seen.head.branch !== null && seen.head.branch === state.workspace.taskBranch;
  if (row.action === "person" && isTask && isReviewed) {
    return [
      makeNotOfferedProblem("The review is over: a commit that it never saw cannot be merged", at, {
        hint: "Send undo: the content stays in the files, and nothing of it is merged.",
      }),
    ];
  }
  return [];
}

function checkGitRow(
  { inspection }: CheckInput,
  row: ChangeResolution,
  at: string,
): readonly Problem[] {
  if (matchGitFiles(inspection, row.path).length === 0) return [makeNoFindingProblem(row, at)];
  return row.action === "person" ? [] : [
    makeNotOfferedProblem(`"${row.path}" can only be the person's`, at, {
      hint: "Put the file back as it was, or ask the person and send action person.",
    }),
  ];
}

async function checkFileRow(
  context: SessionContext,
  input: CheckInput & { readonly row: ChangeResolution; readonly at: string },
): Promise<readonly Problem[]> {
  const { row, at, inspection } = input;
  if (row.action === "undo") {
    return [makeNotOfferedProblem("undo is for HEAD only", at, { hint: "Use restore for files." })];
  }
  const found = matchFindings(context, inspection.findings, row.path);
  const isText = matchTexts(inspection, row.path).length > 0;
  if (found.length === 0 && isText && row.action !== "person") {
    return [makeNotOfferedProblem(`"${row.path}" rests on the person's word`, at, {
      hint: "Put the text back as it was, or ask the person and send action person.",
    })];
  }
  if (found.length === 0 && !isText && !(row.action === "person" && row.until_end === true)) {
    return [makeNoFindingProblem(row, at)];
  }
  if (row.action === "restore") {
    return [
      ...checkOdd(context, inspection, { found, at }),
      ...await checkNested(context, found, at),
    ];
  }
  if (row.action === "person") return [];
  const refused = await checkAuthorised(context, {
    session: { ...input.session, state: inspection.state },
    findings: found,
    at,
  });
  // Whoever runs a tool has not looked at all that it writes: the user is asked instead.
  return row.action === "tool" ? refused.filter(({ code }) => !/_explored$/.test(code)) : refused;
}

/** A file that no snapshot holds could not be brought back, so it is not removed. */
function checkOdd(
  context: SessionContext,
  { state, seen }: Inspection,
  { found, at }: { readonly found: readonly ChangeFinding[]; readonly at: string },
): readonly Problem[] {
  const odd = { ...state.ledger?.odd, ...seen?.odd };
  return found.filter(({ change }) => Object.hasOwn(odd, change.path)).map(({ change }) =>
    makeNotOfferedProblem(
      `No snapshot holds "${context.paths.toProject(change.path)}": it is not put back`,
      at,
      {
        hint: "Take it away or put it back yourself, or ask the person and send action person.",
      },
    )
  );
}

/** No snapshot holds the inside of a nested repository, so it is never removed or written. */
async function checkNested(
  context: SessionContext,
  found: readonly ChangeFinding[],
  at: string,
): Promise<readonly Problem[]> {
  const problems = await Promise.all(found.map(async ({ change }) => {
    const info = await Deno.lstat(context.paths.toAbsolute(change.path)).catch(() => null);
    if (info?.isDirectory !== true) return [];
    const path = context.paths.toProject(change.path);
    return [
      makeNotOfferedProblem(`"${path}" is a repository of its own, which is not put back`, at, {
        hint: "Take it away or put it back yourself, or ask the person and send action person.",
      }),
    ];
  }));
  return problems.flat();
}

function makeNoFindingProblem(row: ChangeResolution, at: string): Problem {
  return makeProblem("no_finding", `"${row.path}" takes no unsettled change`, {
    at: `${at}.path`,
    hint: "Use the paths that the reply lists.",
  });
}

function makeNotOfferedProblem(
  message: string,
  at: string,
  options: { readonly hint: string },
): Problem {
  return makeProblem("action_not_offered", message, { at: `${at}.action`, ...options });
}
