/** The files of the model are the ones that were checked. */
import { deepStrictEqual as deepEqual, rejects, strictEqual as equal } from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { CodeIntelError } from "../../src/base/errors.ts";
import {
  findModelFault,
  hasModel,
  MODEL_FILES,
  openModelFile,
  readModelFile,
} from "../../src/embedding/model_files.ts";

Deno.test("findModelFault() finds the files in models/ as the table has them, and names a damaged one", async () => {
  equal(await findModelFault(), null);
  equal(await hasModel(), true);
  const folder = await Deno.makeTempDir();
  try {
    for (const { name } of Object.values(MODEL_FILES)) {
      await Deno.writeTextFile(`${folder}/${name}`, "x");
    }
    equal(
      await findModelFault(pathToFileURL(`${folder}/`)),
      'the file "tokenizer.bin" is damaged',
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
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
        error.message.includes("embed.q4.bin") && /by words/.test(String(error.hint ?? "")),
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("openModelFile() reads from any place in a part", async () => {
  using file = await openModelFile("network");
  const whole = await readModelFile("network");
  const into = new Uint8Array(10);
  file.readInto(into, 1000);
  deepEqual(into, whole.slice(1000, 1010));
  equal(file.byteLength, whole.length);
});
