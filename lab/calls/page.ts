/** The calls of checkouts as a table, and as a part of `docs/accuracy.md`. Pure. */
import { computeShare, formatFigure, toTable } from "../harness/figures.ts";
import type { CompleteScore } from "./ask_complete.ts";
import type { CallScore } from "./call_sites.ts";

/** One checkout. */
export interface MeasuredCalls {
  readonly name: string;
  readonly revision: string;
  readonly judge: string;
  readonly score: CallScore;
  readonly complete: CompleteScore;
}

/** The first row of the table. */
export const HEAD = [
  "repository",
  "judge",
  "calls",
  "precision",
  "recall of bodies",
  "recall of all",
  "complete answers",
  "without a further use",
];

/** The table, a checkout a row. */
export function toRows(results: readonly MeasuredCalls[]): readonly (readonly string[])[] {
  return results.map(({ name, judge, score, complete }) => [
    name,
    judge,
    `${score.all}`,
    formatFigure(computeShare(score.judged - score.wrong.length, score.judged)),
    formatFigure(computeShare(score.foundOfBodies, score.bodies)),
    formatFigure(computeShare(score.foundOfAll, score.all)),
    `${complete.references} + ${complete.impact} of ${complete.asked}`,
    formatFigure(
      computeShare(countComplete(complete) - countWrong(complete), countComplete(complete)),
    ),
  ]);
}

function countComplete({ references, impact }: CompleteScore): number {
  return references + impact;
}

/** Complete answers that a compiler knows a further use of. */
function countWrong({ further }: CompleteScore): number {
  return new Set(further.map((line) => line.split("\t")[0])).size;
}

/** Every wrong and every missed call, a line each; words that complete answers lack are for the eye of a person. */
export function listDifferences({ name, score, complete }: MeasuredCalls): readonly string[] {
  return [
    ...complete.further.map((line) => `${name}\tfurther\t${line}`),
    ...complete.words.map((line) => `${name}\tword\t${line}`),
    ...score.wrong.map((edge) =>
      `${name}\twrong\t${edge.path}:${edge.line}:${edge.column}\t${edge.name}\t${edge.target.path}:${edge.target.line}`
    ),
    ...score.missed.map((site) =>
      `${name}\tmissed ${site.kind}\t${site.path}:${site.line}:${site.column}\t${site.name}\t${
        site.targets.map(({ path, line }) => `${path}:${line}`).join(" ")
      }`
    ),
  ];
}

const TITLE = "## Calls";

/** The part of the page, with its title. */
export function renderCalls(results: readonly MeasuredCalls[]): string {
  const revisions = results.map(({ name, revision }) => `${name} at \`${revision}\``).join(", ");
  return `${TITLE}

Which declaration a call leads to, as \`find_references\` says it with the confidence \`resolved\`, judged by the compilers of
the languages: \`deno task calls FOLDER…\`. Tests are left out. Counted are calls that lead to a declaration of the
repository, "bodies" those among them whose declaration runs, so no members of interfaces and no functions in fields. A call
of what a parameter or a local variable holds leads to no declaration; an answer for it is wrong, as it is where the
compiler goes elsewhere or sees no call. "Complete answers" are those of references and of impact about declarations that
are called (200 at most, drawn evenly) which say \`complete\`; the last figure is the share of them of which the compiler knows
no further use.

${toTable(HEAD, toRows(results))}

Measured on ${revisions}.
`;
}

/** The page with the part put in, at its end or in the place of the one that it has. */
export function insertCalls(page: string, part: string): string {
  const at = page.indexOf(`\n${TITLE}\n`);
  const kept = at < 0 ? page.trimEnd() : page.slice(0, at).trimEnd();
  return `${kept}\n\n${part}`;
}
