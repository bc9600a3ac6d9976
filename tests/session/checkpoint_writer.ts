/** Saves one generation after another until it is killed: `checkpoint_writer.ts FOLDER REVISION`. */
import { createSeal } from "../../src/base/files/seal.ts";
import {
  buildGenerationPaths,
  sealCheckpoint,
  writeGeneration,
} from "../../src/session/checkpoint_reader.ts";
import { CHECKPOINT_FORMAT } from "../../src/session/session.ts";
import { SAMPLE_ID, sampleState } from "./sample_state.ts";

const [folder = "", start = "0"] = Deno.args;
const paths = buildGenerationPaths(folder, SAMPLE_ID);
const seal = createSeal(null);
const savedAt = "2026-01-31T14:25:30.000Z";
for (let revision = Number(start) + 1;; revision++) {
  const state = sampleState({ findings: Array.from({ length: 2000 }, (_, n) => `finding ${n}`) });
  const { text } = await sealCheckpoint(
    { format: CHECKPOINT_FORMAT, revision, savedAt, state },
    seal,
  );
  await writeGeneration(paths, text);
  if (revision === Number(start) + 1) await Deno.stdout.write(new TextEncoder().encode("begun\n"));
}
