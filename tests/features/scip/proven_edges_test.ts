/** What a SCIP index in the project proves of the graph of impact. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { createProofs } from "./proofs.ts";
import { readMarked, writeScip } from "./scip_writer.ts";
import { createImpactProject } from "../../impact/impact_project.ts";

const NPM = "scip-typescript npm shop 1.0.0 src/";
const symbols = {
  Store: `${NPM}\`store.ts\`/Store#`,
  save: `${NPM}\`store.ts\`/Store#save().`,
  pick: `${NPM}\`pick.ts\`/pick().`,
  run: `${NPM}\`use.ts\`/run().`,
  made: `${NPM}\`apart.ts\`/made.`,
};
const SOURCES = {
  "src/store.ts": "export class «!Store|Store» {\n  «!save|save»(): void {}\n}\n",
  "src/pick.ts": [
    "import { «Store|Store» } from './store';",
    "export function «!pick|pick»(«!table|local 1»: Record<string, «Store|Store»>) {",
    "  return «table|local 1»['a'];",
    "}",
    "",
  ].join("\n"),
  "src/use.ts": [
    "import { «pick|pick» as «choose|pick» } from './pick';",
    "export function «!run|run»() {",
    "  «choose|pick»({}).«save|save»();",
    "}",
    "",
  ].join("\n"),
  "src/apart.ts": [
    "import { «Store|Store» } from './store';",
    "export const «!made|made»: «Store|Store»[] = [];",
    "export function apart(«!save|local 1»: () => void) {",
    "  «save|local 1»();",
    "}",
    "",
  ].join("\n"),
};

Deno.test("analyze() must verify what an indexer proved, over other names and types that only it knows, and nothing else", async () => {
  const sources = Object.entries(SOURCES)
    .map(([path, text]) => [path, readMarked(path, text, { symbols })] as const);
  await using project = await createImpactProject(
    Object.fromEntries(sources.map(([path, { text }]) => [path, text])),
    { openProofs: createProofs },
  );
  const ask = async (symbol: string) => {
    const { files, isProven } = await project.ask({ symbols: [symbol], depth: 1 });
    return { isProven, must: files.filter(({ isMust }) => isMust).map(({ path }) => path) };
  };
  deepEqual(await ask("Store.save"), { isProven: false, must: [] });
  await Deno.writeFile(
    join(project.temp.dir, "index.scip"),
    writeScip(sources.map(([, { document }]) => document)),
  );
  deepEqual(await ask("Store.save"), { isProven: true, must: ["src/use.ts"] });
  const { files } = await project.ask({ symbols: ["pick"], depth: 1 });
  const edges = files.flatMap(({ path, edges }) =>
    edges.map(({ line, kind }) => `${path}:${line} ${kind}`)
  );
  equal(edges.includes("src/use.ts:3 call"), true, edges.join("\n"));
  await Deno.writeTextFile(
    join(project.temp.dir, "src/store.ts"),
    "// New.\n" + sources[0]?.[1].text,
  );
  deepEqual(
    await ask("Store.save"),
    { isProven: false, must: [] },
    "the class is another one by now",
  );
});
