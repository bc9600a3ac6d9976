/**
 * The benchmark of real commits: `deno task history --repos DIR --commits FILE`. It checks out the parent of each
 * commit, asks the program what the commit was about and what belongs to it, and prints the figures beside plain ways.
 */
import { cpus } from "node:os";
import { join } from "node:path";
import { LIKELY_MODEL } from "../../src/impact/likely/second_look.ts";
import { runProgram } from "../../tools/measure.ts";
import { REPOSITORY } from "../../tools/demo/server.ts";
import { parseWords } from "../../tools/task.ts";
import type { BenchmarkCommit } from "./commits.ts";
import { readCommits, toFolder } from "./commits.ts";
import type { HistoryOptions, MeasuredCommit } from "./measure.ts";
import { measureRepository } from "./measure.ts";
import { toHistoryPage } from "./page.ts";
import { readMore, ResultsFile } from "./results_file.ts";
import { fitModel } from "./score.ts";
import { toTreeTable } from "./tree_table.ts";

const HELP =
  `deno task history --repos DIR --commits FILE [--only NAME] [--scratch DIR] [--results FILE] [--more FILE]
    [--no-search] [--fit] [--write]

--repos    a folder with a git clone a repository, named owner+name, with its whole past
--commits  a file with one commit a line: repo (owner/name), commit, parent, primary, files[]
--only     only repositories whose name holds this
--scratch  keeps the checkouts and their indexes there; default a temporary folder
--results  adds a line a commit as soon as it is measured: localise, complete and must, each a list of files, best
           first, and all that the page needs; a run that was ended goes on behind the lines of the same program
--more     results of commits of other repositories, from which every fit learns too
--no-search  asks the impact analysis alone, which takes a third of the time
--fit      writes the trees that correct the weights of likely files, fitted to all these commits
--write    writes docs/history.md
`;

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

/** Runs the task; the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseWords(HELP, {
    args: [...args],
    options: {
      repos: { type: "string" },
      commits: { type: "string" },
      only: { type: "string", default: "" },
      scratch: { type: "string" },
      results: { type: "string" },
      more: { type: "string" },
      fit: { type: "boolean", default: false },
      "no-search": { type: "boolean", default: false },
      write: { type: "boolean", default: false },
    },
  });
  const { repos: reposDir, commits: path, only } = values;
  if (reposDir === undefined || path === undefined) return fail("a folder or a file is not named");
  const commits = (await readCommits(path))?.filter(({ repo }) => repo.includes(only));
  if (commits === undefined) return fail(`there is no ${path}`);
  const groups = [...Map.groupBy(commits, ({ repo }) => repo)];
  const missing = await findMissing(reposDir, groups.map(([repo]) => repo));
  if (missing.length > 0) return fail(`not in ${reposDir}: ${missing.join(", ")}`);
  const scratchDir = values.scratch ?? await Deno.makeTempDir({ prefix: "code-intel-history-" });
  const where = await describePlace();
  const results = new ResultsFile(values.results ?? null, where);
  try {
    await measureAll(groups, results, { reposDir, scratchDir, isSearched: !values["no-search"] });
    const repos = new Set(commits.map(({ repo }) => repo));
    const more = values.more === undefined ? [] : readMore(values.more, repos);
    const found = results.read(commits);
    if (values.fit) await writeTrees([...found.measured, ...more]);
    const page = toHistoryPage({ ...found, more, where });
    print(page);
    if (values.write) await Deno.writeTextFile(join(REPOSITORY, "docs/history.md"), page);
    return 0;
  } finally {
    if (values.scratch === undefined) await Deno.remove(scratchDir, { recursive: true });
  }
}

/** The trees are fitted to the weights of the table, which people choose from the fitted ones of the page. */
async function writeTrees(commits: readonly MeasuredCommit[]): Promise<void> {
  const { trees } = fitModel(commits, LIKELY_MODEL.weights);
  await Deno.writeTextFile(
    join(REPOSITORY, "src/impact/likely/tree_table.ts"),
    toTreeTable(trees),
  );
}

async function measureAll(
  groups: readonly (readonly [repo: string, rows: readonly BenchmarkCommit[]])[],
  results: ResultsFile,
  place: Omit<HistoryOptions, "onMeasured">,
): Promise<void> {
  for (const [, rows] of groups) {
    const open = rows.filter(({ commit }) => !results.has(commit));
    if (open.length === 0) continue;
    await measureRepository(open, {
      ...place,
      onMeasured: async (one, cost) => {
        await results.add(one, cost);
        const { repo, commit } = one.row;
        const line = `${repo} ${commit.slice(0, 8)} ${one.likely.length}\n`;
        Deno.stderr.writeSync(new TextEncoder().encode(line));
      },
    });
  }
}

function fail(reason: string): number {
  print(`The benchmark of real commits cannot run: ${reason}.\n\n${HELP}`);
  return 1;
}

async function findMissing(reposDir: string, repos: readonly string[]): Promise<string[]> {
  const found = await Promise.all(repos.map(async (repo) => {
    const stat = await Deno.stat(toFolder(reposDir, repo)).catch(() => null);
    return stat?.isDirectory === true ? null : repo;
  }));
  return found.filter((repo) => repo !== null);
}

async function describePlace(): Promise<string> {
  const commit = await runProgram("git", ["rev-parse", "--short=12", "HEAD"], REPOSITORY);
  const changed = await runProgram("git", ["status", "--porcelain", "src"], REPOSITORY);
  const state = changed.trim() === "" ? "" : " with changes";
  const cpu = cpus()[0]?.model ?? "unknown processor";
  return `Commit ${commit.trim()}${state}; ${cpus().length} cores of ${cpu}; Deno ${Deno.version.deno}`;
}

if (import.meta.main) Deno.exitCode = await main(Deno.args);
