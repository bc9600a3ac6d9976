/** The parameters that tools share, and how the answers of the exploration tools become replies. */
import * as z from "zod";
import type {
  Definition,
  Found,
  Freshness,
  PageInput,
  QuestionRefused,
} from "../explore/explorer.ts";
import type { OtherAnswer } from "../services/other_repositories.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { OkReply, RefusedReply } from "../base/reply.ts";
import { buildRefusal, refuse } from "../base/reply.ts";
import type { ToolContext, ToolOutcome } from "./tool.ts";
import { omitUndefined } from "../base/text/json_record.ts";
import type { JoinOptions, PageOptions } from "./budget.ts";
import { buildPage, toWire } from "./budget.ts";

/** Whether other repositories are asked too: only for the first page of a question that names no folder of the project. */
export function isForAll(
  input: { readonly path?: string | undefined; readonly offset: number },
): boolean {
  return input.path === undefined && input.offset === 0;
}

/** The field of a reply, on the wire; none where they say nothing. */
export function toOtherFields({ others }: OtherAnswer): Readonly<Record<string, unknown>> {
  if (others.length === 0) return {};
  const rows = others.map(({ places, ...row }) => places.length === 0 ? row : { ...row, places });
  return { "other_repositories": rows };
}

/** An answer with what has to be said about the repositories that were asked. */
export function withOtherNotices<Answer extends Pick<Found, "notices">>(
  answer: Answer,
  { notices }: OtherAnswer,
): Answer {
  return notices.length === 0
    ? answer
    : { ...answer, notices: [...answer.notices ?? [], ...notices] };
}

/** Longest path that any operating system takes. */
const MAX_PATH_CHARS = 4096;

/** A field for a path of the project. Entries of a list need no description of their own. */
export function pathField(description?: string) {
  const path = z.string().min(1).max(MAX_PATH_CHARS);
  return description === undefined ? path : path.describe(description);
}

/** A field for free text up to the common bound. */
export function textField(description: string) {
  return z.string().max(LIMITS.textFieldChars.value)
    .regex(/\S/, "is blank").describe(description);
}

/**
 * A field for the project's folder, which older clients send; only this server's project is
 * accepted.
 */
export function repoPathField() {
  return z.string().max(MAX_PATH_CHARS).describe('Only "."').optional();
}

/** A field for the most bytes of the reply. */
export function maxBytesField() {
  return z.int().min(LIMITS.replyMinBytes.value).max(LIMITS.replyMaxBytes.value)
    .describe("Most bytes").optional();
}

/** The budget of a reply of which an agent uses the beginning; who asks for a budget, or reads at a terminal, gets all. */
export function toUsualBytes(
  { maxBytes, via }: ToolContext,
  asked: { readonly max_bytes?: number | undefined },
  usualBytes: number,
): number {
  const isUsual = via === "mcp" && asked.max_bytes === undefined;
  return isUsual ? Math.min(maxBytes, usualBytes) : maxBytes;
}

/** Refuses a `repo_path` that is another folder than the project of this server. */
export function checkRepoPath(
  repoPath: string | undefined,
  { services }: ToolContext,
  at = "repo_path",
): RefusedReply | undefined {
  if (repoPath === undefined || repoPath === "." || repoPath === "./") return undefined;
  if (repoPath.replace(/\/+$/, "") === services.parts.projectRoot) return undefined;
  return refuse("invalid_value", `\`${at}\` is another folder than the project of this server`, {
    at,
    hint: `Leave \`${at}\` out or send "."; another project needs a server of its own.`,
  });
}

/**
 * A field of one line of text. Longer text, or text with a NUL, is refused before anything runs.
 */
export function lineField(maxChars: number) {
  return z.string().min(1).max(maxChars).refine((text) => !text.includes("\0"), {
    error: "holds a NUL character",
  });
}

/** The fields for `path`, paging, hidden and ignored files. */
export function listPageFields() {
  return {
    path: lineField(4096).optional().describe("Folder or file"),
    "max_results": z.number().int().min(1).max(LIMITS.searchResults.value).default(100)
      .describe("At most"),
    offset: z.number().int().min(0).max(10_000_000).default(0)
      .describe("To skip"),
    "include_hidden": z.boolean().default(false).describe("Also dot files"),
    "include_ignored": z.boolean().default(false).describe("Also ignored files"),
    "max_bytes": maxBytesField(),
  };
}

/** A field for the name of a language in the table of languages. */
export function languageField() {
  return lineField(60).optional().describe("Such as python");
}

/** The values of {@link listPageFields}. */
export interface PageFields {
  readonly path?: string | undefined;
  readonly max_results: number;
  readonly offset: number;
  readonly include_hidden: boolean;
  readonly include_ignored: boolean;
  readonly max_bytes?: number | undefined;
}

/** The shared parameters in the form that the explorer takes. */
export function buildPageInput(input: PageFields): PageInput {
  return {
    maxResults: input.max_results,
    offset: input.offset,
    includeHidden: input.include_hidden,
    includeIgnored: input.include_ignored,
    ...(input.path === undefined ? {} : { path: input.path }),
  };
}

/** A definition for a reply: its end line is left out where it equals its first line. */
export function shortenDefinition({ endLine, ...definition }: Definition): Definition {
  const isLonger = endLine !== undefined && endLine !== definition.line;
  return { ...definition, ...(isLonger ? { endLine } : {}) };
}

/** What turns an answer of the explorer into a tool's outcome. */
export interface OutcomeOptions<Answer extends Found, Item> {
  readonly tool: string;
  /** Input of the call, after it was checked. */
  readonly input: { readonly offset: number };
  readonly listKey: string;
  readonly items: (answer: Answer) => readonly Item[];
  readonly fields?: (answer: Answer) => Readonly<Record<string, unknown>>;
  readonly shrink?: (item: Item, roomBytes: number) => Item;
  /**
   * Fields (named as in replies) that stand once beside the list when all shown items have the same
   * value.
   */
  readonly shared?: readonly string[];
  /** How an item is written, and which written items stand as one; see {@link PageOptions}. */
  readonly write?: (item: Item) => unknown;
  readonly join?: JoinOptions;
  /** The file that a shown item discloses, for the records. */
  readonly files: (item: Item) => string | undefined;
  readonly symbols?: (item: Item) => string;
  /** Name of the symbol that an item defines or uses, for the records. */
  readonly defines?: (item: Item) => string | undefined;
  readonly refers?: (item: Item) => string | undefined;
  /** Name of the symbol of whose definition an item is a proven use. */
  readonly proven?: (item: Item) => string | undefined;
}

/** Turns an answer of the explorer into a reply within the budget of the call. */
export function buildOutcome<Answer extends Found, Item>(
  answer: Answer | QuestionRefused,
  context: ToolContext,
  options: OutcomeOptions<Answer, Item>,
): ToolOutcome {
  if (answer.kind === "refused") return { reply: buildRefusal(answer.problems) };
  const found = answer as Answer;
  const page: PageOptions<Item> = {
    maxBytes: context.maxBytes,
    tool: options.tool,
    arguments: withoutDefaults(options.input),
    listKey: options.listKey,
    total: found.total,
    offset: options.input.offset,
    fields: {
      ...(toWire(options.fields?.(found) ?? {}) as Record<string, unknown>),
      source: found.source,
      freshness: formatFreshness(found.freshness),
      ...(found.notices === undefined ? {} : { notices: found.notices }),
    },
    ...omitUndefined({ shrink: options.shrink, write: options.write, join: options.join }),
  };
  const { reply, shown } = buildPage(options.items(found), page);
  const symbols = options.symbols;
  return {
    reply: shareFields(reply, options),
    shownFiles: [...new Set(shown.flatMap((item) => options.files(item) ?? []))],
    shownSymbols: symbols === undefined ? [] : [...new Set(shown.map((item) => symbols(item)))],
    ...collectNames("defines", shown, options),
    ...collectNames("refers", shown, options),
    ...collectNames("proven", shown, options),
  };
}

/**
 * The part of the index's state that an answer needs to show: the vectors are mentioned only while
 * they are being made.
 */
export function formatFreshness(freshness: Freshness): unknown {
  if (freshness === "live") return freshness;
  const { pending, pendingFiles, ready, embedded, vectorsLeft } = freshness;
  return toWire({
    pending,
    ...(pendingFiles === undefined ? {} : { pendingFiles }),
    ready,
    ...(vectorsLeft === 0 || embedded === 0 ? {} : { vectorsLeft }),
  });
}

/**
 * Moves a field that all shown items share out of the list, unless the item or the reply has
 * another value for it.
 */
function shareFields(
  reply: OkReply,
  { listKey, shared = [] }: Pick<OutcomeOptions<never, never>, "listKey" | "shared">,
): OkReply {
  const items = reply[listKey] as readonly Readonly<Record<string, unknown>>[];
  const common = shared.flatMap((key) => {
    const values = new Set(items.flatMap((item) => Object.hasOwn(item, key) ? [item[key]] : []));
    const [value] = values;
    const isFree = reply[key] === undefined || reply[key] === value;
    return values.size === 1 && isFree ? [[key, value] as const] : [];
  });
  if (common.length === 0) return reply;
  const names = common.map(([key]) => key);
  const rest = items.map((item) =>
    Object.fromEntries(Object.entries(item).filter(([key]) => !names.includes(key)))
  );
  return { ...reply, ...Object.fromEntries(common), [listKey]: rest };
}

/** The symbols that the shown items define or use, by file, up to the bound of a record. */
function collectNames<Answer extends Found, Item>(
  side: "defines" | "refers" | "proven",
  shown: readonly Item[],
  options: OutcomeOptions<Answer, Item>,
): Partial<Pick<ToolOutcome, "defines" | "refers" | "proven">> {
  const byFile = new Map<string, Set<string>>();
  let count = 0;
  for (const item of shown) {
    const file = options.files(item);
    const name = options[side]?.(item);
    if (file === undefined || name === undefined) continue;
    if (count >= LIMITS.recordNames.value) break;
    const names = byFile.get(file) ?? new Set();
    if (!names.has(name)) count++;
    byFile.set(file, names.add(name));
  }
  if (count === 0) return {};
  return { [side]: Object.fromEntries([...byFile].map(([file, names]) => [file, [...names]])) };
}

const DEFAULTS: Readonly<Record<string, unknown>> = {
  "max_results": 100,
  offset: 0,
  "include_hidden": false,
  "include_ignored": false,
  "case_sensitive": true,
  fixed: false,
  "whole_word": false,
  "context_lines": 0,
  "exact_match": false,
  "include_text": false,
  "show_plan": false,
};

// The arguments that the caller gave, without those filled in by default, for the next call.
function withoutDefaults(input: OutcomeOptions<never, never>["input"]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).filter(([key, value]) => value !== undefined && value !== DEFAULTS[key]),
  );
}
