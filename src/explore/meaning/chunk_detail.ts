/**
 * Answers for whole chunks by their ids: from the index where they are, from the files what they say, and never another
 * text than the index knows.
 */
import { readSource } from "../../base/files/regular_file.ts";
import { decodeText } from "../../base/files/source_text.ts";
import { hashContentShort } from "../../index/scan/file_reader.ts";
import type { ChunkHit, IndexView } from "../../index/read/view.ts";
import type { TextSearchContext } from "../../backends/live_context.ts";
import { makeProblem } from "../../base/problem.ts";
import { call, say, tool } from "../../base/text/words.ts";
import type { QuestionRefused } from "../explorer.ts";
import type { ChunkDetail, ChunksFound, MeaningAccess, MeaningOptions } from "./meaning_types.ts";
import { nameByFirst } from "./telling_line.ts";

/** Gives the lines of a chunk, or null if the file has changed. */
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
export type FilePlace = Pick<TextSearchContext, "projectRoot" | "stored">;

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
    hash: hashContentShort(bytes),
    lines: text.split("\n").map((line) => line.replace(/\r$/, "")),
  };
}

async function readBytes({ projectRoot, stored }: FilePlace, path: string) {
  if (stored !== undefined) return await stored.read(path);
  const reading = await readSource(projectRoot, path);
  return reading.kind === "read" ? reading.bytes : null;
}

/** What is read. */
export interface ChunkRequest extends MeaningAccess {
  readonly ids: readonly string[];
  /** Whether a file may stand for its content. */
  readonly covers: (path: string) => boolean;
}

interface KnownChunk {
  readonly chunk: ChunkHit;
  readonly path: string;
  readonly detail: Omit<ChunkDetail, "content">;
}

const ID = /^[0-9a-f]{16}:\d+-\d+$/;

/** Reads chunks; ids that are none are refused, ids of contents that are gone are named. */
export async function readChunkDetails(
  context: MeaningOptions,
  request: ChunkRequest,
): Promise<ChunksFound | QuestionRefused> {
  const ids = [...new Set(request.ids)];
  const problems = ids.filter((id) => !ID.test(id)).map((id) =>
    makeProblem("invalid_chunk_id", `"${id.slice(0, 80)}" is no id of a chunk`, {
      at: "chunk_id",
      hint: say`Send an id as ${tool("semantic_search")} shows it, such as 0f1e2d3c4b5a6978:12-40.`,
    })
  );
  if (problems.length > 0) return { kind: "refused", problems };
  const known = await context.index.read((view) => ids.map((id) => findChunk(view, id, request)));
  const read = createChunkReader(context);
  const details = await Promise.all(
    known.map((found) => found === null ? null : readDetail(found, read)),
  );
  const chunks = details.filter((chunk) => chunk !== null);
  const missing = ids.filter((_, at) => details[at] === null);
  if (chunks.length === 0) return { kind: "refused", problems: missing.map(makeGoneProblem) };
  const { notices } = request;
  const all = missing.length === 0 ? notices : [
    ...notices,
    `${missing.length} of the chunks no longer exist: their files changed. Search again for them.`,
  ];
  return {
    kind: "found",
    chunks,
    missing,
    total: chunks.length,
    source: "index",
    freshness: request.freshness,
    shownFiles: [...new Set(chunks.map(({ path }) => path))],
    shownSymbols: [...new Set(chunks.flatMap(({ symbols }) => symbols))],
    ...(all.length === 0 ? {} : { notices: all }),
  };
}

function makeGoneProblem(id: string) {
  return makeProblem("chunk_not_found", `No file of the project has the chunk ${id} (any more)`, {
    at: "chunk_id",
    hint: say`Its file changed or is gone. ${call("semantic_search")} again for the present ids.`,
  });
}

function findChunk(view: IndexView, id: string, { covers }: ChunkRequest): KnownChunk | null {
  const chunk = view.getChunk(id);
  const path = chunk?.paths.find(covers);
  if (chunk === null || path === undefined) return null;
  const alsoIn = chunk.paths.filter((other) => other !== path);
  const own = view.listChunks(path);
  const at = own.findIndex((one) => one.id === id);
  const symbols = chunk.symbols.length === 0 ? [] : view.listSymbols(path);
  const language = view.getFile(path)?.language ?? null;
  const { name } = nameByFirst(chunk, symbols);
  const detail = {
    id,
    path,
    startLine: chunk.startLine,
    endLine: chunk.endLine,
    kind: chunk.kind,
    ...(name === "" ? {} : { name }),
    ...(language === null ? {} : { language }),
    ...(alsoIn.length === 0 ? {} : { alsoIn }),
    symbols: chunk.symbols.flatMap((position) => symbols[position]?.qualifiedName ?? []),
    ...(own[at - 1] === undefined ? {} : { previous: own[at - 1]?.id ?? "" }),
    ...(own[at + 1] === undefined ? {} : { next: own[at + 1]?.id ?? "" }),
  };
  return { chunk, path, detail };
}

/** Null when the file has another content than the index found, which the next look will see. */
async function readDetail(
  { chunk, path, detail }: KnownChunk,
  read: ReadChunkText,
): Promise<ChunkDetail | null> {
  const lines = await read(chunk, path);
  return lines === null ? null : { ...detail, content: lines.join("\n") };
}
