/** What `query` answers about the past itself: whom or what it is asked of, and the reply. */
import { join } from "node:path";
import { parseRepoPath } from "../base/repo_path.ts";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import type { OkReply } from "../base/reply.ts";
import { buildRefusal, refuse } from "../base/reply.ts";
import { clip } from "../base/text/clip.ts";
import { either, joinWords, say, tool } from "../base/text/words.ts";
import { parseLocation } from "../evidence/location.ts";
import type { LineRange } from "../git/trees/changed_lines.ts";
import type { FileCommit, FileHistory, HotSpot, NoPast } from "../history/past_reader.ts";
import type { Together } from "../history/past.ts";
import { formatDay, formatFollowUp, shortenId } from "../history/similar_work.ts";
import { buildPage } from "./budget.ts";
import type { ToolContext, ToolOutcome } from "./tool.ts";

/** What the past is asked about; without any of them, about the project. */
export interface PastInput {
  /** A file, with `:LINES` after it or without. */
  readonly file?: string;
  readonly symbol?: string;
  /** A folder or a glob: which of its files change most. */
  readonly path?: string;
  readonly maxResults: number;
  readonly offset: number;
  /** The arguments of the call, for the call that returns the rest. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

interface About {
  readonly path: string;
  readonly ranges: readonly LineRange[];
  readonly symbol?: string;
  /** Why the file is refused where the past does not know it either: it is not there. */
  readonly missing?: readonly Problem[];
}

const MAX_MESSAGE_CHARS = 600;
const SUBJECT_CHARS = 120;
const MAX_PLACES = 5;
const MAX_TOGETHER = 5;

/** Answers a question about the past of a file, lines, a symbol, a folder or a glob. */
export async function answerPast(input: PastInput, context: ToolContext): Promise<ToolOutcome> {
  const { services: { pastReader }, signal } = context;
  if (input.file === undefined && input.symbol === undefined) {
    return await answerHotSpots(input, context);
  }
  const about = input.symbol === undefined
    ? await findFile(input.file ?? "", context)
    : await findSymbol(input.symbol, input.file, context);
  if ("folder" in about) {
    const path = about.folder;
    return await answerHotSpots(
      { ...input, path, arguments: { ...input.arguments, path } },
      context,
    );
  }
  if ("problems" in about) return { reply: buildRefusal(about.problems) };
  const found = await pastReader.readFile(about.path, about.ranges, { signal });
  if (about.missing !== undefined && (found.kind === "none" || found.changes === 0)) {
    return { reply: buildRefusal(about.missing) };
  }
  if (found.kind === "none") return { reply: refuseUnknown(found) };
  const together: Together[] = [];
  // A file that is gone now is no hint where to look.
  for (const one of found.together) {
    const isThere = (await context.services.explorer.checkPath(one.path, { signal })).length === 0;
    if (isThere) together.push(one);
  }
  return { reply: buildFileReply(about, { ...found, together: together.slice(0, MAX_TOGETHER) }) };
}

type Refused = { readonly problems: readonly Problem[] };

/** A file or a folder as it is called, else the file before `:LINES`. */
async function findFile(
  file: string,
  { services: { explorer, parts: { projectRoot } }, signal }: ToolContext,
): Promise<About | Refused | { readonly folder: string }> {
  const whole = await explorer.checkPath(file, { signal });
  if (whole.length === 0) {
    const path = plainPath(projectRoot, file);
    const { isDirectory } = await Deno.stat(join(projectRoot, path));
    return isDirectory ? { folder: path } : { path, ranges: [] };
  }
  const place = parseLocation(file);
  if (place?.kind !== "lines") {
    const missing = whole.map((problem) => addNameHint(withFilePath(problem), file));
    // Who removed a file, and why, is known of one that is gone.
    return whole.every(({ code }) => code === "path_not_found")
      ? { path: plainPath(projectRoot, file), ranges: [], missing }
      : { problems: missing };
  }
  const problems = await explorer.checkPath(place.path, { signal });
  if (problems.length > 0) return { problems: problems.map(withFilePath) };
  const { start, end } = place;
  if (start < 1 || end < start) {
    const message =
      `Lines ${start}-${end} are none: the first line is 1, and the last one is not before it`;
    return { problems: [makeProblem("invalid_lines", message, { at: "file_path" })] };
  }
  return { path: plainPath(projectRoot, place.path), ranges: [{ start, end }] };
}

function withFilePath(problem: Problem): Problem {
  return { ...problem, at: "file_path" };
}

/** A word that is no file may be a symbol. */
function addNameHint(problem: Problem, file: string): Problem {
  if (problem.code !== "path_not_found" || !/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(file)) {
    return problem;
  }
  const symbol = either({
    agent: `send symbol: "${file}" instead of file_path`,
    person: `run \`code-intel history --symbol ${file}\``,
  });
  const hint = say`If it is the name of a symbol, ${symbol}.`;
  return { ...problem, hint: joinWords([hint, problem.hint ?? ""]) };
}

/** `./src/a.ts` as the past calls it, of a path that was checked. */
function plainPath(root: string, path: string): string {
  const parsed = parseRepoPath(root, path);
  return parsed.kind === "path" ? parsed.path : path;
}

/** The lines of a symbol, where one file defines it. */
async function findSymbol(
  symbol: string,
  file: string | undefined,
  { services: { explorer }, signal }: ToolContext,
): Promise<About | Refused> {
  const found = await explorer.findDefinitions({
    symbol,
    exactMatch: true,
    maxResults: MAX_PLACES,
    ...(file === undefined ? {} : { path: file }),
  }, { signal });
  if (found.kind === "refused") return { problems: found.problems };
  const [first] = found.definitions;
  if (first === undefined) {
    return {
      problems: [makeProblem("symbol_not_found", `Nothing defines "${symbol}" by that name`, {
        at: "symbol",
        hint: say`${tool("find_definitions")} shows names that are like it.`,
      })],
    };
  }
  const own = found.definitions.filter(({ path }) => path === first.path);
  if (own.length < found.definitions.length || found.total > found.definitions.length) {
    const places = found.definitions.map(({ path, line }) => `${path}:${line}`).join(", ");
    const message = `${found.total} definitions are called "${symbol}": ${places}`;
    return {
      problems: [makeProblem("symbol_ambiguous", message, {
        at: "symbol",
        hint: say`${
          either({ agent: "Send file_path too", person: "Name its file too" })
        }, to say which one is meant.`,
      })],
    };
  }
  const ranges = own.map(({ line, endLine }) => ({ start: line, end: endLine ?? line }));
  return { path: first.path, ranges, symbol };
}

function refuseUnknown({ reason }: NoPast): ReturnType<typeof buildRefusal> {
  return refuse("past_unknown", `Nothing is known of the past: ${reason}`);
}

function buildFileReply(about: About, past: FileHistory): OkReply {
  const [last, ...others] = past.commits;
  return {
    ok: true,
    path: about.path,
    ...(about.symbol === undefined ? {} : { symbol: about.symbol }),
    ...(about.ranges.length === 0 || !past.isOfLines
      ? {}
      : { lines: about.ranges.map(({ start, end }) => `${start}-${end}`).join(", ") }),
    total: past.commits.length,
    commits: past.changes,
    of_commits: past.of,
    ...(past.lineChanges === null ? {} : { line_commits: past.lineChanges }),
    ...(last === undefined ? {} : { last: formatChange(last, MAX_MESSAGE_CHARS) }),
    ...(past.uncommitted === 0 ? {} : { uncommitted_lines: past.uncommitted }),
    ...(others.length === 0 ? {} : { before: others.map((one) => formatChange(one, 0)) }),
    authors: past.authors,
    ...(past.authorsOf === null ? {} : { authors_of_last: past.authorsOf }),
    years: past.years,
    together: past.together.map(({ path, times }) => ({ path, commits: times })),
    source: "git",
    ...buildNotices([...about.missing === undefined ? [] : [GONE], ...past.notices]),
  };
}

const GONE =
  "The file is not there any more: the newest of these commits removed or moved it, unless that is not committed yet.";

/** A commit with the beginning of its message; with 0 characters its first line. */
function formatChange(change: FileCommit, maxChars: number): Readonly<Record<string, unknown>> {
  const subject = change.message.split("\n", 1)[0] ?? "";
  return {
    commit: shortenId(change),
    at: formatDay(change.atSeconds),
    author: change.author,
    message: maxChars === 0 ? clip(subject, SUBJECT_CHARS) : clip(change.message, maxChars),
    ...(change.lines === undefined ? {} : { lines: change.lines }),
    ...(change.followUp === null ? {} : { then: formatFollowUp(change.followUp) }),
  };
}

/** Files of the answer about a folder or glob are listed by the search for files, which knows what is ignored. */
async function answerHotSpots(input: PastInput, context: ToolContext): Promise<ToolOutcome> {
  const { services: { explorer, pastReader }, signal } = context;
  const { path } = input;
  const isGlob = path !== undefined && /[*?[{]/.test(path);
  const found = await explorer.searchFiles({
    pattern: isGlob ? path : "**",
    // A page of the names would rank those that come first by name.
    maxResults: Number.MAX_SAFE_INTEGER,
    ...(isGlob || path === undefined ? {} : { path }),
  }, { signal });
  if (found.kind === "refused") return { reply: buildRefusal(found.problems) };
  const past = await pastReader.rank(found.files, { signal });
  if (past.kind === "none") return { reply: refuseUnknown(past) };
  const { spots, of, notices } = past;
  const page = buildPage(
    spots.slice(input.offset, input.offset + input.maxResults).map(formatSpot),
    {
      maxBytes: context.maxBytes,
      tool: "query",
      arguments: input.arguments,
      listKey: "hot_spots",
      total: spots.length,
      offset: input.offset,
      fields: {
        path: path ?? ".",
        of_commits: of,
        source: "git",
        ...buildNotices(notices),
      },
    },
  );
  return { reply: page.reply };
}

function formatSpot({ path, commits, fixes, lastSeconds }: HotSpot) {
  return { path, commits, ...(fixes === 0 ? {} : { fixes }), last: formatDay(lastSeconds) };
}

function buildNotices(notices: readonly string[]): { readonly notices?: readonly string[] } {
  return notices.length === 0 ? {} : { notices };
}
