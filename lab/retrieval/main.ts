/**
 * The retrieval benchmark: `deno task retrieval --repos DIR --queries DIR`. It indexes each repository with
 * the real index, asks the questions of the real ranking, and prints NDCG@10 beside plain ways.
 */
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { runProgram } from "../../tools/measure.ts";
import { REPOSITORY } from "../../tools/demo/server.ts";
import { shuffle } from "../word_vectors/chance.ts";
import { parseWords } from "../../tools/task.ts";
import { ABSENT } from "./absent.ts";
import { layOutAnnotated, readAnnotated } from "./annotated.ts";
import { makeAll } from "./make.ts";
import { askAbsent, measureAll } from "./measure.ts";
import { countDifferences, toRetrievalPage } from "./page.ts";
import { PUT_INTO } from "./put_into.ts";
import { readQueries } from "./queries.ts";
import type { BenchmarkQuery } from "./queries.ts";
import { askReworded } from "./reworded.ts";
import { timeStages } from "./stages.ts";

const HELP = `deno task retrieval --repos DIR --queries DIR [--cache DIR] [--no-plain] [--write]

--repos     a folder with one folder of sources a repository, named as in the questions
            (or CODE_INTEL_RETRIEVAL_REPOS)
--queries   a folder with queries.jsonl, one question a line: id, repo, language, category, query,
            relevant[], secondary[]; queries.ja.jsonl is asked too where it is there
            (or CODE_INTEL_RETRIEVAL_QUERIES)
--cache     keeps the databases there; default a temporary folder
--vectors   also by meaning, with "digests", or with "texts" too; makes what the cache lacks
--made      a folder that --make wrote: its questions are asked too, and fits learn from them
--sample    of how many of its repositories, drawn by chance; default all
--annotated a folder with clones of the training list, named owner+name: the questions that were written
            about them are asked too, and fits learn from them
--same-as   a page of an earlier run, with whose figures this one's are compared
--no-plain  leaves out ripgrep and plain BM25
--write     writes docs/retrieval.md

deno task retrieval --make DIR --clones DIR --list FILE

--make      writes questions that repositories answer themselves, made of doc comments, commits, tests, messages and
            headings: DIR/queries.jsonl, and DIR/repos without what gave them, for --queries and --repos
--clones    a folder with a clone a repository with its past, named owner+name
--list      a file with owner/name of each repository, one a line; # begins a comment
`;

const LAYERS = ["digests", "texts"] as const;

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

/** Runs the task; the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseWords(HELP, {
    args: [...args],
    options: {
      repos: { type: "string" },
      queries: { type: "string" },
      cache: { type: "string" },
      vectors: { type: "string" },
      made: { type: "string" },
      sample: { type: "string" },
      annotated: { type: "string" },
      "same-as": { type: "string" },
      "no-plain": { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      make: { type: "string" },
      clones: { type: "string" },
      list: { type: "string" },
    },
  });
  const { make: outDir, clones: clonesDir, list: listPath } = values;
  if (outDir !== undefined) {
    if (clonesDir === undefined || listPath === undefined) return fail("a folder is not named");
    const count = await makeAll({ clonesDir, listPath, outDir, print });
    print(`${count} questions`);
    return 0;
  }
  const reposDir = values.repos ?? Deno.env.get("CODE_INTEL_RETRIEVAL_REPOS");
  const queriesDir = values.queries ?? Deno.env.get("CODE_INTEL_RETRIEVAL_QUERIES");
  if (reposDir === undefined || queriesDir === undefined) return fail("a folder is not named");
  const vectors = LAYERS.find((layer) => layer === values.vectors);
  if (values.vectors !== undefined && vectors === undefined) {
    return fail(`--vectors is ${LAYERS.join(" or ")}`);
  }
  const queries = await readQueries(queriesDir, "queries.jsonl");
  if (queries === null) return fail(`there is no ${join(queriesDir, "queries.jsonl")}`);
  const missing = await findMissing(reposDir, [...new Set(queries.map(({ repo }) => repo))]);
  if (missing.length > 0) return fail(`not in ${reposDir}: ${missing.join(", ")}`);
  const cacheDir = values.cache ?? await Deno.makeTempDir({ prefix: "code-intel-retrieval-" });
  try {
    const place = { reposDir, cacheDir, vectors, withPlain: !values["no-plain"] };
    const { measured, costs } = await measureAll(queries, place);
    const translated = await readQueries(queriesDir, "queries.ja.jsonl") ?? [];
    const foreign = await measureAll(translated, { ...place, withPlain: false });
    const { sample } = values;
    const made = await measureMade(values.made, Number(sample ?? Infinity), cacheDir);
    const page = toRetrievalPage({
      measured,
      annotated: await measureAnnotated(values.annotated, cacheDir),
      foreign: foreign.measured,
      made: made.measured,
      absent: await askAbsent(ABSENT, place),
      reworded: await askReworded(queries, toLanguages(translated), place),
      stages: await timeStages(queries, place),
      memoryBytes: Deno.memoryUsage().rss,
      sample: sample === undefined ? null : Number(sample),
      madeCosts: made.costs,
      costs,
      where: await describePlace(),
    });
    const earlier = values["same-as"];
    const whole = earlier === undefined
      ? page
      : withComparison(page, await Deno.readTextFile(earlier));
    print(whole);
    if (values.write) await Deno.writeTextFile(join(REPOSITORY, "docs/retrieval.md"), whole);
    return 0;
  } finally {
    if (values.cache === undefined) await Deno.remove(cacheDir, { recursive: true });
  }
}

function toLanguages(japanese: readonly BenchmarkQuery[]): Parameters<typeof askReworded>[1] {
  return {
    Japanese: Object.fromEntries(japanese.map(({ id, query }) => [id, query])),
    ...PUT_INTO,
  };
}

/** Says below the title whether an earlier run had the same figures. */
function withComparison(page: string, earlier: string): string {
  const differing = countDifferences(page, earlier);
  const said = differing === 0
    ? "An earlier run, from fresh indexes too, gave the same figures in every row that does not tell time."
    : `An earlier run gave other figures in ${differing} rows.`;
  return page.replace("\n\n", `\n\n${said} `);
}

async function measureMade(madeDir: string | undefined, sample: number, cacheDir: string) {
  if (madeDir === undefined) return { measured: [], costs: [] };
  const all = await readQueries(madeDir, "queries.jsonl") ?? [];
  const repos = shuffle([...new Set(all.map(({ repo }) => repo))], (repo) => repo);
  const drawn = new Set(repos.slice(0, sample));
  return await measureAll(all.filter(({ repo }) => drawn.has(repo)), {
    reposDir: join(madeDir, "repos"),
    cacheDir: join(cacheDir, "made"),
    withPlain: false,
    isQuick: true,
  });
}

/** The questions that were written, as far as their repositories can be had. */
async function measureAnnotated(clonesDir: string | undefined, cacheDir: string) {
  if (clonesDir === undefined) return { plain: [], particular: [] };
  const reposDir = join(cacheDir, "annotated-files");
  const there = await layOutAnnotated(clonesDir, reposDir, print);
  const { plain, particular } = await readAnnotated();
  const place = {
    reposDir,
    cacheDir: join(cacheDir, "annotated"),
    withPlain: false,
    isQuick: true,
  };
  const measureSet = async (set: readonly BenchmarkQuery[]) =>
    (await measureAll(set.filter(({ repo }) => there.has(repo)), place)).measured;
  return { plain: await measureSet(plain), particular: await measureSet(particular) };
}

function fail(reason: string): number {
  print(`The retrieval benchmark cannot run: ${reason}.\n\n${HELP}`);
  return 1;
}

async function findMissing(reposDir: string, repos: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    repos.map(async (repo) => {
      const stat = await Deno.stat(join(reposDir, repo)).catch(() => null);
      return stat?.isDirectory === true ? null : repo;
    }),
  );
  return found.filter((repo) => repo !== null);
}

async function describePlace(): Promise<string> {
  const commit = await runProgram("git", ["rev-parse", "--short=12", "HEAD"], REPOSITORY);
  const changed = await runProgram("git", ["status", "--porcelain", "src"], REPOSITORY);
  const state = changed.trim() === "" ? "" : " with changes";
  const cpu = cpus()[0]?.model ?? "unknown processor";
  // On a busy machine the times of the page are longer than they are elsewhere.
  const [load = 0] = loadavg();
  return `Commit ${commit.trim()}${state}; ${cpus().length} cores of ${cpu}, load ${
    load.toFixed(1)
  }; ` +
    `Deno ${Deno.version.deno}`;
}

if (import.meta.main) Deno.exitCode = await main(Deno.args);
