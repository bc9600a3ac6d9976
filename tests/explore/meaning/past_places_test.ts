/** Past commits with messages like the question vote for their files, in the search of the real program. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { OWN_THREAD } from "../../../src/analysis/analysis_pool.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { createServices } from "../../../src/services/services.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

Deno.test("search() lifts a file that past commits for such questions changed, and explains it", async () => {
  await using temp = await createTempRepo({
    files: {
      "src/clock.ts": "export function tick() { return 1; }\n",
      "src/billing.ts": "/** Rounds totals of an invoice. */\nexport const round = Math.round;\n",
      "src/report.ts": "/** Shows invoices and rounds the totals. */\nexport const show = 2;\n",
    },
  });
  const services = await createServices({
    projectDir: temp.dir,
    analyser: OWN_THREAD,
    logger: SILENT_LOGGER,
    offered: [],
  });
  try {
    for (let turn = 0; turn < 22; turn++) {
      await temp.commit(`Round the invoice totals, part ${turn}`, {
        "src/clock.ts": `// ${turn}\n`,
      });
    }
    // Words and the past alone: the model would only make the test slow.
    await temp.write({ ".code-intel/config.json": '{ "embedding_model": "none" }' });
    await services.index.sync();
    const search = async (query: string) => {
      const input = { query, maxResults: 5 };
      const found = await services.meaning.search({
        ...input,
        collection: "forest",
        explain: true,
      });
      if (found.kind === "refused") throw new Error(JSON.stringify(found.problems));
      return found;
    };
    const ask = async () =>
      (await search("why are the totals of an invoice rounded")).hits
        .map(({ path, explain }) => [path, (explain?.past ?? 0) > 0]);
    equal((await ask()).flat().includes("src/clock.ts"), false, "no word leads there");
    await services.history.refresh();
    const after = await ask();
    ok(after.some(([path, past]) => path === "src/clock.ts" && past === true), String(after));
    const input = { query: "round invoice totals", maxResults: 5, explain: false } as const;
    const map = await services.meaning.search({ ...input, collection: "map" });
    if (map.kind === "refused") throw new Error(JSON.stringify(map.problems));
    const [hit, ...others] = map.hits;
    deepEqual([hit?.path, others, map.confidence], ["src/clock.ts", [], "low"]);
    ok(/^commit [0-9a-f]{8}: Round the invoice/.test(hit?.learnedFrom ?? ""), hit?.learnedFrom);
    const { queryKind, hits } = await search("Round the totals of each invoice");
    const lately = hits.filter(({ explain }) => (explain?.lately ?? 0) > 0.05);
    deepEqual([queryKind, lately.map(({ path }) => path)], ["request", ["src/clock.ts"]]);
  } finally {
    await services.close();
  }
});
