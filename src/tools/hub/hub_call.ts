/**
 * What happens in a call of a hub's tool: arguments, the repositories that are asked, their replies side by side within
 * one budget. There is no session: nothing is admitted, recorded or enforced.
 */
import { LIMITS } from "../../base/settings/limits.ts";
import type { Logger } from "../../base/logger.ts";
import { NO_ASKER } from "../../base/asker.ts";
import { toProblem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import { toRefusal } from "../../base/reply.ts";
import { toSuggestion } from "../../base/text/nearest.ts";
import type { HubCode, HubRepository, HubStore } from "../../hub/mod.ts";
import type { Services } from "../../services/mod.ts";
import { readArguments } from "../arguments.ts";
import { toFailure } from "../failure.ts";
import { fitReply } from "../fit.ts";
import { toListedSchema } from "../input_schema.ts";
import type { ToolRow } from "../tool.ts";
import type { ListedTool } from "../tools.ts";
import type { HubRow } from "./hub_rows.ts";
import { NO_OTHERS } from "../other_repositories.ts";
import { HUB_ROWS, LIST_REPOSITORIES } from "./hub_rows.ts";

/** What a hub answers with. */
export interface HubParts {
  readonly store: HubStore;
  readonly code: HubCode;
  readonly logger: Logger;
}

/** Repositories whose answers fit into one reply. */
const MOST_REPOSITORIES = 10;
const MOST_NAMES = 50;
/** What stands round the answers of the repositories. */
const FRAME_BYTES = 1_024;

/** The tools of a hub as clients are shown them. */
export function listHubTools(): readonly ListedTool[] {
  return [LIST_REPOSITORIES, ...HUB_ROWS].map((row) => ({
    name: row.name,
    title: row.title,
    description: row.description,
    inputSchema: toListedSchema(toReadable(row)),
    annotations: { readOnlyHint: true, openWorldHint: false },
  }));
}

/** Runs a tool and always answers: refusals, failures and bugs are replies too. */
export async function callHubTool(
  name: string,
  raw: unknown,
  parts: HubParts & { readonly signal: AbortSignal },
): Promise<Reply> {
  try {
    const { store } = parts;
    if (name === LIST_REPOSITORIES.name) return listRepositories(store);
    const row = HUB_ROWS.find((one) => one.name === name);
    if (row === undefined) return refuseName(name);
    const read = readArguments(toReadable(row), raw);
    if (read.kind === "refused") {
      return { ...toRefusal(read.problems, "invalid_arguments"), example: row.example };
    }
    return await store.hold(() => ask(row, read.input as HubInput, parts));
  } catch (failure) {
    return toFailure(failure, parts.logger);
  }
}

interface HubInput extends Readonly<Record<string, unknown>> {
  readonly repository?: string;
  readonly symbol?: string;
  readonly max_bytes?: number;
}

async function ask(
  row: HubRow,
  { repository, ...input }: HubInput,
  parts: HubParts & { readonly signal: AbortSignal },
): Promise<Reply> {
  const { store } = parts;
  const maxBytes = input.max_bytes ?? LIMITS.replyDefaultBytes.value;
  const all = store.list();
  const picked = pick(row, all, { repository, symbol: input.symbol, store });
  if ("problem" in picked) return toRefusal([picked.problem]);
  const { asked, others } = picked;
  const each = Math.floor((maxBytes - FRAME_BYTES) / Math.max(1, asked.length));
  const replies: { readonly repository: string }[] = [];
  let total = 0;
  for (const one of asked) {
    parts.signal.throwIfAborted();
    const reply = await askOne(row.row, input, { ...parts, repository: one, maxBytes: each });
    // A refusal of the only repository is that of the call.
    if (!reply.ok && asked.length === 1) return { ...reply, repository: one.name };
    total += Number((reply as Readonly<Record<string, unknown>>)["total"] ?? 0);
    replies.push({ repository: one.name, ...toIndexed(one), ...reply });
  }
  const unindexed = all.filter(({ commit }) => commit === null).map(({ name }) => name);
  return fitReply({
    ok: true,
    total,
    repositories: replies,
    ...(others.length === 0 ? {} : { also_in: others.slice(0, MOST_NAMES) }),
    ...(unindexed.length === 0 ? {} : {
      notices: [`Not indexed yet, so not asked: ${unindexed.slice(0, MOST_NAMES).join(", ")}.`],
    }),
  }, maxBytes);
}

async function askOne(
  row: ToolRow,
  input: Readonly<Record<string, unknown>>,
  { code, repository, signal, maxBytes }: HubParts & {
    readonly repository: HubRepository;
    readonly signal: AbortSignal;
    readonly maxBytes: number;
  },
): Promise<Reply> {
  const read = readArguments(row, { ...input, max_bytes: undefined });
  if (read.kind === "refused") return toRefusal(read.problems, "invalid_arguments");
  const { explorer, meaning } = code.of(repository.name);
  const sessions = { findActive: () => Promise.resolve(null) };
  const none = () => Promise.resolve(NO_OTHERS);
  const workspace = {
    findDefinitions: none,
    findReferences: none,
    search: none,
    searchLines: none,
  };
  // The rows of a hub ask these alone: a hub has neither a folder nor a session.
  const services = { explorer, meaning, sessions, workspace } as unknown as Services;
  const progress = () => {};
  const context = { services, signal, maxBytes, via: "mcp", asker: NO_ASKER, progress } as const;
  return (await row.run(read.input, context)).reply;
}

function toIndexed({ commit, indexedAt, job }: HubRepository) {
  const failure = job?.failure ?? null;
  return {
    commit: commit?.slice(0, 12),
    indexed_at: indexedAt,
    ...(failure === null ? {} : { refresh_failed: failure }),
  };
}

function pick(
  row: HubRow,
  all: readonly HubRepository[],
  { repository, symbol, store }: {
    readonly repository: string | undefined;
    readonly symbol: string | undefined;
    readonly store: HubStore;
  },
) {
  const ready = all.filter(({ commit }) => commit !== null);
  const names = ready.map(({ name }) => name);
  if (repository !== undefined) {
    const one = all.find(({ name }) => name === repository);
    if (one?.commit !== undefined && one.commit !== null) return { asked: [one], others: [] };
    const message = one === undefined
      ? `The hub has no repository "${repository}"`
      : `The repository "${repository}" is not indexed yet`;
    const hint = one === undefined
      ? `Ask list_repositories for those that it has.${toSuggestion(repository, names)}`
      : one.job?.failure ?? "Ask again when an indexer of the hub has done its job.";
    return { problem: toProblem("unknown_repository", message, { at: "repository", hint }) };
  }
  if (row.asks !== "one" && symbol !== undefined) {
    const isDefined = row.asks === "defining";
    const holding = new Set(store.listHaving(toPlainName(symbol), { isDefined }));
    const having = ready.filter(({ name }) => holding.has(name));
    // Where none has the very name, a single repository may still have one like it.
    const found = having.length === 0 && ready.length === 1 ? ready : having;
    return {
      asked: found.slice(0, MOST_REPOSITORIES),
      others: found.slice(MOST_REPOSITORIES).map(({ name }) => name),
    };
  }
  if (ready.length === 1) return { asked: ready, others: [] };
  const message = "Several repositories can be meant";
  const hint = `Name one in \`repository\`: ${names.slice(0, MOST_NAMES).join(", ")}.`;
  return { problem: toProblem("repository_needed", message, { at: "repository", hint }) };
}

/** `save` of `User.save` and `ns::save`. */
function toPlainName(symbol: string): string {
  return symbol.split(/::|[.#\\/]/).at(-1) ?? symbol;
}

function listRepositories(store: HubStore): Reply {
  const repositories = store.list().map((one) => ({
    name: one.name,
    ...(one.branch === null ? {} : { branch: one.branch }),
    files: one.files,
    ...toIndexed(one),
    ...(one.job === null ? {} : { job: one.job.isLeased ? "under way" : "waits" }),
  }));
  const reply = { ok: true as const, total: repositories.length, repositories };
  return fitReply(reply, LIMITS.replyMaxBytes.value);
}

function refuseName(name: string): Reply {
  const names = [LIST_REPOSITORIES.name, ...HUB_ROWS.map((row) => row.name)];
  const hint = `The tools are ${names.join(", ")}.${toSuggestion(name, names)}`;
  const shown = JSON.stringify(name.slice(0, 80));
  return toRefusal([toProblem("unknown_tool", `There is no tool ${shown}`, { hint })]);
}

/** The part of a row that arguments and listings are read by. */
function toReadable(row: HubRow | typeof LIST_REPOSITORIES): ToolRow {
  return READABLE.get(row) ?? remember(row);
}

const READABLE = new Map<HubRow | typeof LIST_REPOSITORIES, ToolRow>();

function remember(row: HubRow | typeof LIST_REPOSITORIES): ToolRow {
  const run = () => Promise.reject(new Error("a row of a hub is run for each repository"));
  const made: ToolRow = { ...row, needs: null, run };
  READABLE.set(row, made);
  return made;
}
