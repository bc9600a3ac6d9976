/** Answers `searchText`: the files of the question, one pass over them, lines cut for the reply. */
import { cutLine, runText, toLeftOutNotices, toPatternNotices } from "../backends/mod.ts";
import type { LineMatch, LiveExplorerOptions } from "../backends/mod.ts";
import type {
  ExploreOptions,
  ExploreRefused,
  SearchTextInput,
  TextFound,
  TextMatch,
} from "./explorer.ts";
import { resolveScope } from "./scope.ts";
import { toSubmoduleNotices } from "./submodules.ts";
import { planWalk } from "./walk_plan.ts";

/** More places of a match in one line tell nothing more of it. */
const MAX_SUBMATCHES = 20;

/** Searches lines of text. */
export async function searchText(
  context: LiveExplorerOptions,
  input: SearchTextInput,
  options: ExploreOptions,
): Promise<TextFound | ExploreRefused> {
  const scope = await resolveScope(context, input, options.signal);
  const walk = scope.kind === "scope" && scope.list !== undefined
    ? await planWalk(context, { ...scope, list: scope.list, ...options })
    : undefined;
  const { result, source } = await runText(context, input, {
    files: scope.kind === "scope" ? scope.files : [],
    ...(walk === undefined ? {} : { walk }),
    offset: input.offset ?? 0,
    maxResults: input.maxResults,
    ...options,
  });
  // Problems of the path and of the patterns are told together.
  const problems = [scope, result].flatMap((one) => one.kind === "refused" ? one.problems : []);
  if (scope.kind === "refused" || result.kind === "refused") return { kind: "refused", problems };
  const matches = result.matches.map(toTextMatch);
  const notices = [
    ...scope.notices,
    ...result.notices,
    ...toPatternNotices(input),
    ...toLeftOutNotices(result.leftOut),
    ...result.total > 0 ? [] : toSubmoduleNotices(context.projectRoot, scope.path),
  ];
  return {
    kind: "found",
    matches,
    total: result.total,
    files: result.files,
    source,
    freshness: "live",
    shownFiles: [...new Set(matches.map((match) => match.path))],
    shownSymbols: [],
    ...(notices.length === 0 ? {} : { notices }),
  };
}

/** A line that was cut, smaller still, around its first match: for a budget that holds no more. */
export function toSmallMatch(
  { before: _before, after: _after, ...match }: TextMatch,
  maxChars: number,
): TextMatch {
  const { submatches } = match;
  const cut = cutLine(match.text, submatches.slice(0, 1), maxChars);
  const count = match.submatchCount ?? submatches.length;
  return {
    ...match,
    text: cut.text,
    submatches: cut.ranges,
    ...(count > cut.ranges.length ? { submatchCount: count } : {}),
    ...(cut.text === match.text ? {} : { isCut: true }),
  };
}

function toTextMatch(match: LineMatch): TextMatch {
  const cut = cutLine(match.text, match.ranges);
  const submatches = cut.ranges.slice(0, MAX_SUBMATCHES);
  const count = match.rangeCount ?? match.ranges.length;
  const cutAll = (lines: readonly string[]) => lines.map((line) => cutLine(line, []).text);
  return {
    path: match.path,
    line: match.line,
    text: cut.text,
    submatches,
    ...(count > submatches.length ? { submatchCount: count } : {}),
    ...(cut.text === match.text ? {} : { isCut: true }),
    ...(match.matched === undefined ? {} : { matched: match.matched }),
    ...(match.before === undefined ? {} : { before: cutAll(match.before) }),
    ...(match.after === undefined ? {} : { after: cutAll(match.after) }),
  };
}
