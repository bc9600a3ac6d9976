/** A process that is killed while it embeds: the next one goes on where it was, and nothing is broken. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createEmbedder } from "../../../src/embedding/embedder.ts";
import type { Embedder } from "../../../src/embedding/embedder.ts";
import { createTempRepo } from "../../support/temp_repo.ts";
import { makeFiles, openTestIndex } from "../support.ts";
import { killChild } from "../../support/server/processes.ts";

const CLIENT = new URL("./embed_client.ts", import.meta.url);
const FILES = 60;

Deno.test("embedding that is killed goes on where it was, text by text, and its vectors are whole", async () => {
  await using repo = await createTempRepo({ files: makeFiles(FILES) });
  const inner = createEmbedder({ maxWorkers: 1 });
  let embedded = 0;
  const embedder: Embedder = {
    ...inner,
    embedPassage: (text, options) => {
      embedded++;
      return inner.embedPassage(text, options);
    },
  };
  try {
    await using test = openTestIndex(repo.repo, { options: { embedder } });
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", CLIENT.href, repo.dir],
      stdout: "null",
      stderr: "null",
      stdin: "null",
    }).spawn();
    // Killed as soon as some of its vectors can be seen, which is long before the last.
    const meaning = await test.index.meaning();
    ok(meaning !== null);
    let looks = 0;
    const look = () => meaning.progress(--looks);
    let early = 0;
    while (early === 0) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      early = (await look()).done;
    }
    killChild(child);
    await child.status;

    await test.index.sync();
    const before = await look();
    ok(before.done >= early && before.done < FILES, `${before.done} of ${FILES} after the kill`);
    meaning.start();
    // Whole texts are embedded after a question that reads them; here nobody asked one.
    while ((await look()).done < FILES) await new Promise((resolve) => setTimeout(resolve, 20));
    const after = await look();
    equal(after.total, FILES);
    ok(
      embedded <= after.digests + after.texts - before.digests,
      `${embedded} embedded after ${early}`,
    );
    deepEqual(test.notices, []);
    const [nearest] = await meaning.findNearest("anything", { limit: 1 });
    ok(nearest !== undefined && Math.abs(nearest.cosine) <= 1);
  } finally {
    inner.close();
  }
  const db = new DatabaseSync(join(repo.repo.commonDir, "code-intel", "index.db"), {
    readOnly: true,
  });
  equal(db.prepare("PRAGMA quick_check").get()?.["quick_check"], "ok");
  const torn = db.prepare(
    "SELECT count(*) AS count FROM spans WHERE vector IS NOT NULL AND vector NOT IN (SELECT id FROM vectors)",
  );
  equal(torn.get()?.["count"], 0);
  db.close();
});
