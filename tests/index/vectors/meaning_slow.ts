/** Meaning over a real index with the real model: what is near, what is made when, and what is made once. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { Embedder } from "../../../src/embedding/embedder.ts";
import { createEmbedder } from "../../../src/embedding/embedder.ts";
import { createTempRepo } from "../../support/temp_repo.ts";
import { openTestIndex } from "../support.ts";

/** The real embedder, counting the passages that it is given. */
class CountingEmbedder implements Embedder {
  readonly passages: string[] = [];
  readonly #inner = createEmbedder({ maxWorkers: 1 });
  readonly modelId = this.#inner.modelId;
  readonly concurrency = 1;

  isAvailable = () => this.#inner.isAvailable();
  hold = () => this.#inner.hold();
  close = () => this.#inner.close();
  embedQuery: Embedder["embedQuery"] = (text, options) => this.#inner.embedQuery(text, options);
  embedPassage: Embedder["embedPassage"] = (text, options) => {
    this.passages.push(text);
    return this.#inner.embedPassage(text, options);
  };

  [Symbol.dispose]() {
    this.close();
  }
}

const FILES = {
  "src/login.ts":
    "// Checks the password and opens a session.\nexport function signIn(user, password) {}\n",
  "src/invoice.ts":
    "// Adds value added tax to the price.\nexport function toTotal(price, taxRate) {}\n",
  "src/image.ts":
    "// Scales a picture to a smaller size.\nexport function shrink(picture, width) {}\n",
  "src/nothing.ts": "export const nothing = 1;\n",
};

Deno.test("a question finds what it means, in another language too, and each text is embedded once", async () => {
  await using repo = await createTempRepo({ files: FILES });
  using embedder = new CountingEmbedder();
  // The clock goes a millisecond on at each look: what was finished here is told at once, however short a time it took.
  let nowMs = Date.now();
  await using test = openTestIndex(repo.repo, { options: { embedder, nowMs: () => nowMs++ } });
  await test.index.sync();
  const meaning = await test.index.meaning();
  ok(meaning !== null);
  deepEqual(await meaning.progress(), { done: 0, total: 4, digests: 0, texts: 0, left: 4 });

  const paths = Object.keys(FILES);
  const none = await meaning.compare("authentication of users", paths, { budgetMs: 0 });
  deepEqual([none.files.size, none.missing], [0, 4]);
  await meaning.compare("authentication of users", ["src/login.ts"], { budgetMs: 60_000 });
  equal(embedder.passages.length, 1, "only what the answer needs");

  await meaning.finish("digest");
  equal(embedder.passages.length, 4);
  const fresh = await test.index.ensureFresh();
  deepEqual([fresh.embedded, fresh.ready], [4, "hybrid"]);
  const rows: readonly (readonly [question: string, path: string])[] = [
    ["authentication of users", "src/login.ts"],
    ["how much is to be paid", "src/invoice.ts"],
    ["画像を縮小する", "src/image.ts"],
  ];
  for (const [question, path] of rows) {
    const [nearest] = await meaning.findNearest(question, { limit: 4 });
    equal(nearest?.path, path, question);
    const { files, mean, deviation, missing } = await meaning.compare(question, paths);
    equal(missing, 0);
    ok((files.get(path)?.[0]?.cosine ?? 0) > mean && deviation > 0);
    equal(files.get(path)?.[0]?.endLine, 3);
  }

  await repo.write({
    "src/login.ts": `${FILES["src/login.ts"]}// More of it.\n`,
    "src/again.ts": FILES["src/invoice.ts"],
  });
  nowMs += 5_000;
  await test.index.sync();
  const changed = await test.index.ensureFresh();
  deepEqual([changed.embedded, changed.ready], [3, "lexical"]);
  equal((await meaning.progress()).done, 3);
  await meaning.finish("digest");
  equal(embedder.passages.length, 6, "a changed file and a file of another name");
  await meaning.finish("text");
  equal((await meaning.progress()).texts, 5);
});

Deno.test("what another worktree or an earlier process embedded is not embedded again", async () => {
  await using repo = await createTempRepo({ files: FILES });
  {
    using embedder = new CountingEmbedder();
    await using first = openTestIndex(repo.repo, { options: { embedder } });
    await first.index.sync();
    await (await first.index.meaning())?.finish("digest");
  }
  using embedder = new CountingEmbedder();
  await using second = openTestIndex(repo.repo, { options: { embedder } });
  const meaning = await second.index.meaning();
  await meaning?.finish("digest");
  deepEqual([embedder.passages.length, (await meaning?.progress())?.done], [0, 4]);
});

/** Waits until nothing is made any more, and answers how many texts were embedded. */
async function waitForRest(embedder: CountingEmbedder, isDone: () => Promise<boolean>) {
  while (!await isDone()) await new Promise((resolve) => setTimeout(resolve, 20));
  return embedder.passages.length;
}

Deno.test("start() made every whole text behind an answer, half a core for minutes: it makes digests, and whole texts once a question needs them", async () => {
  await using repo = await createTempRepo({ files: FILES });
  using embedder = new CountingEmbedder();
  await using test = openTestIndex(repo.repo, { options: { embedder } });
  await test.index.sync();
  const meaning = await test.index.meaning();
  ok(meaning !== null);
  meaning.start();
  const has = (digests: number, texts: number) => async () => {
    const progress = await meaning.progress();
    return progress.digests === digests && progress.texts === texts;
  };
  equal(await waitForRest(embedder, has(4, 0)), 4);
  meaning.start();
  await meaning.whenResting();
  equal(embedder.passages.length, 4, "nothing is left to do, and no whole text is made");
  deepEqual([(await test.index.ensureFresh()).vectorsLeft], [0]);

  meaning.start({ hasTexts: true });
  equal(await waitForRest(embedder, has(4, 4)), 8);
  await meaning.whenResting();
  const fresh = await test.index.ensureFresh();
  deepEqual([fresh.ready, fresh.vectorsLeft], ["hybrid", 0]);
  deepEqual(test.notices, []);
});

Deno.test("start() makes the most useful vectors first, rests after its budget, and goes on with the next activity", async () => {
  const names = Array.from({ length: 20 }, (_, at) => `src/part${String(at).padStart(2, "0")}.ts`);
  const files = Object.fromEntries(
    names.map((name, at) => [name, `// Part ${at}.\nexport function part${at}() {}\n`]),
  );
  await using repo = await createTempRepo({ files });
  using embedder = new CountingEmbedder();
  await using test = openTestIndex(repo.repo, { options: { embedder, vectorsAtOnce: 8 } });
  await test.index.sync();
  const meaning = await test.index.meaning();
  ok(meaning !== null);
  meaning.start({ first: [names[17] ?? ""] });
  await meaning.whenResting();
  const first = embedder.passages.length;
  ok(first >= 8 && first <= 16, `a batch may end beyond the budget: ${first}`);
  ok(/part 17/.test(embedder.passages[0] ?? ""), embedder.passages[0]);
  const fresh = await test.index.ensureFresh();
  deepEqual([fresh.ready, fresh.vectorsLeft], ["lexical", 20 - first]);
  const { vectors, embeddingProcess } = await test.index.status();
  deepEqual([vectors?.done, embeddingProcess], [first, null]);
  meaning.start();
  await meaning.whenResting();
  meaning.start();
  await meaning.whenResting();
  equal(embedder.passages.length, 20);
  equal((await test.index.ensureFresh()).ready, "hybrid");
});

Deno.test("a limit of whole texts of 1 let all of them have vectors: the first batch was never counted", async () => {
  await using repo = await createTempRepo({ files: FILES });
  const check = async (maxChunks: number, expected: number) => {
    using embedder = new CountingEmbedder();
    await using test = openTestIndex(repo.repo, { settings: { maxChunks }, options: { embedder } });
    await test.index.sync();
    const meaning = await test.index.meaning();
    ok(meaning !== null);
    meaning.start({ hasTexts: true });
    await meaning.whenResting();
    const { digests, texts } = await meaning.progress();
    const { vectorsLeft } = await test.index.ensureFresh();
    deepEqual({ digests, texts, vectorsLeft }, { digests: 4, texts: expected, vectorsLeft: 0 });
    deepEqual(test.notices, []);
  };
  await check(0, 0);
  await check(1, 1);
  await check(3, 3);
});

Deno.test("vectors are left alone where the settings say so", async () => {
  await using repo = await createTempRepo({ files: FILES });
  using embedder = new CountingEmbedder();
  await using test = openTestIndex(repo.repo, {
    settings: { meaningOf: "none" },
    options: { embedder },
  });
  equal(await test.index.meaning(), null);
  deepEqual((await test.index.ensureFresh()).ready, "lexical");
});
