/** Meaning over a real index with the real model: what is near, what is made when, and what is made once. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { Embedder } from "../../../src/embedding/mod.ts";
import { createEmbedder } from "../../../src/embedding/mod.ts";
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
  // The clock stands still: what was finished here is told at once, however short a time it took.
  let nowMs = Date.now();
  await using test = openTestIndex(repo.repo, { options: { embedder, nowMs: () => nowMs } });
  await test.index.sync();
  const meaning = await test.index.meaning();
  ok(meaning !== null);
  deepEqual(await meaning.progress(), { done: 0, total: 4, digests: 0, texts: 0 });

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

Deno.test("start() makes all vectors behind the answers, and close() ends it", async () => {
  await using repo = await createTempRepo({ files: FILES });
  using embedder = new CountingEmbedder();
  await using test = openTestIndex(repo.repo, { options: { embedder } });
  await test.index.sync();
  const meaning = await test.index.meaning();
  meaning?.start();
  for (;;) {
    const progress = await meaning?.progress();
    if (progress?.done === 4 && progress.texts === 4) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  equal(embedder.passages.length, 8);
  deepEqual(test.notices, []);
});

Deno.test("vectors are left alone where the settings say so", async () => {
  await using repo = await createTempRepo({ files: FILES });
  using embedder = new CountingEmbedder();
  await using test = openTestIndex(repo.repo, {
    settings: { hasVectors: false },
    options: { embedder },
  });
  equal(await test.index.meaning(), null);
  deepEqual((await test.index.ensureFresh()).ready, "lexical");
});
