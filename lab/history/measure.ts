/** Asks the program's own services at the parent of each commit, when nothing of the commit is known yet. */
import { join } from "node:path";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import type { CommitHistory } from "../../src/history/past.ts";
import { findChangedTogether } from "../../src/history/past.ts";
import type { KnownHistory } from "../../src/history/repository_history.ts";
import { weighVotes } from "../../src/history/near_messages.ts";
import type { LikelyFile } from "../../src/impact/likely/likely_files.ts";
import { isCode } from "../../src/impact/naming.ts";
import type { SemanticHit } from "../../src/explore/meaning/meaning_types.ts";
import type { Services } from "../../src/services/services_api.ts";
import { createServices } from "../../src/services/services.ts";
import { run } from "../../tools/run.ts";
import { toFolder } from "../harness/clones.ts";

/** One commit that was really made. */
export interface BenchmarkCommit {
  /** `owner/name`. */
  readonly repo: string;
  readonly commit: string;
  readonly parent: string;
  /** The source file with most changed lines. */
  readonly primary: string;
  /** All changed source files that stood before. */
  readonly files: readonly string[];
}

/** One commit with what was answered. */
export interface MeasuredCommit {
  readonly row: BenchmarkCommit;
  readonly request: string;
  /** Files of the search by meaning, best first; null where it was not asked. */
  readonly localise: readonly FoundFile[] | null;
  /** Files of the impact analysis, best first. */
  readonly likely: readonly LikelyFile[];
  readonly must: readonly string[];
  /** Ranked files of the plain ways, by their names. */
  readonly plain: Readonly<Record<PlainWay, readonly string[]>>;
  readonly impactMs: number;
  readonly searchMs: number;
}

/** A file of the search, with what its score is made of. */
export interface FoundFile {
  readonly path: string;
  readonly score: number;
  /** What each feature adds to the score. */
  readonly adds: Readonly<Partial<Record<string, number>>>;
}

/** Ways that need the past alone. */
export type PlainWay = "together" | "together, halved by age" | "messages";

/** What the past of one repository cost. */
export interface PastCost {
  readonly repo: string;
  readonly commits: number;
  readonly readMs: number;
}

/** Where things lie. */
export interface HistoryOptions {
  /** Clones, a folder each, named `owner+name`. */
  readonly reposDir: string;
  /** The scratch checkouts; what they hold is overwritten. */
  readonly scratchDir: string;
  /** False to ask the impact analysis alone. */
  readonly isSearched: boolean;
  /** Told of each commit as soon as it is measured. */
  readonly onMeasured: (one: MeasuredCommit, cost: PastCost) => Promise<void>;
}

/** Measures commits of one repository, the oldest parent first, so that each costs only what is new. */
export async function measureRepository(
  rows: readonly BenchmarkCommit[],
  options: HistoryOptions,
): Promise<void> {
  const [{ repo } = { repo: "" }] = rows;
  const source = toFolder(options.reposDir, repo);
  const dir = await openClone(repo, options);
  const ordered = await sortByAge(source, rows);
  await Deno.remove(join(dir, ".git/code-intel/history.jsonl")).catch(() => {});
  let cost: PastCost = { repo, commits: 0, readMs: 0 };
  for (const row of ordered) {
    await checkOut(dir, row.parent);
    // Services are opened anew, as a program would be that is started in this state.
    const services = await createServices({ projectDir: dir, logger: SILENT_LOGGER, offered: [] });
    try {
      await services.index.sync();
      const startedMs = performance.now();
      const known = await services.history.refresh();
      const readMs = performance.now() - startedMs;
      if (known.kind === "none") throw new Error(`${repo}: ${known.reason}`);
      if (cost.commits === 0) cost = { repo, commits: known.known.past.commits.length, readMs };
      const request = await readRequest(source, row.commit);
      const files = await run("git", ["ls-files", "-z"], { cwd: dir });
      const code = new Set(files.split("\0").filter(isCode));
      const answer = await ask(services, { row, request, known: known.known, code, ...options });
      await options.onMeasured(answer, cost);
    } finally {
      await services.close();
    }
  }
}

/** The scratch checkout of a repository; made where it is not there. */
export async function openClone(
  repo: string,
  { reposDir, scratchDir }: Pick<HistoryOptions, "reposDir" | "scratchDir">,
): Promise<string> {
  const dir = toFolder(scratchDir, repo);
  if (await Deno.stat(join(dir, ".git")).catch(() => null) === null) {
    const source = toFolder(reposDir, repo);
    await run("git", ["clone", "-q", "--shared", "--no-checkout", source, dir], { cwd: "/" });
  }
  return dir;
}

/** A clone may lack objects, such as very large files: everything else is checked out all the same. */
export async function checkOut(dir: string, commit: string): Promise<void> {
  const git = (...args: string[]) => run("git", args, { cwd: dir });
  await git("update-ref", "--no-deref", "HEAD", commit);
  await git("read-tree", "--reset", commit);
  await git("clean", "-ffdq");
  await git("checkout-index", "-f", "-a").catch(() => {});
}

async function sortByAge(
  dir: string,
  rows: readonly BenchmarkCommit[],
): Promise<readonly BenchmarkCommit[]> {
  const ages = await Promise.all(rows.map(async (row) => {
    const behind = await run("git", ["rev-list", "--count", row.parent], { cwd: dir });
    return { row, behind: Number(behind) };
  }));
  return ages.sort((a, b) => a.behind - b.behind).map(({ row }) => row);
}

const MESSAGE_CHARS = 400;
const TRAILER = /^[A-Za-z-]+: .*@.*$/gm;
const NUMBER = /\(?#\d+\)?/g;

/** The request of a commit: the beginning of its message, without numbers of issues and lines of who signed it. */
export async function readRequest(dir: string, commit: string): Promise<string> {
  const message = await run("git", ["show", "-s", "--format=%B", commit], { cwd: dir });
  return message.replace(TRAILER, "").replace(NUMBER, "").trim().slice(0, MESSAGE_CHARS);
}

const MAX_RESULTS = 50;

interface Asked {
  readonly row: BenchmarkCommit;
  readonly request: string;
  readonly known: KnownHistory;
  /** Files of code that stand in the checkout: the plain ways name no others. */
  readonly code: ReadonlySet<string>;
  readonly isSearched: boolean;
}

async function ask({ meaning, impact }: Services, asked: Asked): Promise<MeasuredCommit> {
  const { row, request, isSearched } = asked;
  const question = { query: request, maxResults: MAX_RESULTS, explain: true } as const;
  const searchedMs = performance.now();
  const found = isSearched ? await meaning.search({ ...question, collection: "forest" }) : null;
  const searchMs = performance.now() - searchedMs;
  const input = { symbols: [], isDiff: false, changeDescription: request, depth: 2 };
  const startedMs = performance.now();
  const answer = await impact.analyze({ ...input, targetFiles: [row.primary] });
  const impactMs = performance.now() - startedMs;
  const isFound = answer.kind === "found";
  const must = isFound
    ? answer.files.filter(({ isMust, group }) => isMust && group === undefined)
    : [];
  return {
    row,
    request,
    localise: found === null ? null : found.kind === "found" ? found.hits.map(toPlace) : [],
    likely: isFound ? answer.likely : [],
    must: must.map(({ path }) => path),
    plain: askPlainly(asked),
    impactMs,
    searchMs,
  };
}

function toPlace({ path, score, explain }: SemanticHit): FoundFile {
  const { penalties: _, ...adds } = explain ?? {};
  return { path, score, adds };
}

/** The plain ways look back this far. */
const PLAIN_COMMITS = 2_000;

function askPlainly(
  { row, request, known, code }: Omit<Asked, "isSearched">,
): MeasuredCommit["plain"] {
  const { past, messages } = known;
  const near = toNearPast(past);
  const rank = (halfLife: number) =>
    toCode(findChangedTogether(near, [row.primary], { halfLife }).map(({ path }) => path));
  const toCode = (paths: readonly string[]) => paths.filter((path) => code.has(path));
  const voters = messages.findNear(request).filter(({ place }) => place < PLAIN_COMMITS);
  return {
    together: rank(Infinity),
    "together, halved by age": rank(400),
    messages: toCode(weighVotes(voters).map(({ path }) => path)),
  };
}

function toNearPast({ commits, byPath, isCut }: CommitHistory): CommitHistory {
  const near = [...byPath].map(([path, places]) =>
    [path, places.filter((place) => place < PLAIN_COMMITS)] as const
  );
  return { commits: commits.slice(0, PLAIN_COMMITS), byPath: new Map(near), isCut };
}
