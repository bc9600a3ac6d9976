/**
 * Which files have to be decided about one by one, and which in a group: by likelihood where a request and a past say
 * how likely each is, and else by what the graph proves. No proven user is left out. Pure.
 */
import type { AffectedFile } from "../affected.ts";
import type { LikelyFile } from "./likely_files.ts";

/** What is decided from. */
export interface DecisionSource {
  /** What the graph, names and documents found. */
  readonly files: readonly AffectedFile[];
  readonly likely: readonly LikelyFile[];
  /** True where whole files change, and the request and a past say how likely every other file is. */
  readonly isWeighed: boolean;
  readonly isTest: (path: string) => boolean;
}

/** From this share on a file is asked about by itself: half of such files really changed (`docs/history.md`). */
export const MUST_SHARE = 0.07;
/** More files are never asked about one by one: what is further is as good as never needed. */
export const MAX_LISTED = 8;
/** The files with what has to be decided: listed ones first, then by likelihood; those in a group last. */
export function toDecisions(source: DecisionSource): AffectedFile[] {
  const { likely, isWeighed, isTest } = source;
  const places = new Map(likely.map(({ path }, at) => [path, at]));
  const toPlace = ({ path }: AffectedFile) => places.get(path) ?? likely.length;
  const files = isWeighed ? addUnlinked(source) : source.files;
  const proven = files.filter(({ isMust }) => isMust);
  const listed = new Set(
    isWeighed
      ? likely.filter(({ share }) => share >= MUST_SHARE).slice(0, MAX_LISTED).map(({ path }) =>
        path
      )
      : proven.toSorted((a, b) => toPlace(a) - toPlace(b)).slice(0, MAX_LISTED).map(({ path }) =>
        path
      ),
  );
  const rest = Map.groupBy(
    proven.filter(({ path }) => !listed.has(path)),
    ({ path }) => isTest(path) ? "other tests" : "other users",
  );
  const groups = new Map<string, string>();
  for (const [group, own] of rest) {
    for (const { path } of own) groups.set(path, group);
  }
  const toRank = ({ path }: AffectedFile) => listed.has(path) ? 0 : groups.has(path) ? 2 : 1;
  return files.map((file): AffectedFile => {
    const group = groups.get(file.path);
    const isMust = listed.has(file.path) || group !== undefined;
    return { ...file, isMust, ...(group === undefined ? {} : { group }) };
  }).toSorted((a, b) => toRank(a) - toRank(b) || (isWeighed ? toPlace(a) - toPlace(b) : 0));
}

/** Likely files that no link leads to are asked about too. */
function addUnlinked({ files, likely, isTest }: DecisionSource): readonly AffectedFile[] {
  const known = new Set(files.map(({ path }) => path));
  const added = likely.filter(({ path, share }) => share >= MUST_SHARE && !known.has(path))
    .slice(0, MAX_LISTED)
    .map(({ path, reasons }): AffectedFile => ({
      path,
      isMust: true,
      isTest: isTest(path),
      edges: [],
      reasons,
    }));
  return [...files, ...added];
}
