/** Places in code that somebody names for what was observed: lines that a file does not have show nothing. Pure. */
import type { Problem } from "../../base/problem.ts";
import type { Facts } from "../facts.ts";
import type { Place } from "./rule.ts";
import { checkPlace } from "./rule.ts";

/** What was observed: by clause, or as one text. */
export type Observed = Readonly<Record<string, string>> | string | null | undefined;

const PLACE = /([\w@.-]+(?:\/[\w@.-]+)*\.\w+):(\d{1,7})(?:-(\d{1,7}))?(?![\w:.-])/g;

/** The places of the form `path:line` or `path:start-end` in what was observed. */
export function listObservedPlaces(observed: Observed): readonly Place[] {
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
    .flatMap((place) => checkPlace(place, "data.observed", facts));
}
