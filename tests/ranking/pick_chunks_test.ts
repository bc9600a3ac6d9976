/** Which chunks of the files that answer are shown, over a real index. */
import { ok, strictEqual as equal } from "node:assert/strict";
import { searchCode } from "../../src/ranking/code_search.ts";
import { RankingMemory } from "../../src/ranking/content_facts.ts";
import { pickChunks } from "../../src/ranking/pick_chunks.ts";
import { createShop } from "../explore/shop_project.ts";

Deno.test("pickChunks() shows the chunk that defines what is asked for", async () => {
  await using shop = await createShop({
    "src/long.ts": Array.from(
      { length: 40 },
      (_, at) => `export function step${at}() {\n${`  call(${at}, wanted);\n`.repeat(12)}}\n`,
    ).join("\n") + "\nexport function wanted() { return 1; }\n",
  });
  const memory = new RankingMemory();
  const shown = await shop.index.read((view) => {
    const { query, files } = searchCode(view, "wanted", { memory });
    return pickChunks(view, query, files)[0] ?? [];
  });
  const [chunk] = shown;
  equal(chunk?.endLine, 40 * 15 + 1);
});

Deno.test("pickChunks() shows the chunk of the line behind a path", async () => {
  await using shop = await createShop({
    "src/long.ts": Array.from(
      { length: 40 },
      (_, at) => `export function step${at}() {\n${`  call(${at}, wanted);\n`.repeat(12)}}\n`,
    ).join("\n"),
  });
  const memory = new RankingMemory();
  for (
    const asked of [
      "src/long.ts:305:7",
      "(long.ts:305)",
      "long.ts(305,2):",
      "/home/me/shop/src/long.ts:305",
      "https://host/blob/main/src/long.ts#L305-L309",
    ]
  ) {
    const shown = await shop.index.read((view) => {
      const { query, files } = searchCode(view, asked, { memory });
      equal(files[0]?.item.path, "src/long.ts", asked);
      return pickChunks(view, query, files)[0] ?? [];
    });
    ok((shown[0]?.startLine ?? 0) <= 305 && (shown[0]?.endLine ?? 0) >= 305, asked);
  }
});

Deno.test("pickChunks() chooses among the chunks of all files, but shows one of each", async () => {
  const fill = (name: string, line: string) =>
    Array.from(
      { length: 8 },
      (_, at) => `export function ${name}${at}() {\n${`  ${line}\n`.repeat(30)}}\n`,
    ).join("\n");
  await using shop = await createShop({
    "src/parcel_tracking.ts": fill("step", "track(parcel);"),
    "src/other.ts": fill("go", "track(nothing);"),
  });
  const memory = new RankingMemory();
  const counts = await shop.index.read((view) => {
    const { query, files } = searchCode(view, "parcel tracking", { memory });
    const chunks = pickChunks(view, query, files);
    return new Map(files.map(({ item }, at) => [item.path, chunks[at]?.length]));
  });
  equal(counts.get("src/other.ts"), 1);
  ok(
    (counts.get("src/parcel_tracking.ts") ?? 0) > 3,
    "the better file has the lines of the others",
  );
});
