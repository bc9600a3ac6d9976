/** Words and meaning over a real index with the real model. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { createEmbedder } from "../../src/embedding/embedder.ts";
import { RankingMemory } from "../../src/ranking/content_facts.ts";
import { searchHybrid } from "../../src/ranking/hybrid_search.ts";
import { createIndexedProject } from "../explore/indexed_project.ts";

const FILES = {
  "src/access.ts":
    "/** Lets a person in who knows the password, and keeps strangers out. */\nexport function signIn(user, password) { return user.check(password); }\n",
  "src/billing.ts":
    "/** Writes the invoice with value added tax. */\nexport function toInvoice(order) { return order.total * order.rate; }\n",
  "src/pictures.ts":
    "/** Makes a photograph smaller. */\nexport function shrink(photo, width) { return photo.scale(width / photo.width); }\n",
  "src/weather.ts":
    "/** Tells whether it will rain tomorrow. */\nexport function forecast(station) { return station.rain > 0; }\n",
};

// A thread takes a second to load the model, so that one does for all tests here.
const embedder = { ...createEmbedder({ maxWorkers: 1 }), close: () => {} };

// No table has its words: meaning alone leads to the file.
const PICTURE = "уменьшить фотографию";

Deno.test("R46: searchHybrid() lifts what is meant, finds it in another language, and says when words answered alone", async () => {
  await using project = await createIndexedProject({ files: FILES, index: { embedder } });
  const { index } = project;
  const memory = new RankingMemory();
  const ask = async (question: string, more = {}) => {
    const found = await searchHybrid(index, question, { memory, embedBudgetMs: 0, ...more });
    return { ...found, paths: found.files.map(({ item }) => item.path) };
  };
  const before = await ask(PICTURE);
  equal(before.isHybrid, false);
  equal(before.paths.length, 0, "no word leads there");
  ok(before.notice?.includes("code-intel index --vectors"));

  const meaning = await index.meaning();
  const sentence = "a person who wants to know about rain and the password";
  await meaning?.finish("digest", { maxFiles: 1 });
  const some = await ask(sentence);
  ok(some.isHybrid && some.paths.length > 1);
  await meaning?.finish("digest");
  const after = await ask(PICTURE);
  equal(after.isHybrid, true);
  deepEqual([after.paths[0], after.notice], ["src/pictures.ts", null]);
  const tomorrow = await ask(sentence);
  ok(tomorrow.isHybrid);
  ok(tomorrow.files.every(({ item }) => item.features.vector !== undefined));
  const toWeight = ({ files: [first] }: typeof some) => {
    const { vector = 0, text = 0 } = first?.explanation.adds ?? {};
    const features = first?.item.features;
    return vector / (features?.vector ?? 1) / (text / (features?.text ?? 1));
  };
  ok(toWeight(some) < toWeight(tomorrow) / 2, "meaning counts as far as it is known");
  const off = { scales: { vector: 0, keyword: 1, definition: 1, reference: 1 } };
  equal((await ask(PICTURE, off)).isHybrid, false);
  equal((await ask("shrink")).isHybrid, false, "a name is no question of meaning");

  const mistyped = await ask("forcast");
  deepEqual([mistyped.paths[0], mistyped.isGuessed], ["src/weather.ts", true]);
  ok(mistyped.notice?.includes('"forecast" instead of "forcast"'));
  deepEqual([(await ask("forecast")).isGuessed, (await ask("zzz")).isGuessed], [false, false]);
  deepEqual([(await ask("密码")).paths[0], (await ask("사용자 패스워드")).paths[0]], [
    "src/access.ts",
    "src/access.ts",
  ]);
});

Deno.test("searchHybrid() asks the model only where no table has the words, unless the configuration says otherwise", async () => {
  await using project = await createIndexedProject({
    files: FILES,
    index: { embedder },
    settings: { meaningOf: "foreign" },
  });
  const { index } = project;
  const memory = new RankingMemory();
  await (await index.meaning())?.finish("digest");
  equal(await index.meaning("all"), null);
  const english = await searchHybrid(index, "login of a person or a photo", { memory });
  const japanese = await searchHybrid(index, "写真を縮小する", { memory });
  for (const { query, files, isHybrid } of [english, japanese]) {
    equal(isHybrid, false, query.kind);
    ok(files.every(({ item }) => item.features.word_vector !== undefined), query.kind);
  }
  const near = Object.fromEntries(
    english.files.map(({ item }) => [item.path, item.features.word_vector ?? 0]),
  );
  ok((near["src/access.ts"] ?? 0) > (near["src/billing.ts"] ?? 0));
  equal(japanese.files[0]?.item.path, "src/pictures.ts");
  equal((await searchHybrid(index, PICTURE, { memory })).isHybrid, true);
  const { ready, embedded, vectorsLeft } = await index.ensureFresh();
  deepEqual([ready, embedded, vectorsLeft], ["lexical", 0, 0], "no answer waits for vectors");
});

Deno.test("searchHybrid() waits for no vectors of the model where word vectors answer, and embeds what an answer lacks within its time", async () => {
  await using project = await createIndexedProject({ files: FILES, index: { embedder } });
  const memory = new RankingMemory();
  const atOnce = await searchHybrid(project.index, "login of a person or a photo", { memory });
  equal(atOnce.isHybrid, false);
  equal((await (await project.index.meaning())?.progress())?.done, 0);
  const found = await searchHybrid(
    project.index,
    "how is the tax of an invoice or a photo made",
    {
      memory: new RankingMemory(),
      embedBudgetMs: 60_000,
    },
  );
  equal(found.isHybrid, true);
  equal(found.files[0]?.item.path, "src/billing.ts");
});

Deno.test("searchHybrid() asks a mistyped word as one that only a comment has", async () => {
  await using project = await createIndexedProject({
    files: {
      "src/gzip.ts": "// Compression of what is answered.\nexport const a = 1;\n",
      "src/other.ts": "export const b = 2;\n",
    },
  });
  const memory = new RankingMemory();
  const question = "compresion of answers";
  const { notice, files } = await searchHybrid(project.index, question, { memory });
  ok(notice?.includes(`"compression" instead of "compresion"`), notice ?? "");
  equal(files[0]?.item.path, "src/gzip.ts");
});
