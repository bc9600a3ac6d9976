/** The tool `semantic_search`. */
import * as z from "zod";
import { buildRefusal } from "../../base/reply.ts";
import type { SemanticHit } from "../../explore/meaning/meaning_types.ts";
import type { Services } from "../../services/services_api.ts";
import { buildPage } from "../budget.ts";
import {
  formatFreshness,
  isForAll,
  lineField,
  maxBytesField,
  toOtherFields,
  withOtherNotices,
} from "../explore_fields.ts";
import type { Fields, Paint, ToolOutcome, ToolRow } from "../tool.ts";
import { toPlaceLine } from "../tool.ts";
import { NO_OTHERS } from "../../services/other_repositories.ts";

function buildSchema() {
  return z.strictObject({
    query: lineField(1_000).describe("Such as where is X done"),
    path: lineField(4096).optional().describe("Folder or file"),
    "target_feature": lineField(300).optional()
      .describe("Short query: the session's"),
    collection: z.enum(["auto", "map", "forest"]).default("auto")
      .describe("map: learned; forest: code"),
    "n_results": z.int().min(1).max(50).default(10).describe("Most files"),
    offset: z.int().min(0).max(10_000).default(0).describe("See truncated.next"),
    explain: z.boolean().default(false).describe("Parts of each score"),
    "max_bytes": maxBytesField(),
  });
}

type Input = z.output<ReturnType<typeof buildSchema>>;

/** Code by what it does. */
export const semanticSearchTool: ToolRow<Input> = {
  name: "semantic_search",
  title: "Search by meaning",
  description:
    "Ranks files by how well they answer words, a name or a message, each with its best chunk. score: 0 " +
    "to 1 within one question. Go on with fetch_chunk_detail (id).",
  needs: "meaning",
  hints: { readOnly: true, destructive: false, idempotent: true },
  buildSchema,
  command: {
    name: "search",
    summary: "Find code by what it does",
    usage: "QUESTION",
    parameters: ["query"],
    example: `code-intel search "where are expired sessions refreshed"`,
  },
  print: { list: "hits", toLine: formatHit },
  hub: { asks: "one" },
  example: { query: "where are expired sessions refreshed" },
  async run(input, { services, signal, maxBytes }) {
    const sessionTarget = await readTargetFeature(services);
    const found = await services.meaning.search({
      query: input.query,
      collection: input.collection,
      maxResults: input.n_results,
      offset: input.offset,
      explain: input.explain,
      ...(input.path === undefined ? {} : { path: input.path }),
      ...(input.target_feature === undefined ? {} : { targetFeature: input.target_feature }),
      ...(sessionTarget === undefined ? {} : { sessionTarget }),
    }, { signal });
    if (found.kind === "refused") return { reply: buildRefusal(found.problems) };
    const isAsked = isForAll(input) && input.collection !== "map";
    const other = isAsked
      ? await (await services.openOthers()).search(input.query, { signal })
      : NO_OTHERS;
    const answer = withOtherNotices(found, other);
    const { hits, total, collection, queryKind, target, confidence, source } = answer;
    const { freshness, notices } = answer;
    const page = buildPage(input.explain ? hits : keepTelling(hits), {
      maxBytes,
      tool: "semantic_search",
      arguments: listArguments(input),
      listKey: "hits",
      total,
      offset: input.offset,
      fields: {
        query: input.query,
        "query_kind": queryKind,
        ...(target === undefined ? {} : { "target_feature": target }),
        collection,
        confidence,
        source,
        freshness: formatFreshness(freshness),
        ...(notices === undefined ? {} : { notices }),
        ...toOtherFields(other),
      },
      shrink: ({ content: _content, contentLine: _line, more: _more, explain: _explain, ...hit }) =>
        hit,
    });
    return buildOutcome(page.reply, page.shown);
  },
};

/**
 * A hit of less than this share of the best score stands there because something has to be next: 96 % of the right files
 * have more. It is named without its text, since in small projects the right file may be among them.
 */
const LEAST_SHARE = 0.6;
/** Hits that are shown with their text; of those behind them the first lines say enough. */
const MOST_WHOLE = 3;
const FIRST_LINES = 3;

/** The hits, in shorter words the less likely they are. */
function keepTelling(hits: readonly SemanticHit[]): readonly SemanticHit[] {
  const best = hits[0]?.score ?? 0;
  return hits.map((hit, at) => {
    const { more: _more, content, contentLine: _line, ...short } = hit;
    if (hit.score < best * LEAST_SHARE) return short;
    if (at < MOST_WHOLE || content === undefined) return hit;
    const lines = content.split("\n");
    const text = lines.slice(0, FIRST_LINES).join("\n");
    return { ...hit, content: lines.length > FIRST_LINES ? `${text}\n…` : text };
  });
}

/** The slot `target_feature` of the session's frame; undefined outside a session. */
async function readTargetFeature({ sessions }: Services): Promise<string | undefined> {
  const active = await sessions.findActive();
  if (active?.kind !== "loaded") return undefined;
  return active.checkpoint.state.frame?.slots.target_feature?.value;
}

function listArguments(input: Input): Readonly<Record<string, unknown>> {
  const defaults = { collection: "auto", "n_results": 10, explain: false, offset: 0 };
  return Object.fromEntries(
    Object.entries(input).filter(([key, value]) =>
      value !== undefined && value !== (defaults as Readonly<Record<string, unknown>>)[key]
    ),
  );
}

function buildOutcome(reply: ToolOutcome["reply"], shown: readonly SemanticHit[]): ToolOutcome {
  const named = shown.filter(({ name, content }) => name !== undefined && content !== undefined);
  return {
    reply,
    shownFiles: shown.filter(({ content }) => content !== undefined).map(({ path }) => path),
    shownSymbols: [...new Set(named.flatMap(({ name }) => name ?? []))],
  };
}

function formatHit(entry: Fields, paint: Paint): readonly string[] {
  const { score, name, id, explain } = entry;
  const line = { path: entry["path"], line: entry["start_line"] };
  const place = toPlaceLine(line, paint, `${score} ${name ?? ""}`.trimEnd());
  return [
    `${place}  ${paint(String(id), "faint")}`,
    ...(explain === undefined ? [] : [`    ${JSON.stringify(explain)}`]),
  ];
}
