/**
 * The benchmark of real commits: `deno task history --repos DIR --commits FILE`. It checks out the parent of each
 * commit, asks the program what the commit was about and what belongs to it, and prints the figures beside plain ways.
 */
import { join } from "node:path";
import { LIKELY_MODEL } from "../../src/impact/likely/second_look.ts";
import { endWrongUse, parseWords } from "../../tools/task.ts";
import { findMissing } from "../harness/clones.ts";
import { describePlace, print, readRows, REPOSITORY, withFolder } from "../harness/run.ts";
import type { BenchmarkCommit, MeasuredCommit } from "./measure.ts";
import { measureRepository } from "./measure.ts";
import { toHistoryPage } from "./page.ts";
import { readMore, ResultsFile } from "./results_file.ts";
import { fitModel } from "./score.ts";
import type { StartFigures } from "./start.ts";
import { measureStart, toStartTable } from "./start.ts";
import { toTreeTable } from "./boost.ts";

const HELP =
  `deno task history --repos DIR --commits FILE [--only NAME] [--scratch DIR] [--results FILE] [--more FILE]
    [--no-search] [--fit] [--write] [--start N]

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
--start    starts a session for N commits of each repository instead, and prints which files its reply names
`;

const TEXT = { type: "string" } as const;
const FLAG = { type: "boolean", default: false } as const;

const { values } = parseWords(HELP, {
  options: {
    repos: TEXT,
    commits: TEXT,
    only: { ...TEXT, default: "" },
    scratch: TEXT,
    results: TEXT,
    more: TEXT,
    fit: FLAG,
    "no-search": FLAG,
    write: FLAG,
    start: TEXT,
  },
});
const { repos: reposDir, commits: path, only } = values;
if (reposDir === undefined || path === undefined) {
  endWrongUse("A folder or a file is not named", HELP);
}
const all = await readRows(path, ({ text, list }): BenchmarkCommit => ({
  repo: text("repo"),
  commit: text("commit"),
  parent: text("parent"),
  primary: text("primary"),
  files: list("files"),
}));
if (all === null) endWrongUse(`There is no ${path}`, HELP);
const commits = all.filter(({ repo }) => repo.includes(only));
const groups = Map.groupBy(commits, ({ repo }) => repo);
const missing = await findMissing(reposDir, groups.keys());
if (missing.length > 0) endWrongUse(`Not in ${reposDir}: ${missing.join(", ")}`, HELP);
if (values.start !== undefined) {
  await withFolder(values.scratch, startEach);
  Deno.exit(0);
}
// Results of another program or machine are not taken over; how busy it is makes no difference.
const where = (await describePlace()).replace(/, load [\d.]+/, "");
const results = new ResultsFile(values.results ?? null, where);
await withFolder(values.scratch, measureAll);
const more = values.more === undefined ? [] : readMore(values.more, new Set(groups.keys()));
const found = results.read(commits);
if (values.fit) await writeTrees([...found.measured, ...more]);
const template = await Deno.readTextFile(new URL("page.md", import.meta.url));
const page = toHistoryPage(template, { ...found, more, where });
print(page);
if (values.write) await Deno.writeTextFile(join(REPOSITORY, "docs/history.md"), page);

/** The trees are fitted to the weights of the table, which people choose from the fitted ones of the page. */
async function writeTrees(commits: readonly MeasuredCommit[]): Promise<void> {
  const { trees } = fitModel(commits, LIKELY_MODEL.weights);
  await Deno.writeTextFile(
    join(REPOSITORY, "src/impact/likely/tree_table.ts"),
    toTreeTable(trees),
  );
}

/** Starts sessions at commits that lie evenly among those of each repository. */
async function startEach(scratchDir: string): Promise<void> {
  const figures: StartFigures[] = [];
  for (const rows of groups.values()) {
    const step = Math.max(1, Math.floor(rows.length / Number(values.start)));
    const chosen = rows.filter((_, at) => at % step === 0).slice(0, Number(values.start));
    for (const row of chosen) {
      figures.push(await measureStart(row, { reposDir: reposDir ?? "", scratchDir }));
    }
  }
  print(toStartTable(figures));
}

async function measureAll(scratchDir: string): Promise<void> {
  for (const rows of groups.values()) {
    const open = rows.filter(({ commit }) => !results.has(commit));
    if (open.length === 0) continue;
    await measureRepository(open, {
      reposDir: reposDir ?? "",
      scratchDir,
      isSearched: !values["no-search"],
      onMeasured: async (one, cost) => {
        await results.add(one, cost);
        const { repo, commit } = one.row;
        const line = `${repo} ${commit.slice(0, 8)} ${one.likely.length}\n`;
        Deno.stderr.writeSync(new TextEncoder().encode(line));
      },
    });
  }
}
