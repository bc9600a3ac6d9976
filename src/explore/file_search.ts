/** Answers `searchFiles`: by glob, or by a name that may be only partly right. */
import { comparePaths } from "../backends/text_query.ts";
import { isGlob, parseGlob } from "../base/text/glob.ts";
import type { ExploreOptions, FilesFound, QuestionRefused, SearchFilesInput } from "./explorer.ts";
import type { TextSearchContext } from "../backends/live_context.ts";
import { makeGlobProblem, matchBelowFolder, resolveScope } from "./scope.ts";

/** Finds files. */
export async function searchFiles(
  context: TextSearchContext,
  input: SearchFilesInput,
  options: ExploreOptions,
): Promise<FilesFound | QuestionRefused> {
  // Who writes a dot file into the pattern wants to see it.
  const wantsHidden = input.includeHidden === true || /(?:^|\/)\.[^/.]/.test(input.pattern);
  const scope = await resolveScope(
    context,
    { ...input, includeHidden: wantsHidden },
    options.signal,
  );
  const match = isGlob(input.pattern) ? "glob" : "name";
  const glob = match === "glob" ? parseGlob(input.pattern) : undefined;
  const problems = [
    ...(scope.kind === "refused" ? scope.problems : []),
    ...(glob?.kind === "invalid" ? [makeGlobProblem(input.pattern, glob.reason, "pattern")] : []),
  ];
  if (scope.kind === "refused" || glob?.kind === "invalid") return { kind: "refused", problems };
  const all = glob === undefined
    ? rankByName(input.pattern, scope.files)
    : scope.files.filter(matchBelowFolder(glob.test, scope.path));
  const offset = input.offset ?? 0;
  const files = all.slice(offset, offset + input.maxResults);
  return {
    kind: "found",
    files,
    total: all.length,
    match,
    source: "files",
    freshness: "live",
    // A list of names shows no content.
    shownFiles: [],
    shownSymbols: [],
    ...(scope.notices.length === 0 ? {} : { notices: scope.notices }),
  };
}

const SUBSEQUENCE = 7;

/** Files whose name is or holds the text, the best first; letters in order count when nothing does. */
export function rankByName(text: string, files: readonly string[]): string[] {
  const wanted = text.replace(/^\.\//, "").toLowerCase();
  const scored = files.flatMap((path) => {
    const score = scoreName(wanted, path.toLowerCase());
    return score === undefined ? [] : [{ path, score }];
  });
  const best = scored.some((one) => one.score < SUBSEQUENCE)
    ? scored.filter((one) => one.score < SUBSEQUENCE)
    : scored;
  best.sort((a, b) =>
    a.score - b.score || a.path.length - b.path.length || comparePaths(a.path, b.path)
  );
  return best.map((one) => one.path);
}

function scoreName(wanted: string, path: string): number | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (path === wanted || name === wanted) return 0;
  if (name.slice(0, name.indexOf(".") > 0 ? name.indexOf(".") : undefined) === wanted) return 1;
  if (path.endsWith(`/${wanted}`)) return 2;
  if (name.startsWith(wanted)) return 3;
  const at = name.indexOf(wanted);
  if (at > 0 && /[^a-z0-9]/.test(name.charAt(at - 1))) return 4;
  if (at > 0) return 5;
  if (path.includes(wanted)) return 6;
  return isSubsequence(wanted, name) ? SUBSEQUENCE : undefined;
}

function isSubsequence(wanted: string, name: string): boolean {
  if (wanted.length < 3) return false;
  let at = 0;
  for (const char of name) if (char === wanted[at]) at++;
  return at >= wanted.length;
}
