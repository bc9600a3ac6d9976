/**
 * How well the index reads real code. `deno task accuracy FOLDER…` prints what the analysis gives (speed, texts with
 * errors, faults of chunks) and how it compares with ctags and `rg`; `--docs` writes the comparison to `docs/accuracy.md`.
 */
import { join } from "node:path";
import { createBackends } from "../../src/backends/detect.ts";
import { endWrongUse, expectPaths, parseWords } from "../../tools/task.ts";
import { insertCalls } from "../calls/page.ts";
import { print, readIfThere, REPOSITORY } from "../harness/run.ts";
import { renderAccuracy } from "./accuracy_page.ts";
import { makeAnalysisTable } from "./analysis_table.ts";
import { readRevision } from "./checkout.ts";
import type { CheckoutResult } from "./compare_checkout.ts";
import { compareCheckout } from "./compare_checkout.ts";
import { findCtags } from "./ctags_run.ts";
import { findPygments } from "./lexed.ts";

const PAGE = "docs/accuracy.md";
const USAGE = "deno task accuracy [--docs] FOLDER...";

const { values, positionals: folders } = parseWords(USAGE, {
  allowPositionals: true,
  options: { docs: { type: "boolean", default: false } },
});
if (folders.length === 0) endWrongUse("Name a folder with a checkout", USAGE);
await expectPaths(USAGE, folders);
if (!values.docs) {
  const table = await makeAnalysisTable(folders);
  table.lines.forEach(print);
  if (table.faults > 0) Deno.exitCode = 1;
}
const { programs, missing } = await findPrograms();
if (missing.length > 0) {
  print(["\nNothing is compared:", ...missing].join("\n"));
  Deno.exit(1);
}
const results: CheckoutResult[] = [];
for (const folder of folders) results.push(await compareCheckout(folder));
const template = await Deno.readTextFile(new URL("page.md", import.meta.url));
const commit = `\`${await readRevision(REPOSITORY)}\``;
const page = renderAccuracy(template, results, { commit, programs });
if (values.docs) await writePage(join(REPOSITORY, PAGE), page);
print(values.docs ? `written: ${PAGE}` : `\n${page}`);

/** The programs of the comparison; those that are missing as sentences. */
async function findPrograms(): Promise<
  { readonly programs: readonly string[]; readonly missing: readonly string[] }
> {
  const rg = await createBackends().rg();
  const rows = [
    ["Universal Ctags", await findCtags(), "ctags is missing: install universal-ctags."],
    ["ripgrep", rg.available ? rg.version : null, "rg is missing: install ripgrep."],
    [
      "Pygments",
      await findPygments(),
      "Pygments is missing: python3 -m pip install pygments.",
    ],
  ] as const;
  return {
    programs: rows.flatMap(([name, version]) => version === null ? [] : [`${name} ${version}`]),
    missing: rows.flatMap(([, version, sentence]) => version === null ? [sentence] : []),
  };
}

/** Writes the page, and keeps the part that `deno task calls` has put into it. */
async function writePage(path: string, page: string): Promise<void> {
  const calls = /\n(## Calls\n[\s\S]*)$/.exec(await readIfThere(path) ?? "")?.[1];
  await Deno.writeTextFile(path, calls === undefined ? page : insertCalls(page, calls));
}
