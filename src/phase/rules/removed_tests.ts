/**
 * Test files that the session removed: each needs an item at step 14 and a reason at step 17, so
 * that tests never disappear unnoticed. Pure.
 */
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import type { Facts, RemovedTest } from "../facts.ts";
import type { LineLocation } from "../../base/text/places.ts";
import { checkLines } from "./rule.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { ReviewedFile } from "../state.ts";
import type { Task } from "../tasks.ts";

/** What was observed: by clause, or as one text. */
export type Observed = Readonly<Record<string, string>> | string | null | undefined;

const PLACE = /([\w@.-]+(?:\/[\w@.-]+)*\.\w+):(\d{1,7})(?:-(\d{1,7}))?(?![\w:.-])/g;

/** The places of the form `path:line` or `path:start-end` in what was observed. */
export function listObservedPlaces(observed: Observed): readonly LineLocation[] {
  const texts = typeof observed === "string" ? [observed] : Object.values(observed ?? {});
  return texts.flatMap((text) => [...text.matchAll(PLACE)]).map(([, path = "", start, end]) => ({
    path,
    start: Number(start),
    end: Number(end ?? start),
  }));
}

/** One problem for each place whose lines its file does not have; a path that is no file of the project is output of a run. */
export function checkObservedPlaces(observed: Observed, facts: Facts): readonly Problem[] {
  const { lines = {} } = facts;
  return listObservedPlaces(observed).filter(({ path }) => Object.hasOwn(lines, path))
    .flatMap((place) => checkLines(place, "data.observed", facts));
}

/** Removed test files that are not the place of any done item. */
export function findUncoveredTests(
  tasks: readonly Task[],
  removed: readonly RemovedTest[],
): readonly string[] {
  const places = new Set(
    tasks.flatMap(({ checklist }) =>
      checklist.flatMap(({ status, evidence }) =>
        status === "done" && evidence !== undefined
          ? [evidence.slice(0, evidence.lastIndexOf(":")).replace(/^(?:\.\/)+/, "")]
          : []
      )
    ),
  );
  return removed.filter(({ path, changedPath }) => !places.has(path) && !places.has(changedPath))
    .map(({ path }) => path);
}

/** The task that accounts for removed test files, with one item for each. */
export function buildRemovalTask(tasks: readonly Task[], paths: readonly string[]): Task {
  const number = tasks.filter(({ id }) => id.startsWith("removed_tests_")).length + 1;
  return {
    id: `removed_tests_${number}`,
    description: "Account for test files that are gone or test nothing any more: bring each back " +
      "(then its item is skipped), or report the removal (evidence path:deleted)",
    status: "pending",
    checklist: paths.map((path) => ({
      item: `Account for the removed test ${path}`,
      status: "pending",
    })),
    failureCount: 0,
    revertReason: null,
    evidenceTree: null,
  };
}

/** Removed test files for which the review gives no reason. */
export function checkRemovedTests(
  files: readonly ReviewedFile[],
  removed: readonly RemovedTest[],
): readonly Problem[] {
  const decided = new Map(files.map((file) => [file.path, file]));
  return removed.flatMap(({ path, changedPath, how }) => {
    const file = decided.get(changedPath);
    const reason = file?.reason?.trim() ?? "";
    if (file?.decision !== "keep" || reason.length >= LIMITS.reasonMinChars.value) return [];
    return [makeProblem("tests_removed", `The test ${path} was ${how}, and no reason is given`, {
      at: "data.reviewed_files",
      path: changedPath,
      hint: `Say why in reviewed_files: {"path": "${changedPath}", "decision": "keep", "reason": ` +
        `"at least ${LIMITS.reasonMinChars.value} characters"}; discard brings the file back.`,
    })];
  });
}
