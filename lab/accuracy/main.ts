/**
 * How well the index reads real code. `deno task accuracy FOLDER…` prints what the analysis gives (speed, texts with
 * errors, faults of chunks) and how it compares with ctags and `rg`; `--docs` writes the comparison to `docs/accuracy.md`.
 */
import { join } from "node:path";
import { createBackends } from "../../src/backends/detect.ts";
import { REPOSITORY } from "../../tools/docs/pages.ts";
import { insertCalls } from "../calls/page.ts";
import { renderAccuracy } from "./accuracy_page.ts";
import { makeAnalysisTable } from "./analysis_table.ts";
import { readRevision } from "./checkout.ts";
import type { CheckoutResult } from "./compare_checkout.ts";
import { compareCheckout } from "./compare_checkout.ts";
import { findCtags } from "./ctags_run.ts";
import { findPygments } from "./lexed.ts";

const PAGE = "docs/accuracy.md";

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** Sentences about what is not there: each names what to do. */
async function findMissing(folders: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  if (folders.length === 0) missing.push("No folder: deno task accuracy [--docs] FOLDER…");
  for (const folder of folders) {
    const stat = await Deno.stat(folder).catch(() => null);
    if (!stat?.isDirectory) missing.push(`No folder at ${folder}: give the path of a checkout.`);
  }
  return missing;
}

/** The programs of the comparison; those that are missing as sentences. */
async function findPrograms(): Promise<
  { readonly programs: string[]; readonly missing: string[] }
> {
  const backends = createBackends();
  const [ctags, rg, pygments] = [await findCtags(), await backends.rg(), await findPygments()];
  const rows = [
    [
      `Universal Ctags ${ctags}`,
      ctags !== null,
      "ctags is missing: install universal-ctags.",
    ],
    [`ripgrep ${rg.version}`, rg.available, "rg is missing: install ripgrep."],
    [
      `Pygments ${pygments}`,
      pygments !== null,
      "Pygments is missing: python3 -m pip install pygments.",
    ],
  ] as const;
  return {
    programs: rows.filter(([, isThere]) => isThere).map(([name]) => name),
    missing: rows.filter(([, isThere]) => !isThere).map(([, , sentence]) => sentence),
  };
}

async function compare(folders: readonly string[]): Promise<CheckoutResult[]> {
  const results: CheckoutResult[] = [];
  for (const folder of folders) results.push(await compareCheckout(folder));
  return results;
}

/** Writes the page, and keeps the part that `deno task calls` has put into it. */
async function writePage(path: string, page: string): Promise<void> {
  const calls = /\n(## Calls\n[\s\S]*)$/.exec(await Deno.readTextFile(path).catch(() => ""))?.[1];
  await Deno.writeTextFile(path, calls === undefined ? page : insertCalls(page, calls));
}

/** The exit code: 0 done, 1 when something is missing or chunks have faults. */
async function run(args: readonly string[]): Promise<number> {
  const isDocs = args.includes("--docs");
  const folders = args.filter((arg) => arg !== "--docs");
  const missing = await findMissing(folders);
  if (missing.length > 0) {
    missing.forEach(print);
    return 1;
  }
  let faults = 0;
  if (!isDocs) {
    const table = await makeAnalysisTable(folders);
    table.lines.forEach(print);
    faults = table.faults;
  }
  const found = await findPrograms();
  if (found.missing.length > 0) {
    print("\nNothing is compared:");
    found.missing.forEach(print);
    return 1;
  }
  const page = renderAccuracy(await compare(folders), {
    commit: `\`${await readRevision(REPOSITORY)}\``,
    programs: found.programs,
  });
  if (isDocs) await writePage(join(REPOSITORY, PAGE), page);
  print(isDocs ? `written: ${PAGE}` : `\n${page}`);
  return faults > 0 ? 1 : 0;
}

Deno.exit(await run(Deno.args));
