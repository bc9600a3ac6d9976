/** Which files the embedding model has, and how they are read: they are files of the program. */
import { createHash } from "node:crypto";
import { CodeIntelError } from "../base/errors.ts";
import { FileRange } from "../base/files/file_pack.ts";
import { hasProgramFile, openProgramFile } from "../base/program_files.ts";

/** Names the vectors: whatever changes them changes this, and vectors of another name are made again. */
export const MODEL_ID = "multilingual-e5-small-int8-1";

/** The files by their part; `lab/model/` makes them, `models/README.md` tells their origin. */
export const MODEL_FILES = {
  tokenizer: {
    name: "tokenizer.bin",
    sha256: "c68601cf592b2e9fa4505cb663bad647faadb0b015d2badfed50ae4d485014b5",
  },
  table: {
    name: "embed.q4.bin",
    sha256: "3bdb42d56fa5ba2b3d0630d4187eacdbe8ac6a4c83c762b209ded1377dbc50e2",
  },
  network: {
    name: "e5-small.int8-split.onnx",
    sha256: "3567001b47450c042971b4c8b88610d3a04977f1e4a22a43ecdefa960b281453",
  },
} as const;

/** A part of the model. */
export type ModelPart = keyof typeof MODEL_FILES;

/**
 * Opens a part of which little is needed at a time; dispose of it when the model goes.
 *
 * @param folder another folder than the program's own.
 * @throws {CodeIntelError} `model_missing` when it cannot be read.
 */
export async function openModelFile(part: ModelPart, folder?: URL): Promise<FileRange> {
  const { name } = MODEL_FILES[part];
  try {
    if (folder === undefined) return await openProgramFile(`models/${name}`);
    return await FileRange.open(new URL(name, folder));
  } catch (cause) {
    throw new CodeIntelError(
      "model_missing",
      `Cannot search by meaning: the file "${name}" of the embedding model cannot be read`,
      {
        hint: "Searches answer by words meanwhile; install the program again to get it back.",
        cause,
      },
    );
  }
}

/** The bytes of a part; `folder` and errors as for {@link openModelFile}. */
export async function readModelFile(part: ModelPart, folder?: URL): Promise<Uint8Array> {
  return (await openModelFile(part, folder)).readAndClose();
}

/** Whether all files of the model are there; `folder` as for {@link readModelFile}. */
export async function hasModel(folder?: URL): Promise<boolean> {
  const found = await Promise.all(
    Object.values(MODEL_FILES).map(({ name }) =>
      folder === undefined
        ? hasProgramFile(`models/${name}`)
        : Deno.stat(new URL(name, folder)).then((info) => info.isFile, () => false)
    ),
  );
  return found.every((isThere) => isThere);
}

/** What is wrong with the files of the model, in one sentence; null when each is what it should be. */
export async function findModelFault(folder?: URL): Promise<string | null> {
  for (const part of Object.keys(MODEL_FILES) as ModelPart[]) {
    const { name, sha256 } = MODEL_FILES[part];
    const bytes = await readModelFile(part, folder).catch(() => null);
    if (bytes === null) return `the file "${name}" cannot be read`;
    if (createHash("sha256").update(bytes).digest("hex") !== sha256) {
      return `the file "${name}" is damaged`;
    }
  }
  return null;
}
