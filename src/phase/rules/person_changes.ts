/** Files that the person had changed too: whose word puts their part into the commit, and for how long. Pure. */
import type { ProjectPath } from "../../base/paths.ts";
import type { Problem } from "../../base/problem.ts";
import { toProblem } from "../../base/problem.ts";
import type { ChangedFile, Facts } from "../facts.ts";
import type { SessionState } from "../state.ts";

const AT = "data.include_person_changes";

/** Problems of named files in which there is nothing of the person's. */
export function checkIncluded(
  included: readonly string[],
  changes: readonly ChangedFile[],
): readonly Problem[] {
  const shared = new Set(changes.filter(({ isShared }) => isShared).map(({ path }) => path));
  return included.filter((path) => !shared.has(path)).map((path) =>
    toProblem("not_shared", `"${path}" has no changes of both the session and the person`, {
      at: AT,
      hint: "Name only files that review_changes lists under shared.",
    })
  );
}

/** Problems of kept files that cannot be committed without the person's word. */
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

/** Kept files for which the person gave their word earlier, with their changes as they were then. */
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

/** Files of the prepared commit that got text of the person's since they were asked about it. */
export function findUnasked(state: SessionState, facts: Facts): readonly ProjectPath[] {
  const { changes, inseparable = [] } = facts;
  if (state.prepared === null || changes === undefined) return [];
  const { paths: kept, includePerson } = state.prepared;
  const said = recallIncluded(state, { kept, changes });
  const needed = new Set([...includePerson, ...inseparable]);
  return kept.filter((path) => needed.has(path) && !said.includes(path));
}

/** What the person said until now, with what is named this time; the newest word of a file counts. */
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
