/** Reads the text of chunks from the files of the project, and never another text than the index knows. */
import { readSource } from "../../base/files/regular_file.ts";
import { decodeText } from "../../base/files/text_file.ts";
import { hashOfContent } from "../../index/scan/file_reader.ts";
import type { ChunkHit } from "../../index/read/view.ts";
import type { LiveExplorerOptions } from "../../backends/live_context.ts";

/** Gives the lines of a chunk, or null when its file has another content now. */
export type ReadChunkText = (chunk: ChunkHit, path: string) => Promise<readonly string[] | null>;

/** Makes a reader for one answer: each file is read once. */
export function createChunkReader(place: FilePlace): ReadChunkText {
  const files = new Map<string, Promise<FileText | null>>();
  return async (chunk, path) => {
    let reading = files.get(path);
    if (reading === undefined) files.set(path, reading = readFile(place, path));
    const file = await reading;
    if (file === null || !chunk.id.startsWith(`${file.hash}:`)) return null;
    return file.lines.slice(chunk.startLine - 1, chunk.endLine);
  };
}

/** Where the files of a project are. */
export type FilePlace = Pick<LiveExplorerOptions, "projectRoot" | "stored">;

interface FileText {
  readonly hash: string;
  readonly lines: readonly string[];
}

async function readFile(place: FilePlace, path: string): Promise<FileText | null> {
  const bytes = await readBytes(place, path);
  // A file that is gone or cannot be read has not the content that was found.
  if (bytes === null) return null;
  const text = decodeText(bytes);
  if (text === undefined) return null;
  return {
    hash: hashOfContent(bytes),
    lines: text.split("\n").map((line) => line.replace(/\r$/, "")),
  };
}

async function readBytes({ projectRoot, stored }: FilePlace, path: string) {
  if (stored !== undefined) return await stored.read(path);
  const reading = await readSource(projectRoot, path);
  return reading.kind === "read" ? reading.bytes : null;
}
