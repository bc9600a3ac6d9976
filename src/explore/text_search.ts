/**
 * Answers `searchText`: the files of the question, one pass over them, lines cut for the reply. A folder is walked by the
 * program itself where that is quicker than a list of files.
 */
import { listLeftOutNotices, pickRegularFiles } from "../backends/regular_files.ts";
import { listWalkedFiles } from "../backends/ripgrep_run.ts";
import type { TextSearchContext } from "../backends/live_context.ts";
import { runText } from "../backends/live_context.ts";
import type { LineMatch, TextScope } from "../backends/text_query.ts";
import { cutLine, listPatternNotices } from "../backends/text_query.ts";
import type {
  ExploreOptions,
  QuestionRefused,
  SearchTextInput,
  TextFound,
  TextMatch,
} from "./explorer.ts";
import { resolveScope } from "./scope.ts";

/** Below this a list is as fast, and asks nothing beforehand. */
const MIN_FILES = 300;
/** With more the walk gains nothing. */
const MAX_UNSEEN = 500;

/** What ripgrep would not find of a list. */
interface Unseen {
  readonly files: readonly string[];
  /** Paths that are no regular files of the project. */
  readonly odd: readonly string[];
}

/** A list that changes is another one. */
const UNSEEN = new WeakMap<readonly string[], Promise<Unseen | null>>();

/** What a walk is planned for. */
export interface WalkInput {
  /** The whole list of the project, as it was given. */
  readonly list: readonly string[];
  /** What the question covers of it. */
  readonly files: readonly string[];
  /** Folder of the question. */
  readonly path: string;
  readonly signal?: AbortSignal;
}

/** The walk that finds the files of a question, or undefined where a list is better. */
export async function planWalk(
  context: TextSearchContext,
  { list, files, path, signal }: WalkInput,
): Promise<TextScope["walk"] | undefined> {
  if (context.isBrief === true || files.length < MIN_FILES || isHidden(path)) return undefined;
  const rg = await context.backends.rg();
  if (!rg.available || rg.path === undefined) return undefined;
  let finding = UNSEEN.get(list);
  if (finding === undefined) {
    finding = findUnseen(rg.path, context.projectRoot, list);
    UNSEEN.set(list, finding);
    finding.catch(() => UNSEEN.delete(list));
  }
  signal?.throwIfAborted();
  const unseen = await finding;
  if (unseen === null) return undefined;
  const prefix = path === "." ? "" : `${path}/`;
  const below = (one: string) => one.startsWith(prefix);
  return {
    folder: path,
    unseen: unseen.files.filter(below),
    leftOut: unseen.odd.filter(below).length,
  };
}

async function findUnseen(
  rgPath: string,
  root: string,
  list: readonly string[],
): Promise<Unseen | null> {
  const seen = new Set(await listWalkedFiles(rgPath, { root }));
  const others = list.filter((path) => !seen.has(path) && !isHidden(path));
  if (others.length > MAX_UNSEEN) return null;
  const { files } = pickRegularFiles(root, others);
  const own = new Set(files);
  return { files, odd: others.filter((path) => !own.has(path)) };
}

function isHidden(path: string): boolean {
  return /(?:^|\/)\.[^/]/.test(path);
}

/** More places of a match in one line tell nothing more of it. */
const MAX_SUBMATCHES = 20;
/** Lines of each pattern that are compared for which files come first (guessed). */
const RANKED_LINES = 1_000;

/** Searches lines of text. */
export async function searchText(
  context: TextSearchContext,
  input: SearchTextInput,
  options: ExploreOptions,
): Promise<TextFound | QuestionRefused> {
  const scope = await resolveScope(context, input, options.signal);
  const walk = scope.kind === "scope" && scope.list !== undefined && context.stored === undefined
    ? await planWalk(context, { ...scope, list: scope.list, ...options })
    : undefined;
  const search = input.takesTurns === true && input.patterns.length > 1 ? searchInTurns : runText;
  const { result, source, totals }: Searched = await search(context, input, {
    files: scope.kind === "scope" ? scope.files : [],
    ...(walk === undefined ? {} : { walk }),
    offset: input.offset ?? 0,
    maxResults: input.maxResults,
    ...options,
  });
  // Problems of the path and of the patterns are reported together.
  const problems = [scope, result].flatMap((one) => one.kind === "refused" ? one.problems : []);
  if (scope.kind === "refused" || result.kind === "refused") return { kind: "refused", problems };
  const matches = result.matches.map(shortenTextMatch);
  const notices = [
    ...scope.notices,
    ...result.notices,
    ...listPatternNotices(input),
    ...listLeftOutNotices(result.leftOut),
  ];
  return {
    kind: "found",
    matches,
    total: result.total,
    files: result.files,
    ...(totals === undefined ? {} : { totals }),
    source,
    freshness: "live",
    shownFiles: [...new Set(matches.map((match) => match.path))],
    shownSymbols: [],
    ...(notices.length === 0 ? {} : { notices }),
  };
}

interface Searched extends Awaited<ReturnType<typeof runText>> {
  readonly totals?: readonly number[];
}

/** All patterns at once say what there is and whether they can be used; each by itself gives its own lines. */
async function searchInTurns(
  context: TextSearchContext,
  input: SearchTextInput,
  scope: Omit<TextScope, "root">,
): Promise<Searched> {
  const whole = await runText(context, input, { ...scope, offset: 0, maxResults: 0 });
  if (whole.result.kind === "refused") return whole;
  const end = scope.offset + scope.maxResults;
  const maxResults = Math.max(end, RANKED_LINES);
  const lists: (readonly LineMatch[])[] = [];
  const totals: number[] = [];
  for (const pattern of input.patterns) {
    const own = { ...input, patterns: [pattern] };
    const one = whole.result.total === 0
      ? whole
      : await runText(context, own, { ...scope, offset: 0, maxResults });
    if (one.result.kind === "refused") return one;
    lists.push(one.result.matches);
    totals.push(one.result.total);
  }
  const matches = takeTurns(rankFiles(lists), end).slice(scope.offset);
  return { ...whole, result: { ...whole.result, matches }, totals };
}

/** Lines of files that more of the patterns meet in come first; else the order stays. */
function rankFiles(lists: readonly (readonly LineMatch[])[]): readonly (readonly LineMatch[])[] {
  const met = new Map<string, number>();
  for (const list of lists) {
    for (const path of new Set(list.map((match) => match.path))) {
      met.set(path, (met.get(path) ?? 0) + 1);
    }
  }
  return lists.map((list) =>
    list.toSorted((a, b) => (met.get(b.path) ?? 0) - (met.get(a.path) ?? 0))
  );
}

/** The first of each list, then the second of each, and so on; a line that several have stands once. */
function takeTurns(lists: readonly (readonly LineMatch[])[], end: number): readonly LineMatch[] {
  const taken = new Map<string, LineMatch>();
  const keyOf = ({ path, line }: LineMatch) => `${line}\0${path}`;
  const places = lists.map(() => 0);
  for (let count = -1; taken.size > count && taken.size < end;) {
    count = taken.size;
    for (const [which, list] of lists.entries()) {
      let at = places[which] ?? 0;
      for (let match = list[at++]; match !== undefined; match = list[at++]) {
        if (taken.has(keyOf(match))) continue;
        taken.set(keyOf(match), match);
        break;
      }
      places[which] = at;
    }
  }
  return [...taken.values()].slice(0, end);
}

function shortenTextMatch(match: LineMatch): TextMatch {
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
