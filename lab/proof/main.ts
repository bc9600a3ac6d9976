/**
 * The matrix of proofs: small projects, each with the right change and wrong ones, what `prove` says of them, and what a run
 * of the tests alone says. `deno task proof [WORD…]` prints it; `--docs` writes docs/proof.md;
 * `--kept` keeps each row in a folder, so that a part can be run again. `--jobs=50` measures what jobs save by notes.
 * `deno task proof checkouts FOLDER…` is the table of clean checkouts.
 */
import { join } from "node:path";
import { endWrongUse, parseWords } from "../../tools/task.ts";
import { describePlace, keep, print, REPOSITORY } from "../harness/run.ts";
import { tryCheckouts } from "./checkouts.ts";
import { formatJobs, measureJobs } from "./job_history.ts";
import { tryChange } from "./try_change.ts";
import type { MatrixRow } from "./page.ts";
import { formatRow, formatShares, renderProof } from "./page.ts";
import { PROJECTS } from "./projects/all.ts";

const USAGE =
  "deno task proof [--docs] [--within=SECONDS] [--kept=FOLDER] [--jobs=COMMITS] [WORD...]";

const { values, positionals } = parseWords(USAGE, {
  allowPositionals: true,
  options: {
    docs: { type: "boolean" },
    kept: { type: "string" },
    jobs: { type: "string" },
    within: { type: "string", default: "60" },
  },
});
if (values.jobs !== undefined) {
  const rows = await measureJobs(Number(values.jobs), (row) =>
    print(
      `${row.commit} ${row.note}: ${row.verdict}, ${row.seconds.toFixed(1)} s with notes, ${
        row.withoutSeconds.toFixed(1)
      } s without`,
    ));
  for (const line of formatJobs(rows)) print(line);
  Deno.exit(0);
}
const within = Number(values.within);
if (!(within > 0)) endWrongUse(`"${values.within}" is no number of seconds`, USAGE);
const [task, ...folders] = positionals;
if (task === "checkouts") {
  await tryCheckouts(folders, values);
  Deno.exit();
}
const rows: MatrixRow[] = [];
const left = new Set<string>();
for (const project of PROJECTS) {
  for (const change of project.changes) {
    const words = `${project.name} ${project.language} ${change.kind} ${change.what}`.toLowerCase();
    if (!positionals.every((word) => words.includes(word.toLowerCase()))) continue;
    const at = project.changes.indexOf(change);
    const kept = values.kept && join(values.kept, `${project.name}-${at}.json`);
    const tried = await keep(kept, () => tryChange(project, change, within));
    if (tried === null) left.add(`${project.name} (${project.needs} is not installed)`);
    else {
      rows.push({ project, change, ...tried });
      print(formatRow({ project, change, ...tried }));
    }
  }
}
for (const line of formatShares(rows)) print(line);
if (left.size > 0) print(`left out: ${[...left].join(", ")}`);
if (values.docs === true) {
  const template = await Deno.readTextFile(new URL("page.md", import.meta.url));
  const page = renderProof(template, rows, await describePlace());
  await Deno.writeTextFile(join(REPOSITORY, "docs", "proof.md"), page);
}
