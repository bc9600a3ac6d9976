/**
 * Records of contents: what one machine stored comes to another one as it was, and whatever bytes stand in the place of a
 * record are refused or are a content that can be asked.
 */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { ROWS } from "../../../src/language/rows.ts";
import type { StoredContent } from "../../../src/analysis/record/content.ts";
import { OWN_THREAD } from "../../../src/analysis/analysis_pool.ts";
import {
  decodeContent,
  encodeContent,
  isRepeatable,
} from "../../../src/analysis/record/content_record.ts";
import { unpackPlaces, unpackTypes } from "../../../src/analysis/record/pack.ts";
import { UnfitRecord } from "../../../src/analysis/record/record_bytes.ts";
import { ContentWriter } from "../../../src/index/store/content_writer.ts";
import { IN_MEMORY, openDatabase } from "../../../src/index/store/database.ts";
import { listContents, readRecord } from "../../../src/index/read/record_queries.ts";
import { FileTable, openWorktree } from "../../../src/index/store/file_table.ts";
import { createRandom } from "../../support/random.ts";

const FOLDER = new URL("../../fixtures/languages/", import.meta.url);
const DIMENSIONS = 256;

interface Sample {
  readonly path: string;
  readonly text: string;
  readonly content: StoredContent;
}

/** The sample of each language, analysed. */
async function readSamples(): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for await (const { name: folder } of Deno.readDir(FOLDER)) {
    for await (const { name } of Deno.readDir(new URL(`${folder}/`, FOLDER))) {
      if (name === "expected.txt") continue;
      const path = `${folder}/${name.replace(/\.txt$/, "")}`;
      const bytes = await Deno.readFile(new URL(`${folder}/${name}`, FOLDER));
      const result = await OWN_THREAD.analyse({ path, bytes, chunkMaxTokens: 512 });
      if (result.kind === "failed") throw new Error(result.reason);
      samples.push({ path, text: new TextDecoder().decode(bytes), content: result.content });
    }
  }
  return samples.toSorted((a, b) => a.path < b.path ? -1 : 1);
}

const SAMPLES = await readSamples();

Deno.test("a record is the same from the analysis and from the database, and gives the content back", async () => {
  const db = openDatabase(IN_MEMORY);
  db.writer.begin();
  const contents = new ContentWriter(db.writer);
  const worktree = openWorktree(db.writer, "/project", 0);
  const table = new FileTable(db.writer, worktree);
  const stamp = { sizeBytes: 1, mtimeMs: 1, ctimeMs: 1, inode: 1, hashedAtMs: 1, skipped: null };
  for (const { path, text, content } of SAMPLES) {
    const hash = new TextEncoder().encode(path.padEnd(16).slice(0, 16));
    const variant = contents.variantOf(`18|512|${content.language}|`, content.language);
    const blob = contents.put({ hash, variant }, content, { sizeBytes: text.length });
    table.put({ ...stamp, path, blob, variant: "" });
  }
  await contents.finish(() => {});
  const held = listContents(db.writer, { worktree, variantPrefix: "18|512|" });
  equal(held.length, SAMPLES.length);
  equal(SAMPLES.length > ROWS.length / 2, true);
  SAMPLES.forEach(({ path, text, content }, at) => {
    const { blob, isOwn } = held[at] ?? { blob: 0, isOwn: false };
    const record = encodeContent(content);
    deepEqual(readRecord(db.writer, blob), record, path);
    deepEqual([isOwn, isRepeatable(content)], [true, true], path);
    const { language } = content;
    const decoded = decodeContent(record, { text, language, dimensions: DIMENSIONS });
    const inOrder = (one: StoredContent) => ({
      ...one,
      occurrences: one.occurrences.toSorted((a, b) => a.name < b.name ? -1 : 1),
    });
    deepEqual(inOrder(decoded), inOrder(content), path);
  });
  db.writer.rollback();
  db.close();
});

Deno.test("a record with any bytes changed, cut or added is refused, or can be asked without harm", () => {
  const random = createRandom(7);
  const below = (limit: number) => Math.floor(random() * limit);
  let refused = 0;
  for (const { path, text, content } of SAMPLES.filter((one) => isRepeatable(one.content))) {
    const whole = encodeContent(content);
    for (let turn = 0; turn < 40; turn++) {
      const bytes = whole.slice(0, turn % 4 === 0 ? below(whole.length) : undefined);
      for (let change = 0; change <= turn % 3; change++) {
        if (bytes.length > 0) bytes[below(bytes.length)] = below(256);
      }
      try {
        const { language } = content;
        const decoded = decodeContent(bytes, { text, language, dimensions: DIMENSIONS });
        for (const { places } of decoded.occurrences) unpackPlaces(places);
        if (decoded.types !== null) unpackTypes(decoded.types);
        for (const { parent } of decoded.symbols) {
          equal(parent === null || parent < decoded.symbols.length, true);
        }
      } catch (error) {
        if (!(error instanceof UnfitRecord)) {
          throw new Error(`${path}, turn ${turn}`, { cause: error });
        }
        refused++;
      }
    }
  }
  equal(refused > 100, true);
});
