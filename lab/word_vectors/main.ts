/**
 * Makes the table of word vectors: `deno task word-vectors --repos DIR --list FILE`. It reads pairs of texts out of
 * clones, takes their words through the embedding model, trains the rows on the pairs, and writes the table.
 */
import { join } from "node:path";
import { WORD_TABLE_FILE } from "../../src/word_vectors/load_table.ts";
import { packWordTable } from "../../src/word_vectors/word_table.ts";
import { endWrongUse, parseWords } from "../../tools/task.ts";
import { findMissing, readNames, toFolder } from "../harness/clones.ts";
import { computeMean } from "../harness/figures.ts";
import { keep, print, REPOSITORY } from "../harness/run.ts";
import { distilRows, toVocabulary } from "./distil.ts";
import type { Pair } from "./pairs.ts";
import { readPairs } from "./pairs.ts";
import { openRowCache } from "./row_cache.ts";
import { trainRows } from "./train.ts";

const HELP =
  `deno task word-vectors --repos DIR --list FILE [--cache DIR] [--pairs-only] [--out FILE]

--repos  a folder with a clone a repository with its past, named owner+name
--list   a file with owner/name of each repository to learn from, one a line; # begins a comment; those without a
         clone are left out and named
--cache  keeps the pairs of each repository and the model's rows there, so that the next run need not make them
--pairs-only  ends when they are read
--out    where the table is written; default ${WORD_TABLE_FILE}
`;

/** What the table was trained with; the same clones give the same table. */
const TRAINING = { steps: 60, batch: 160, rate: 0.005 };
/** The rows are the mean of those that each seed gives, so that less of them is chance. */
const SEEDS = [1, 2, 3, 4];
const LAST_LOSSES = 10;

const { values } = parseWords(HELP, {
  options: {
    repos: { type: "string" },
    list: { type: "string" },
    cache: { type: "string" },
    "pairs-only": { type: "boolean", default: false },
    out: { type: "string", default: join(REPOSITORY, WORD_TABLE_FILE) },
  },
});
const { repos, list, cache, out } = values;
if (repos === undefined || list === undefined) {
  endWrongUse("A folder or a file is not named", HELP);
}
const names = await readNames(list);
const missing = await findMissing(repos, names);
const repositories = new Map<string, readonly Pair[]>();
for (const name of names) {
  const kept = cache === undefined ? undefined : `${toFolder(cache, name)}.json`;
  const clone = toFolder(repos, name);
  const pairs = await keep(kept, async () => missing.includes(name) ? [] : await readPairs(clone));
  if (pairs.length > 0) repositories.set(name, pairs);
  print(`${name}: ${pairs.length === 0 ? "left out" : `${pairs.length} pairs`}`);
}
if (!values["pairs-only"]) await train();

async function train(): Promise<void> {
  const vocabulary = toVocabulary(repositories);
  const encoder = await openRowCache(cache);
  const table = await distilRows(vocabulary, encoder);
  await encoder.close();
  const mean = new Float32Array(table.rows.length);
  for (const seed of SEEDS) {
    const { rows, losses } = trainRows(table, repositories, { ...TRAINING, seed });
    rows.forEach((value, at) => mean[at] = (mean[at] ?? 0) + value / SEEDS.length);
    const loss = computeMean(losses.slice(-LAST_LOSSES));
    print(`seed ${seed}: loss ${losses[0]?.toFixed(2)} → ${loss.toFixed(2)}`);
  }
  const bytes = packWordTable({ ...table, rows: mean });
  await Deno.writeFile(out, bytes);
  print(`${repositories.size} repositories, ${vocabulary.length} words, ${bytes.length} bytes`);
}
