/**
 * The retrieval benchmark: `deno task retrieval --repos DIR --queries DIR`. It indexes each repository with
 * the real index, asks the questions of the real ranking, and prints NDCG@10 beside plain ways.
 */
import { join } from "node:path";
import { endWrongUse, parseWords } from "../../tools/task.ts";
import { shuffle } from "../harness/chance.ts";
import { findMissing } from "../harness/clones.ts";
import { describePlace, print, REPOSITORY, withFolder } from "../harness/run.ts";
import ABSENT from "./absent.json" with { type: "json" };
import { layOutAnnotated } from "./annotated.ts";
import { makeAll } from "./make.ts";
import { askAbsent, measureAll } from "./measure.ts";
import { countDifferences, toRetrievalPage } from "./page.ts";
import PUT_INTO from "./put_into.json" with { type: "json" };
import type { BenchmarkQuery } from "./queries.ts";
import { readQueries } from "./queries.ts";
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
const TEXT = { type: "string" } as const;
const FLAG = { type: "boolean", default: false } as const;

const { values } = parseWords(HELP, {
  options: {
    repos: { ...TEXT, default: Deno.env.get("CODE_INTEL_RETRIEVAL_REPOS") ?? "" },
    queries: { ...TEXT, default: Deno.env.get("CODE_INTEL_RETRIEVAL_QUERIES") ?? "" },
    cache: TEXT,
    vectors: TEXT,
    made: TEXT,
    sample: TEXT,
    annotated: TEXT,
    "same-as": TEXT,
    "no-plain": FLAG,
    write: FLAG,
    make: TEXT,
    clones: { ...TEXT, default: "" },
    list: { ...TEXT, default: "" },
  },
});
if (values.make !== undefined) await make(values.make);
else await withFolder(values.cache, measure);

async function make(outDir: string): Promise<void> {
  const { clones: clonesDir, list: listPath } = values;
  if (clonesDir === "" || listPath === "") endWrongUse("A folder is not named", HELP);
  print(`${await makeAll({ clonesDir, listPath, outDir })} questions`);
}

async function measure(cacheDir: string): Promise<void> {
  const { repos: reposDir, queries: queriesDir, sample, "same-as": earlier } = values;
  if (reposDir === "" || queriesDir === "") endWrongUse("A folder is not named", HELP);
  const vectors = LAYERS.find((layer) => layer === values.vectors);
  if (values.vectors !== vectors) endWrongUse(`--vectors is ${LAYERS.join(" or ")}`, HELP);
  const queries = await readQueries(queriesDir, "queries.jsonl");
  if (queries === null) endWrongUse(`There is no ${join(queriesDir, "queries.jsonl")}`, HELP);
  const repos = new Set(queries.map(({ repo }) => repo));
  const missing = await findMissing(reposDir, repos);
  if (missing.length > 0) endWrongUse(`Not in ${reposDir}: ${missing.join(", ")}`, HELP);
  const place = { reposDir, cacheDir, vectors, withPlain: !values["no-plain"] };
  const { measured, costs } = await measureAll(queries, place);
  const japanese = await readQueries(queriesDir, "queries.ja.jsonl") ?? [];
  const foreign = await measureAll(japanese, { ...place, withPlain: false });
  const made = await measureMade(cacheDir);
  const absent = Object.entries(ABSENT).filter(([repo]) => repos.has(repo));
  const languages = {
    Japanese: Object.fromEntries(japanese.map(({ id, query }) => [id, query])),
    ...PUT_INTO,
  };
  const template = await Deno.readTextFile(new URL("page.md", import.meta.url));
  const page = toRetrievalPage(template, {
    measured,
    annotated: await measureAnnotated(cacheDir),
    foreign: foreign.measured,
    made: made.measured,
    absent: await askAbsent(
      absent.flatMap(([repo, own]) => own.map((question) => ({ repo, question }))),
      place,
    ),
    reworded: await askReworded(queries, languages, place),
    stages: await timeStages(queries, place),
    memoryBytes: Deno.memoryUsage().rss,
    sample: sample === undefined ? null : Number(sample),
    madeCosts: made.costs,
    costs,
    where: await describePlace(),
  });
  const whole = earlier === undefined
    ? page
    : withComparison(page, await Deno.readTextFile(earlier));
  print(whole);
  if (values.write) await Deno.writeTextFile(join(REPOSITORY, "docs/retrieval.md"), whole);
}

/** Says below the title whether an earlier run had the same figures. */
function withComparison(page: string, earlier: string): string {
  const differing = countDifferences(page, earlier);
  const said = differing === 0
    ? "An earlier run, from fresh indexes too, gave the same figures in every row that does not tell time."
    : `An earlier run gave other figures in ${differing} rows.`;
  return page.replace("\n\n", `\n\n${said} `);
}

async function measureMade(cacheDir: string): ReturnType<typeof measureAll> {
  const { made: dir, sample = Infinity } = values;
  if (dir === undefined) return { measured: [], costs: [] };
  const all = await readQueries(dir, "queries.jsonl") ?? [];
  const repos = shuffle([...new Set(all.map(({ repo }) => repo))], (repo) => repo);
  const drawn = new Set(repos.slice(0, Number(sample)));
  const place = { reposDir: join(dir, "repos"), cacheDir: join(cacheDir, "made") };
  return await measureQuickly(all.filter(({ repo }) => drawn.has(repo)), place);
}

/** The questions that were written, as far as their repositories can be had. */
async function measureAnnotated(cacheDir: string) {
  const { annotated: clonesDir } = values;
  if (clonesDir === undefined) return { plain: [], particular: [] };
  const place = {
    reposDir: join(cacheDir, "annotated-files"),
    cacheDir: join(cacheDir, "annotated"),
  };
  const { plain, particular } = await layOutAnnotated(clonesDir, place.reposDir);
  return {
    plain: (await measureQuickly(plain, place)).measured,
    particular: (await measureQuickly(particular, place)).measured,
  };
}

function measureQuickly(
  queries: readonly BenchmarkQuery[],
  place: { readonly reposDir: string; readonly cacheDir: string },
): ReturnType<typeof measureAll> {
  return measureAll(queries, { ...place, withPlain: false, isQuick: true });
}
