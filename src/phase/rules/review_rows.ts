/**
 * Reads what step 17 says about the changed files, row by row, and checks the commit message. Pure.
 */
import type { ProjectPath } from "../../base/paths.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { say, tool } from "../../base/text/words.ts";
import type { ChangedFile, Facts } from "../facts.ts";
import type { ReviewedFile, SessionState } from "../state.ts";
import type { PayloadOf } from "../payload/payloads.ts";
import { globToRegExp } from "../../base/text/path_glob.ts";

const AT = "data.include_person_changes";

/** Problems of files that were named although they have no changes of the user. */
export function checkIncluded(
  included: readonly string[],
  changes: readonly ChangedFile[],
): readonly Problem[] {
  const shared = new Set(changes.filter(({ isShared }) => isShared).map(({ path }) => path));
  return included.filter((path) => !shared.has(path)).map((path) =>
    makeProblem("not_shared", `"${path}" has no changes of both the session and the person`, {
      at: AT,
      hint: say`Name only files that ${tool("review_changes")} lists under shared.`,
    })
  );
}

/** Problems of kept files that need the user's permission to be committed. */
export function checkMixed(
  included: readonly string[],
  options: { readonly kept: readonly string[]; readonly inseparable: readonly string[] },
): readonly Problem[] {
  return options.inseparable
    .filter((path) => options.kept.includes(path) && !included.includes(path))
    .map((path) =>
      makeProblem("person_changes_mixed", `In "${path}" the person's changes overlap with yours`, {
        at: AT,
        path,
        hint: "Ask the person; with their word name the file in include_person_changes.",
      })
    );
}

/**
 * Kept files for which the user gave permission earlier and which they have not changed since.
 */
export function recallIncluded(
  state: SessionState,
  options: { readonly kept: readonly string[]; readonly changes: readonly ChangedFile[] },
): readonly string[] {
  const known = new Map((state.includedPerson ?? []).map(({ path, oid }) => [path, oid]));
  return options.changes
    .filter(({ path, isShared, personOid }) =>
      isShared && personOid !== undefined && known.get(path) === personOid &&
      options.kept.includes(path)
    )
    .map(({ path }) => path);
}

/** Files of the prepared commit that the user changed again since they were asked. */
export function findUnconfirmed(state: SessionState, facts: Facts): readonly ProjectPath[] {
  const { changes, inseparable = [] } = facts;
  if (state.prepared === null || changes === undefined) return [];
  const { paths: kept, includePerson } = state.prepared;
  const said = recallIncluded(state, { kept, changes });
  const needed = new Set([...includePerson, ...inseparable]);
  return kept.filter((path) => needed.has(path) && !said.includes(path));
}

/**
 * The user's permissions so far with those of this submission; the newest one of a file counts.
 */
export function rememberIncluded(
  state: SessionState,
  options: { readonly included: readonly string[]; readonly changes: readonly ChangedFile[] },
): NonNullable<SessionState["includedPerson"]> {
  const now = options.changes.flatMap(({ path, personOid }) =>
    options.included.includes(path) && personOid !== undefined ? [{ path, oid: personOid }] : []
  );
  const before = (state.includedPerson ?? [])
    .filter(({ path }) => !now.some((entry) => entry.path === path));
  return [...before, ...now];
}

/** A message may not have the program's own trailers, because these state what the server saw. */
export function checkTrailers(message: string): readonly Problem[] {
  const forged = /^\s*(code-intel-[\w-]+)\s*:/im.exec(message);
  return forged === null ? [] : [
    makeProblem(
      "trailer_reserved",
      `The message has a line "${forged[1]}:", which is the server's`,
      {
        at: "data.commit_message",
        hint: "Leave lines that begin with Code-Intel- out; the server adds its own.",
      },
    ),
  ];
}

/** Decisions by path, with globs and `rest` resolved; every changed file gets exactly one. */
export function resolveReview(
  payload: PayloadOf<"PRE_COMMIT">,
  changes: readonly ChangedFile[],
): { readonly files: readonly ReviewedFile[]; readonly left: readonly Problem[] } | {
  readonly problems: readonly Problem[];
} {
  const problems: Problem[] = [];
  const left: Problem[] = [];
  const decided = new Map<string, ReviewedFile>();
  payload.reviewed_files.forEach((entry, index) => {
    const at = `data.reviewed_files[${index}]`;
    const row = typeof entry === "string"
      ? { path: entry, decision: "keep" as const, reason: null }
      : { path: entry.path, decision: entry.decision, reason: entry.reason ?? null };
    const exact = changes.filter(({ path }) => path === row.path);
    const pattern = globToRegExp(row.path);
    const matched = exact.length > 0 ? exact : changes.filter(({ path }) => pattern?.test(path));
    // A file that is kept anyway is decided about by nothing more; one that would be lost, or was meant, is asked about.
    const isIdle = row.decision === "keep" && payload.rest !== "discard" && changes.length > 0;
    if (matched.length === 0) {
      (isIdle ? left : problems).push(
        makeProblem("not_changed", `"${row.path}" is no file that this session changed`, {
          at: `${at}.path`,
          hint: say`Use the paths that ${tool("review_changes")} lists.`,
        }),
      );
    }
    if (row.decision === "discard" && (row.reason ?? "").trim() === "") {
      problems.push(makeProblem("reason_missing", `"${row.path}" is discarded without a reason`, {
        at: `${at}.reason`,
        hint: "Say in a few words why it is not part of the work.",
      }));
    }
    for (const { path } of matched) decided.set(path, { ...row, path });
  });
  for (const { path } of changes) {
    if (decided.has(path)) continue;
    if (payload.rest === "keep" || payload.rest === "discard") {
      decided.set(path, { path, decision: payload.rest, reason: "rest" });
    } else {
      problems.push(makeProblem("file_not_reviewed", `"${path}" was changed and is not reviewed`, {
        at: "data.reviewed_files",
        hint: "Decide keep or discard for it, or send rest.",
        path,
      }));
    }
  }
  return problems.length > 0
    ? { problems: [...problems, ...left] }
    : { files: [...decided.values()], left };
}
