/**
 * How well impact finds what depends on a definition. `deno task impact FOLDER…` measures checkouts of real code
 * against the tools of their languages and prints the table; `--verbose` adds each miss; `--docs` writes docs/impact.md.
 */
import { join } from "node:path";
import { endWrongUse, expectPaths, parseWords } from "../../tools/task.ts";
import { print, REPOSITORY, withFolder } from "../harness/run.ts";
import type { Measured } from "./measure.ts";
import { measureCheckout } from "./measure.ts";
import { HEAD, listMisses, renderImpact, toRows } from "./page.ts";

const PAGE = "docs/impact.md";
/** A draw that nobody looked at while the graph was made. */
const OTHER_SEED = 11;
const COUNT = 30;

const USAGE = "deno task impact [--docs] [--verbose] [--seed=N] [--truths=DIR] FOLDER...";

const { values, positionals: folders } = parseWords(USAGE, {
  allowPositionals: true,
  options: {
    docs: { type: "boolean" },
    verbose: { type: "boolean" },
    seed: { type: "string", default: "20260101" },
    truths: { type: "string" },
  },
});
if (folders.length === 0) endWrongUse("Name a folder with a checkout", USAGE);
await expectPaths(USAGE, folders);
const seed = Number(values.seed);
const results = await measure(seed);
for (const row of [HEAD, ...toRows(results)]) print(row.join("\t"));
if (values.verbose === true) listMisses(results).forEach(print);
if (values.docs === true) {
  const other = { seed: OTHER_SEED, results: await measure(OTHER_SEED) };
  const template = await Deno.readTextFile(new URL("page.md", import.meta.url));
  const page = renderImpact(template, results, { seed, count: COUNT, other });
  await Deno.writeTextFile(join(REPOSITORY, PAGE), page);
  print(`${PAGE} is written.`);
}

async function measure(seed: number): Promise<readonly Measured[]> {
  const results: Measured[] = [];
  for (const folder of folders) {
    results.push(
      await withFolder(
        undefined,
        (scratch) =>
          measureCheckout(folder, { count: COUNT, seed, scratch, truths: values.truths }),
      ),
    );
  }
  return results;
}
