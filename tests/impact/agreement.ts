/** Asks references, definitions and impact for the same names of a small project, and holds one against the other. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import type { ImpactProject } from "./impact_project.ts";
import { createImpactProject } from "./impact_project.ts";

/** Texts by path. */
export type Files = Readonly<Record<string, string>>;
/** A file, a definition in it, and the places `path:line` of other files that lead to it for certain. */
export type Row = readonly [file: string, symbol: string, expected: readonly string[]];

/** The places that references prove to lead to the definition, without those of its own file. */
async function askReferences({ explorer }: ImpactProject, [file, symbol]: Row) {
  const answer = await explorer.findReferences({ symbol, includeText: false, maxResults: 200 });
  ok(answer.kind === "found", JSON.stringify(answer));
  return answer.references
    .filter(({ path, definedAt }) => path !== file && definedAt?.replace(/:\d+$/, "") === file)
    .map(({ path, line }) => `${path}:${line}`);
}

/** The same of impact: the places of the first step whose edges are proved. */
async function askImpact(project: ImpactProject, [file, symbol]: Row) {
  const found = await project.ask({ targetFiles: [file], symbols: [symbol], depth: 1 });
  return found.files.flatMap(({ path, edges }) =>
    edges.filter(({ confidence, kind }) => confidence === "resolved" && kind !== "override")
      .map(({ line }) => `${path}:${line}`)
  );
}

/** The files of the definitions that are found by the name alone. */
async function askDefinitions({ explorer }: ImpactProject, [, symbol]: Row) {
  const answer = await explorer.findDefinitions({ symbol, exactMatch: true, maxResults: 20 });
  ok(answer.kind === "found", JSON.stringify(answer));
  return answer.definitions.map(({ path }) => path);
}

/** A test that both prove the same places, and no others, and that the definition is found that they lead to. */
export function check(title: string, files: Files, rows: readonly Row[]): void {
  Deno.test(`references and impact agree on ${title}`, async () => {
    await using project = await createImpactProject(files);
    const said: unknown[] = [];
    for (const row of rows) {
      // Whoever is asked first finds nothing remembered.
      const references = await askReferences(project, row);
      const defined = await askDefinitions(project, row);
      ok(defined.includes(row[0]), `${row[1]} is defined in ${defined}, not in ${row[0]}`);
      const impact = await askImpact(project, row);
      const sorted = [references, impact].map((one) => [...new Set(one)].sort());
      said.push([row[1], ...sorted]);
    }
    deepEqual(said, rows.map(([, symbol, expected]) => [symbol, expected, expected]));
  });
}
