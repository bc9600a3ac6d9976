/** The tool `fetch_chunk_detail`. */
import * as z from "zod";
import { measureJson } from "../../base/text/json_record.ts";
import type { OkReply } from "../../base/reply.ts";
import { buildRefusal } from "../../base/reply.ts";
import type { ChunksFound } from "../../explore/meaning/meaning_types.ts";
import { fitItems } from "../budget.ts";
import { formatFreshness, lineField, maxBytesField } from "../explore_fields.ts";
import type { Fields, Paint, ToolRow } from "../tool.ts";
import { toPlaceLine } from "../tool.ts";

const ID = lineField(100);

function buildSchema() {
  return z.strictObject({
    "chunk_id": z.union([ID, z.array(ID).min(1).max(20)]).describe("One or up to 20"),
    path: lineField(4096).optional().describe("Which file, of those with the same content"),
    "max_bytes": maxBytesField(),
  });
}

type Input = z.output<ReturnType<typeof buildSchema>>;

/** Whole chunks. */
export const fetchChunkDetailTool: ToolRow<Input> = {
  name: "fetch_chunk_detail",
  title: "Read chunks",
  description:
    "Shows whole chunks by the ids of semantic_search, with the ids before and after. Search again after a change.",
  needs: "chunk",
  hints: { readOnly: true, destructive: false, idempotent: true },
  buildSchema,
  command: {
    name: "chunk",
    summary: "Show whole chunks of a search",
    usage: "ID...",
    positionals: [1, 20],
    parameters: ["chunk_id"],
    example: "code-intel chunk 0f1e2d3c4b5a6978:12-40",
  },
  print: { list: "chunks", toLine: formatChunk },
  hub: { asks: "one" },
  example: { "chunk_id": "0f1e2d3c4b5a6978:12-40" },
  async run(input, { services, signal, maxBytes }) {
    const ids = typeof input.chunk_id === "string" ? [input.chunk_id] : input.chunk_id;
    const path = input.path === undefined ? {} : { path: input.path };
    const answer = await services.meaning.readChunks({ ids, ...path }, { signal });
    if (answer.kind === "refused") return { reply: buildRefusal(answer.problems) };
    const { reply, shown } = buildReply(answer, { maxBytes, path });
    return {
      reply,
      shownFiles: [...new Set(shown.map((chunk) => chunk.path))],
      shownSymbols: [...new Set(shown.flatMap(({ symbols }) => symbols))],
    };
  },
};

interface ReplyOptions {
  readonly maxBytes: number;
  /** The `path` of the call, for the call that returns the rest. */
  readonly path: { readonly path?: string };
}

/** A reply with the chunks that fit; `truncated.next` names the others by their ids. */
function buildReply(answer: ChunksFound, { maxBytes, path }: ReplyOptions) {
  const { chunks, missing, total, source, freshness, notices } = answer;
  const whole = (shown: readonly unknown[], left: readonly string[]): OkReply => ({
    ok: true,
    chunks: shown,
    total,
    ...(missing.length === 0 ? {} : { missing }),
    source,
    freshness: formatFreshness(freshness),
    ...(notices === undefined ? {} : { notices }),
    ...(left.length === 0 ? {} : {
      truncated: {
        shown: shown.length,
        total,
        reason: "max_bytes",
        next: { tool: "fetch_chunk_detail", arguments: { "chunk_id": left, ...path } },
      },
    }),
  });
  const ids = chunks.map(({ id }) => id);
  const room = maxBytes - measureJson(whole([], ids));
  const { shown, written } = fitItems(chunks, {
    maxBytes: room,
    // A chunk that alone is too large is cut at its end; a larger `max_bytes` shows more of it.
    shrink: (chunk) => ({ ...chunk, content: `${chunk.content.slice(0, room / 4)}\n…` }),
  });
  return { reply: whole(written, ids.slice(Math.max(1, shown.length))), shown };
}

function formatChunk(entry: Fields, paint: Paint): readonly string[] {
  const lines = `${entry["start_line"]}-${entry["end_line"]}`;
  return [
    toPlaceLine({ path: entry["path"], line: lines }, paint, entry["name"] ?? ""),
    ...String(entry["content"]).split("\n"),
  ];
}
