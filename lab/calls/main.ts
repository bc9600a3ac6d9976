/**
 * How well the program follows a call to its declaration, with the compilers of the languages as judges.
 * `deno task calls FOLDER…` prints the table for checkouts of git; `--verbose` adds every wrong and every missed call;
 * `--docs` writes the table into `docs/accuracy.md`; `--judged=DIR` keeps what the compilers said, by revision.
 */
import { basename, join } from "node:path";
import { openRepository } from "../../src/git/repository.ts";
import type { Repository } from "../../src/git/repository.ts";
import { REPOSITORY } from "../../tools/docs/pages.ts";
import { endWrongUse, expectPaths } from "../../tools/task.ts";
import { askProgram } from "./ask_program.ts";
import type { JudgedCalls } from "./call_sites.ts";
import { findJudge } from "./judge.ts";
import type { MeasuredCalls } from "./page.ts";
import { insertCalls, listDifferences, renderCalls, toRows } from "./page.ts";
import { scoreCalls } from "./score.ts";

const PAGE = join(REPOSITORY, "docs/accuracy.md");

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** Measures one checkout; a sentence where something is missing. */
async function measure(folder: string, kept: string | undefined): Promise<MeasuredCalls | string> {
  const repo = await openRepository(await Deno.realPath(folder));
  if (repo === null) return `${folder} is no checkout of git.`;
  const revision = await repo.git.line(["rev-parse", "HEAD"]);
  const judged = await keep(kept && join(kept, `${revision}.json`), () => findCalls(repo));
  if (typeof judged === "string") return judged;
  const scratch = await Deno.makeTempDir({ prefix: "code-intel-calls-" });
  try {
    const names = [...new Set(judged.sites.map(({ name }) => name))].sort();
    const edges = await askProgram(repo, names, { scratch });
    return {
      name: basename(repo.worktree).replace(/^calls-/, ""),
      revision,
      judge: judged.judge,
      score: scoreCalls(judged, edges),
    };
  } finally {
    await Deno.remove(scratch, { recursive: true });
  }
}

/** The calls by the judge of the checkout; a sentence where that is missing. */
async function findCalls(repo: Repository): Promise<JudgedCalls | string> {
  const found = await findJudge(repo);
  return typeof found === "string" ? found : await found.judge();
}

/** What a file holds, which is made where it is missing; without a file it is made each time. */
async function keep(
  file: string | undefined,
  make: () => Promise<JudgedCalls | string>,
): Promise<JudgedCalls | string> {
  const text = file === undefined ? null : await Deno.readTextFile(file).catch(() => null);
  if (text !== null) return JSON.parse(text) as JudgedCalls;
  const made = await make();
  if (file !== undefined && typeof made !== "string") {
    await Deno.writeTextFile(file, JSON.stringify(made));
  }
  return made;
}

const USAGE = "deno task calls [--docs] [--verbose] [--judged=DIR] FOLDER...";

/** The exit code: 0 done, 1 when something is missing. */
async function run(args: readonly string[]): Promise<number> {
  const folders = args.filter((arg) => !arg.startsWith("--"));
  if (folders.length === 0) endWrongUse("Name a folder with a checkout", USAGE);
  await expectPaths(USAGE, folders);
  const kept = args.find((arg) => arg.startsWith("--judged="))?.slice("--judged=".length);
  const results: MeasuredCalls[] = [];
  for (const folder of folders) {
    const result = await measure(folder, kept);
    if (typeof result === "string") {
      print(result);
      return 1;
    }
    results.push(result);
  }
  for (const row of toRows(results)) print(row.join("\t"));
  if (args.includes("--verbose")) results.flatMap(listDifferences).forEach(print);
  if (args.includes("--docs")) {
    const page = await Deno.readTextFile(PAGE);
    await Deno.writeTextFile(PAGE, insertCalls(page, renderCalls(results)));
    print(`${PAGE} is written.`);
  }
  return 0;
}

if (import.meta.main) Deno.exit(await run(Deno.args));
