/** The files of the model are the ones that were checked. */
import { rejects, strictEqual as equal } from "node:assert/strict";
import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";
import { CodeIntelError } from "../../src/base/errors.ts";
import type { ModelPart } from "../../src/embedding/model_files.ts";
import {
  hasModel,
  MODEL_FILES,
  readModelFile,
  toModelFolder,
} from "../../src/embedding/model_files.ts";

const PARTS = Object.keys(MODEL_FILES) as ModelPart[];

Deno.test("the files in models/ have the hashes of the table", async () => {
  for (const part of PARTS) {
    const bytes = await readModelFile(part, toModelFolder());
    equal(createHash("sha256").update(bytes).digest("hex"), MODEL_FILES[part].sha256, part);
  }
  equal(await hasModel(), true);
});

Deno.test("readModelFile() says what is missing and what that means", async () => {
  const folder = await Deno.makeTempDir();
  const url = pathToFileURL(`${folder}/`);
  try {
    equal(await hasModel(url), false);
    await rejects(
      readModelFile("table", url),
      (error) =>
        error instanceof CodeIntelError && error.code === "model_missing" &&
        error.message.includes("embed.q4.bin") && /by words/.test(error.hint ?? ""),
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
