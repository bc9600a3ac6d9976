/**
 * How well impact finds what depends on a definition. `deno task impact FOLDER…` measures checkouts of real code
 * against the tools of their languages and prints the table; `--verbose` adds each miss; `--docs` writes docs/impact.md.
 */
import { join } from "node:path";
import { REPOSITORY } from "../../tools/docs/pages.ts";
import { endWrongUse, expectPaths } from "../../tools/task.ts";
import type { Measured } from "./measure.ts";
import { measureCheckout } from "./measure.ts";
import { listMisses, renderImpact, toRows } from "./page.ts";

const PAGE = "docs/impact.md";
const SEED = 20260101;
/** A draw that nobody looked at while the graph was made. */
const OTHER_SEED = 11;
const COUNT = 30;

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

const USAGE = "deno task impact [--docs] [--verbose] [--seed=N] [--truths=DIR] FOLDER...";

/** The exit code: 0 done, 1 when something is missing. */
async function run(args: readonly string[]): Promise<number> {
  const folders = args.filter((arg) => !arg.startsWith("--"));
  const seed = Number(args.find((arg) => arg.startsWith("--seed="))?.slice(7) ?? SEED);
  if (folders.length === 0) endWrongUse("Name a folder with a checkout", USAGE);
  await expectPaths(USAGE, folders);
  const truths = args.find((arg) => arg.startsWith("--truths="))?.slice(9);
  const kept = truths === undefined ? {} : { truths };
  const measure = async (drawnBy: number) => {
    const results: Measured[] = [];
    for (const folder of folders) {
      const scratch = await Deno.makeTempDir({ prefix: "code-intel-impact-" });
      try {
        results.push(
          await measureCheckout(folder, { count: COUNT, seed: drawnBy, scratch, ...kept }),
        );
      } finally {
        await Deno.remove(scratch, { recursive: true });
      }
    }
    return results;
  };
  const results = await measure(seed);
  for (const row of toRows(results)) print(row.join("\t"));
  if (args.includes("--verbose")) listMisses(results).forEach(print);
  if (args.includes("--docs")) {
    const other = { seed: OTHER_SEED, results: await measure(OTHER_SEED) };
    const page = renderImpact(results, { seed, count: COUNT, other });
    await Deno.writeTextFile(join(REPOSITORY, PAGE), page);
    print(`${PAGE} is written.`);
  }
  return 0;
}

if (import.meta.main) Deno.exit(await run(Deno.args));
