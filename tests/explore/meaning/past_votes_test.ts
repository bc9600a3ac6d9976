/** Past commits with messages like the question vote for their files, in the search of the real program. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { toPastVotes } from "../../../src/explore/meaning/past_votes.ts";
import type { Past } from "../../../src/history/mod.ts";
import { MessageIndex, NO_PAST } from "../../../src/history/mod.ts";
import { createServices } from "../../../src/services/mod.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

const toTerms = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? [];

function toKnown(messages: readonly string[]) {
  const deeds = messages.map((message, at) => ({
    id: `${at}`,
    atSeconds: 0,
    message,
    changed: 1,
    paths: [`${message.split(" ").at(-1)}.ts`],
  }));
  const past: Past = { ...NO_PAST, deeds };
  const index = new MessageIndex(past, toTerms);
  while (index.addNext(100));
  return { past, messages: index, isShallow: false };
}

const OLD = Array.from({ length: 30 }, () => "Something else");

Deno.test("toPastVotes() gives the most voted file 1, and nothing where the past is young or not known", () => {
  const votes = toPastVotes(
    toKnown(["Fix cookie a", "Fix cookie a", "Fix b", ...OLD]),
    "fix a cookie",
  );
  deepEqual([...votes.keys()], ["a.ts", "b.ts"]);
  equal(votes.get("a.ts"), 1);
  ok((votes.get("b.ts") ?? 1) < 0.8);
  equal(toPastVotes(toKnown(["Fix cookie a"]), "fix a cookie").size, 0);
  equal(toPastVotes(toKnown(OLD), "cookie").size, 0);
  equal(toPastVotes(null, "cookie").size, 0);
});

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
    const ask = async () => {
      const input = { query: "why are the totals of an invoice rounded", maxResults: 5 };
      const found = await services.meaning.search({
        ...input,
        collection: "forest",
        explain: true,
      });
      if (found.kind === "refused") throw new Error(JSON.stringify(found.problems));
      return found.hits.map(({ path, explain }) => [path, (explain?.past ?? 0) > 0]);
    };
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
  } finally {
    await services.close();
  }
});
