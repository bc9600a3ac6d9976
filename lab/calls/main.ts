/**
 * Follows calls to their declarations and compares with the compilers: `deno task calls FOLDER…` prints a table,
 * `--verbose` each difference, `--docs` writes the part of docs/accuracy.md; `--judged DIR` keeps what compilers said.
 */
import { basename, join } from "node:path";
import { openRepository } from "../../src/git/repository.ts";
import { endWrongUse, expectPaths, parseWords } from "../../tools/task.ts";
import { keep, print, REPOSITORY, withFolder } from "../harness/run.ts";
import { askProgram } from "./ask_program.ts";
import { findJudge } from "./judge.ts";
import type { MeasuredCalls } from "./page.ts";
import { HEAD, insertCalls, listDifferences, renderCalls, toRows } from "./page.ts";
import { scoreCalls } from "./call_sites.ts";

const PAGE = join(REPOSITORY, "docs/accuracy.md");
const USAGE = "deno task calls [--docs] [--verbose] [--judged=DIR] FOLDER...";

const { values, positionals: folders } = parseWords(USAGE, {
  allowPositionals: true,
  options: {
    docs: { type: "boolean" },
    verbose: { type: "boolean" },
    judged: { type: "string" },
  },
});
if (folders.length === 0) endWrongUse("Name a folder with a checkout", USAGE);
await expectPaths(USAGE, folders);
const results: MeasuredCalls[] = [];
for (const folder of folders) results.push(await measure(folder));
for (const row of [HEAD, ...toRows(results)]) print(row.join("\t"));
if (values.verbose === true) results.flatMap(listDifferences).forEach(print);
if (values.docs === true) {
  const page = await Deno.readTextFile(PAGE);
  await Deno.writeTextFile(PAGE, insertCalls(page, renderCalls(results)));
  print(`${PAGE} is written.`);
}

/** Measures one checkout; where something is missing the task ends with a sentence. */
async function measure(folder: string): Promise<MeasuredCalls> {
  const repo = await openRepository(await Deno.realPath(folder));
  if (repo === null) endWrongUse(`${folder} is no checkout of git`, USAGE);
  const revision = await repo.git.line(["rev-parse", "HEAD"]);
  const kept = values.judged && join(values.judged, `${revision}.json`);
  const judged = await keep(kept, async () => {
    const judge = await findJudge(repo);
    return typeof judge === "string" ? endWrongUse(judge, USAGE) : await judge();
  });
  const asked = await withFolder(undefined, (scratch) => askProgram(repo, judged, scratch));
  const name = basename(repo.worktree).replace(/^calls-/, "");
  const score = scoreCalls(judged, asked.edges);
  return { name, revision, judge: judged.judge, score, complete: asked.complete };
}
