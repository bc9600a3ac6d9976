/** Reads which change a command line or a tool call names; names of which one would be passed over are refused. Pure. */
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import type { ChangeRequest } from "../prove/read_change.ts";

/** A range, else a commit, else the index or the worktree; a problem where two of them are named. */
export function nameChange({ range, commit, isStaged, base = null }: {
  readonly range?: string | undefined;
  readonly commit?: string | undefined;
  readonly isStaged: boolean;
  readonly base?: string | null | undefined;
}): ChangeRequest | Problem {
  const named = [
    ...(range === undefined ? [] : ["RANGE"]),
    ...(commit === undefined ? [] : ["commit"]),
    ...(isStaged ? ["staged"] : []),
  ];
  if (range !== undefined && base !== null) named.push("base");
  if (named.length > 1) {
    return makeProblem("one_of_both", `One change is proven, not several: ${named.join(" and ")}`, {
      at: named[0] ?? "",
      hint: "Name one of RANGE, commit, staged; base goes with commit, staged or the worktree.",
    });
  }
  if (range !== undefined) return { kind: "range", range };
  if (commit !== undefined) return { kind: "commit", commit, base };
  return { kind: isStaged ? "staged" : "worktree", base };
}
