/**
 * Text search by ripgrep over an explicit list of files. ripgrep never walks folders here, so that its
 * answer covers the very files that the built-in scanner would read.
 */
import type { Problem } from "../base/problem.ts";
import { runProcess } from "../base/processes/process.ts";
import type { RunResult } from "../base/processes/process.ts";
import type { FileBlock } from "./ripgrep_output.ts";
import { readMatches, splitOutput, stripDotSlash } from "./ripgrep_output.ts";
import {
  buildArgs,
  keepRegularFiles,
  makeRipgrepError,
  matchLines,
  runRipgrep,
  splitBatches,
} from "./ripgrep_run.ts";
import { pickRegularFiles, readProjectText } from "./regular_files.ts";
import type { LineMatch, TextQuery, TextResult, TextScope } from "./text_query.ts";
import { checkPatterns, comparePaths, makePatternProblem } from "./text_query.ts";

// Beyond this the matches are counted first and only those of the page are printed.
const FIRST_OUTPUT_BYTES = 16 * 1024 * 1024;

/**
 * Searches with the ripgrep at `rgPath`.
 *
 * @throws {CodeIntelError} `timed_out`, `cancelled`, `backend_failed`, `backend_missing`.
 */
export async function searchWithRipgrep(
  rgPath: string,
  query: TextQuery,
  asked: TextScope,
): Promise<TextResult> {
  const early = checkPatterns(query);
  if (early.length > 0) return { kind: "refused", problems: early };
  const { scope, leftOut } = keepRegularFiles(asked);
  if (scope.files.length === 0) {
    const problems = await checkExpressions(rgPath, query, scope);
    if (problems.length > 0) return { kind: "refused", problems };
  }
  const blocks: FileBlock[] = [];
  for (const part of splitBatches(scope)) {
    const run = await runRipgrep(rgPath, [...buildArgs(query), "--json"], {
      scope,
      ...part,
      maxOutputBytes: FIRST_OUTPUT_BYTES,
    });
    if (run.truncated) return { ...await searchByCounts(rgPath, query, scope), leftOut };
    const output = splitOutput(new TextDecoder().decode(run.stdout));
    if (!output.isWhole) {
      const problems = await checkExpressions(rgPath, query, scope);
      if (problems.length > 0) return { kind: "refused", problems };
      throw makeRipgrepError(run);
    }
    blocks.push(...output.blocks);
  }
  const own = withoutLinks(scope.root, onlyListed(scope, blocks));
  const page = pickPage(own, query, scope);
  const matches = await nameMatched(rgPath, query, { scope, matches: page.matches });
  return { kind: "found", notices: [], total: page.total, files: own.length, leftOut, matches };
}

/** The files among `asked.files` that hold a match; cheaper than the matches. Binary files are among them. */
export async function listFilesWithRipgrep(
  rgPath: string,
  query: TextQuery,
  asked: TextScope,
): Promise<string[]> {
  const { scope } = keepRegularFiles(asked);
  const files: string[] = [];
  for (const part of splitBatches(scope)) {
    const run = await runRipgrep(rgPath, [...buildArgs(query), "--files-with-matches", "--null"], {
      scope,
      ...part,
    });
    // Status 2 with results: a file of the list could not be read, which is no failure of the search.
    if (run.code === 2 && run.stderr !== "" && run.stdout.length === 0) throw makeRipgrepError(run);
    files.push(
      ...new TextDecoder().decode(run.stdout).split("\0").filter((one) => one !== "").map(
        stripDotSlash,
      ),
    );
  }
  const own = onlyListed(scope, files.map((path) => ({ path })));
  return withoutLinks(scope.root, own).map(({ path }) => path).sort(comparePaths);
}

/** A walk may find more than the list has: nested repositories, what was made a moment ago. */
function onlyListed<T extends { readonly path: string }>(
  { files, walk }: TextScope,
  found: readonly T[],
): readonly T[] {
  if (walk === undefined || found.length === 0) return found;
  const listed = new Set(files);
  return found.filter(({ path }) => listed.has(path));
}

/** The file types that ripgrep knows, as globs by name. */
export async function listFileTypes(
  rgPath: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const run = await runProcess(rgPath, ["--no-config", "--type-list"]);
  return new Map(
    new TextDecoder().decode(run.stdout).split("\n").flatMap((line) => {
      const colon = line.indexOf(": ");
      return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 2).split(", ")] as const];
    }),
  );
}

/** A faulty expression must not look like one without matches: each is held against an empty input. */
async function checkExpressions(
  rgPath: string,
  query: TextQuery,
  scope: TextScope,
): Promise<Problem[]> {
  if (
    query.fixed || query.patterns.every((pattern) => /^[\w\s"'=:;,<>/@#%&~`!-]*$/.test(pattern))
  ) return [];
  const problems: Problem[] = [];
  for (const [index, pattern] of query.patterns.entries()) {
    const run = await runRipgrep(rgPath, [...buildArgs(query, [pattern]), "--quiet"], {
      scope,
      batch: [],
      stdin: "",
    });
    if (run.code !== 2) continue;
    const fault = readFault(run.stderr);
    problems.push(makePatternProblem(pattern, fault.reason, {
      index,
      count: query.patterns.length,
      ...(fault.position === undefined ? {} : { position: fault.position }),
    }));
  }
  return problems;
}

function readFault(stderr: string): { readonly reason: string; readonly position?: number } {
  const lines = stderr.split("\n");
  const reason = lines.find((line) => line.startsWith("error: "))?.slice("error: ".length) ??
    lines.find((line) => line.trim() !== "") ?? "ripgrep does not accept it";
  const caret = lines.find((line) => /^\s+\^+\s*$/.test(line));
  // ripgrep shows the expression with four blanks before it.
  return caret === undefined ? { reason } : { reason, position: caret.indexOf("^") - 3 };
}

// A file may have given way to a link between the look before the search and its reading: what lies
// outside of the project is not shown.
function withoutLinks<T extends { readonly path: string }>(root: string, found: readonly T[]): T[] {
  const own = new Set(pickRegularFiles(root, found.map(({ path }) => path)).files);
  return found.filter(({ path }) => own.has(path));
}

function pickPage(
  blocks: FileBlock[],
  query: TextQuery,
  scope: TextScope,
): { readonly matches: LineMatch[]; readonly total: number } {
  blocks.sort((a, b) => comparePaths(a.path, b.path));
  const matches: LineMatch[] = [];
  let total = 0;
  for (const block of blocks) {
    const from = Math.max(0, scope.offset - total);
    const to = scope.offset + scope.maxResults - total;
    total += block.matchCount;
    if (to <= 0 || from >= block.matchCount) continue;
    matches.push(...readMatches(block, from, { to, contextLines: query.contextLines }));
  }
  return { matches, total };
}

/** For answers too large to read: exact counts first, then only the files of the page. */
async function searchByCounts(
  rgPath: string,
  query: TextQuery,
  scope: TextScope,
): Promise<Found> {
  const counts: { path: string; count: number }[] = [];
  for (const part of splitBatches(scope)) {
    const run = await runRipgrep(rgPath, [...buildArgs(query), "--count", "--null"], {
      scope,
      ...part,
    });
    for (const line of new TextDecoder().decode(run.stdout).split("\n")) {
      const nul = line.indexOf("\0");
      if (nul > 0) {
        counts.push({
          path: stripDotSlash(line.slice(0, nul)),
          count: Number(line.slice(nul + 1)),
        });
      }
    }
  }
  const { walk: _walk, ...listed } = scope;
  const matched = { ...listed, files: onlyListed(scope, counts).map((one) => one.path) };
  const nul: TextQuery = {
    ...query,
    patterns: ["\\x00"],
    fixed: false,
    wholeWord: false,
    contextLines: 0,
  };
  const binary = new Set(await listBinary(rgPath, nul, matched));
  const texts = withoutLinks(scope.root, onlyListed(scope, counts))
    .filter((one) => !binary.has(one.path))
    .sort((a, b) => comparePaths(a.path, b.path));
  const total = texts.reduce((sum, one) => sum + one.count, 0);
  const matches = await readPage(rgPath, query, { scope, texts });
  return { kind: "found", notices: [], total, files: texts.length, leftOut: 0, matches };
}

type Found = Extract<TextResult, { readonly kind: "found" }>;

async function listBinary(rgPath: string, query: TextQuery, scope: TextScope): Promise<string[]> {
  const found: string[] = [];
  for (const part of splitBatches(scope)) {
    const run = await runRipgrep(rgPath, [
      ...buildArgs(query),
      "--text",
      "--files-with-matches",
      "--null",
    ], { scope, ...part });
    found.push(...new TextDecoder().decode(run.stdout).split("\0").map(stripDotSlash));
  }
  return found;
}

async function readPage(
  rgPath: string,
  query: TextQuery,
  options: {
    readonly scope: TextScope;
    readonly texts: readonly { path: string; count: number }[];
  },
): Promise<readonly LineMatch[]> {
  const { scope, texts } = options;
  const end = scope.offset + scope.maxResults;
  const matches: LineMatch[] = [];
  let before = 0;
  for (const { path, count } of texts) {
    const from = Math.max(0, scope.offset - before);
    const to = Math.min(count, end - before);
    before += count;
    if (from >= to) continue;
    matches.push(...await readFilePage(rgPath, query, { scope, path, from, to }));
  }
  return nameMatched(rgPath, query, { scope, matches });
}

interface FilePage {
  readonly scope: TextScope;
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** The matches `from` to `to` of one file: their line numbers first, then ripgrep on these lines. */
async function readFilePage(
  rgPath: string,
  query: TextQuery,
  page: FilePage,
): Promise<LineMatch[]> {
  const { scope, path } = page;
  const bare = { ...query, contextLines: 0 };
  const listed = await runRipgrep(rgPath, [...buildArgs(bare), ...NUMBERS_ONLY], {
    scope,
    batch: [path],
  });
  const numbers = readNumbers(listed).slice(page.from, page.to);
  const lines = (readProjectText(scope.root, path) ?? "").split(/\r?\n/);
  const found = await matchLines(rgPath, bare, {
    scope,
    lines: numbers.map((number) => lines[number - 1] ?? ""),
  });
  const around = query.contextLines;
  return found.map((match) => {
    const line = numbers[match.line - 1] ?? 0;
    const context = around === 0 ? {} : {
      before: lines.slice(Math.max(0, line - 1 - around), line - 1),
      after: lines.slice(line, line + around),
    };
    return { ...match, path, line, ...context };
  });
}

// A column limit of one leaves next to nothing of a line but its number.
const NUMBERS_ONLY = ["--line-number", "--no-filename", "--max-columns=1", "--text"];

function readNumbers(run: RunResult): number[] {
  const lines = new TextDecoder().decode(run.stdout).split("\n");
  return lines.filter((line) => line !== "").map((line) => Number.parseInt(line, 10));
}

/** Says which of several patterns each shown line matched, by one small run for each pattern. */
async function nameMatched(
  rgPath: string,
  query: TextQuery,
  options: { readonly scope: TextScope; readonly matches: readonly LineMatch[] },
): Promise<readonly LineMatch[]> {
  const { scope, matches } = options;
  if (query.patterns.length < 2 || matches.length === 0) return matches;
  const matched = matches.map(() => [] as number[]);
  const stdin = matches.map((match) => `${match.text}\n`).join("");
  for (const [index, pattern] of query.patterns.entries()) {
    const args = [...buildArgs({ ...query, contextLines: 0 }, [pattern]), ...NUMBERS_ONLY];
    for (const line of readNumbers(await runRipgrep(rgPath, args, { scope, batch: [], stdin }))) {
      matched[line - 1]?.push(index);
    }
  }
  return matches.map((match, index) => ({ ...match, matched: matched[index] ?? [] }));
}
