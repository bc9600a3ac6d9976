/**
 * Files that the person changed too: which of their changes go into the commit because they said
 * so, and how long that permission holds. Pure.
 */
import type { ProjectPath } from "../../base/paths.ts";
import type { Problem } from "../../base/problem.ts";
import { toProblem } from "../../base/problem.ts";
import { say, tool } from "../../base/text/words.ts";
import type { ChangedFile, Facts } from "../facts.ts";
import type { SessionState } from "../state.ts";

const AT = "data.include_person_changes";

/** Problems of files that were named although they have no changes of the person. */
export function checkIncluded(
  included: readonly string[],
  changes: readonly ChangedFile[],
): readonly Problem[] {
  const shared = new Set(changes.filter(({ isShared }) => isShared).map(({ path }) => path));
  return included.filter((path) => !shared.has(path)).map((path) =>
    toProblem("not_shared", `"${path}" has no changes of both the session and the person`, {
      at: AT,
      hint: say`Name only files that ${tool("review_changes")} lists under shared.`,
    })
  );
}

/** Problems of kept files that need the person's permission to be committed. */
export function checkMixed(
  included: readonly string[],
  options: { readonly kept: readonly string[]; readonly inseparable: readonly string[] },
): readonly Problem[] {
  return options.inseparable
    .filter((path) => options.kept.includes(path) && !included.includes(path))
    .map((path) =>
      toProblem("person_changes_mixed", `In "${path}" the person's changes overlap with yours`, {
        at: AT,
        path,
        hint: "Ask the person; with their word name the file in include_person_changes.",
      })
    );
}

/**
 * Kept files for which the person gave permission earlier and which they have not changed since.
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

/** Files of the prepared commit that the person changed again since they were asked. */
export function findUnasked(state: SessionState, facts: Facts): readonly ProjectPath[] {
  const { changes, inseparable = [] } = facts;
  if (state.prepared === null || changes === undefined) return [];
  const { paths: kept, includePerson } = state.prepared;
  const said = recallIncluded(state, { kept, changes });
  const needed = new Set([...includePerson, ...inseparable]);
  return kept.filter((path) => needed.has(path) && !said.includes(path));
}

/**
 * The person's permissions so far with those of this submission; the newest one of a file counts.
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
