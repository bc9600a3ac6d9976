/**
 * What happens in a call of a hub's tool: arguments, the repositories that are asked, their replies side by side within
 * one budget. There is no session: nothing is admitted, recorded or enforced.
 */
import { LIMITS } from "../../../base/settings/limits.ts";
import type { Logger } from "../../../base/logger.ts";
import { NO_ASKER } from "../../../base/asker.ts";
import type { Reply } from "../../../base/reply.ts";
import { buildRefusal, refuse } from "../../../base/reply.ts";
import { measureJson } from "../../../base/text/json_record.ts";
import { formatSuggestion } from "../../../base/text/nearest.ts";
import type { AnalysisState, HubRepository, HubStore } from "../hub_store.ts";
import { findFailure, toAnalysisState } from "../hub_store.ts";
import type { HubCode } from "../hub_code.ts";
import { NO_RUNS } from "../../../index/seen_runs.ts";
import type { Services } from "../../../services/services_api.ts";
import { readArguments } from "../../../tools/arguments.ts";
import { fitReply, toFailure } from "../../../tools/fit.ts";
import { listSchema } from "../../../tools/input_schema.ts";
import type { ToolRow } from "../../../tools/tool.ts";
import type { ListedTool } from "../../../tools/tools.ts";
import type { HubInput } from "./hub_pick.ts";
import { MOST_NAMES, MOST_REPOSITORIES, pickRepositories } from "./hub_pick.ts";
import type { HubRow } from "./hub_rows.ts";
import type { OtherRepositories } from "../../../services/other_repositories.ts";
import { NO_REPOSITORIES } from "../../../services/other_repositories.ts";
import { HUB_ROWS, LIST_REPOSITORIES } from "./hub_rows.ts";

/** What a hub answers with. */
export interface HubParts {
  readonly store: HubStore;
  readonly code: HubCode;
  readonly logger: Logger;
}

/** What stands round the answers of the repositories. */
const FRAME_BYTES = 1_024;

/** The tools of a hub as clients are shown them. */
export function listHubTools(): readonly ListedTool[] {
  return [LIST_REPOSITORIES, ...HUB_ROWS].map((row) => ({
    name: row.name,
    title: row.title,
    description: row.description,
    inputSchema: listSchema(chooseReadable(row)),
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
    const read = readArguments(chooseReadable(row), raw);
    if (read.kind === "refused") {
      return { ...buildRefusal(read.problems, "invalid_arguments"), example: row.example };
    }
    return await store.hold(() => ask(row, read.input as HubInput, parts));
  } catch (failure) {
    return toFailure(failure, parts.logger);
  }
}

type CallParts = HubParts & { readonly signal: AbortSignal };

async function ask(row: HubRow, given: HubInput, parts: CallParts): Promise<Reply> {
  const { store } = parts;
  const { repository: _, ...input } = given;
  const maxBytes = input.max_bytes ?? LIMITS.replyDefaultBytes.value;
  const picked = pickRepositories(row, given, store);
  if ("problem" in picked) return buildRefusal([picked.problem]);
  const { asked, others } = picked;
  const ready = store.list().filter(({ commit }) => commit !== null);
  const isEach = row.asks !== "holding" || given.repository !== undefined || ready.length === 1;
  const question = { row: row.row, input, roomBytes: maxBytes - FRAME_BYTES };
  const answered = isEach
    ? await askAll(question, asked, parts)
    : await askUntilFull(question, asked, parts);
  if ("refused" in answered) return answered.refused;
  const { replies, unasked } = answered;
  const unindexed = store.list().filter(({ commit }) => commit === null).map(({ name }) => name);
  const notices = [
    ...(row.notice === undefined ? [] : [row.notice]),
    ...(row.asks === "changing" && store.budget.isUsedUp
      ? ["Not all documents and pages were searched for what changes: a call reads so many bytes."]
      : []),
    ...listAgeNotices(asked),
    ...(unindexed.length === 0
      ? []
      : [`Not indexed yet, so not asked: ${formatNames(unindexed)}.`]),
    ...(unasked.length === 0 ? [] : [
      `Not searched, because a reply has room for ${MOST_REPOSITORIES} and a call for so many bytes: ${
        formatNames(unasked)
      }.`,
    ]),
  ];
  return fitReply({
    ok: true,
    total: replies.reduce((sum, reply) => sum + Number(reply["total"] ?? 0), 0),
    repositories: replies,
    ...(others.length === 0 ? {} : { also_in: others.slice(0, MOST_NAMES) }),
    ...(notices.length === 0 ? {} : { notices }),
  }, maxBytes);
}

/** What another version of the analyser read can lack what this one would find, or call it otherwise. */
function listAgeNotices(asked: readonly HubRepository[]): readonly string[] {
  const named = (state: AnalysisState) =>
    asked.filter((one) => toAnalysisState(one) === state).map(({ name }) => name);
  const [older, newer] = [named("older"), named("newer")];
  return [
    ...(older.length === 0 ? [] : [
      `Analysed by an older version of code-intel than this server, so that something may be missing: ${
        formatNames(older)
      }. \`code-intel-hub hub refresh\` with the present version reads them anew.`,
    ]),
    ...(newer.length === 0 ? [] : [
      `Analysed by a newer version of code-intel than this server, which should be updated: ${
        formatNames(newer)
      }.`,
    ]),
  ];
}

interface Question {
  readonly row: ToolRow;
  readonly input: HubInput;
  /** Bytes for all answers together. */
  readonly roomBytes: number;
}

type Answered =
  | {
    readonly replies: readonly Readonly<Record<string, unknown>>[];
    /** Names of those that could have an answer and were not asked. */
    readonly unasked: readonly string[];
  }
  /** The refusal of the whole call. */
  | { readonly refused: Reply };

/** Asks each of some repositories, which share the room. */
async function askAll(
  { row, input, roomBytes }: Question,
  asked: readonly HubRepository[],
  parts: CallParts,
): Promise<Answered> {
  const maxBytes = Math.floor(roomBytes / Math.max(1, asked.length));
  const replies = [];
  for (const repository of asked) {
    parts.signal.throwIfAborted();
    const reply = await askOne(row, input, { ...parts, repository, maxBytes });
    // A refusal of the only repository is that of the call.
    if (!reply.ok && asked.length === 1) {
      return { refused: { ...reply, repository: repository.name } };
    }
    replies.push(formatAnswer(repository, reply));
  }
  return { replies, unasked: [] };
}

/** Asks one repository after the other, and keeps those with an answer, until the reply or the bound of the call is full. */
async function askUntilFull(
  question: Question,
  asked: readonly HubRepository[],
  parts: CallParts,
): Promise<Answered> {
  const { row, input, roomBytes: maxBytes } = question;
  const { store, signal } = parts;
  const found: { readonly repository: HubRepository; readonly reply: Reply }[] = [];
  const refused: Reply[] = [];
  let at = 0;
  for (; at < asked.length; at++) {
    const repository = asked[at];
    if (repository === undefined || found.length === MOST_REPOSITORIES || store.budget.isUsedUp) {
      break;
    }
    signal.throwIfAborted();
    const reply = await askOne(row, input, { ...parts, repository, maxBytes });
    // A folder of one repository need not be in the others; every other fault is one of the call.
    if (!reply.ok && reply.error !== "path_not_found") return { refused: reply };
    if (!reply.ok) refused.push(reply);
    else if (Number(reply["total"]) > 0 || store.budget.isUsedUp) {
      found.push({ repository, reply });
    }
  }
  const [first] = refused;
  if (first !== undefined && refused.length === at) return { refused: first };
  const unasked = asked.slice(at).map(({ name }) => name);
  const replies = found.map(({ repository, reply }) => formatAnswer(repository, reply));
  if (measureJson(replies) <= maxBytes) return { replies, unasked };
  // What was searched is remembered, so that the same answer comes once more, in its part of the room.
  const again = await askAll(question, found.map(({ repository }) => repository), parts);
  return "refused" in again ? again : { ...again, unasked };
}

function formatAnswer(repository: HubRepository, reply: Reply): Readonly<Record<string, unknown>> {
  const told = { repository: repository.name, ...describeIndex(repository), ...reply };
  // What is read now is the state of the commit, not that of a disk.
  const { freshness, ...rest } = told as Readonly<Record<string, unknown>>;
  return freshness === "live" ? rest : told;
}

function formatNames(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The rows of a hub ask these alone: a hub has neither a folder nor a session. */
type AskedServices =
  & Pick<Services, "explorer" | "meaning" | "impact" | "openOthers" | "openRuns">
  & {
    readonly sessions: Pick<Services["sessions"], "findActive">;
  };

async function askOne(
  row: ToolRow,
  input: HubInput,
  { code, repository, signal, maxBytes }: CallParts & {
    readonly repository: HubRepository;
    readonly maxBytes: number;
  },
): Promise<Reply> {
  const read = readArguments(row, input);
  if (read.kind === "refused") return buildRefusal(read.problems, "invalid_arguments");
  const { explorer, meaning, impact, users } = code.of(repository.name);
  const others: OtherRepositories = { ...NO_REPOSITORIES, findUsers: (seeds) => users.find(seeds) };
  const asked: AskedServices = {
    explorer,
    meaning,
    impact,
    sessions: { findActive: () => Promise.resolve(null) },
    openOthers: () => Promise.resolve(others),
    openRuns: () => Promise.resolve(NO_RUNS),
  };
  const services = asked as Services;
  const progress = () => {};
  const context = { services, signal, maxBytes, via: "mcp", asker: NO_ASKER, progress } as const;
  return withRepository((await row.run(read.input, context)).reply, repository);
}

/** The call for the rest of an answer names the repository that it is of. */
function withRepository(reply: Reply, { name }: HubRepository): Reply {
  const { truncated } = reply as { readonly truncated?: { readonly next?: NextCall } };
  if (truncated?.next === undefined) return reply;
  const next = {
    ...truncated.next,
    arguments: { repository: name, ...truncated.next.arguments },
  };
  return { ...reply, truncated: { ...truncated, next } };
}

interface NextCall {
  readonly arguments: Readonly<Record<string, unknown>>;
}

function describeIndex({ commit, indexedAt, job, problem, variant }: HubRepository) {
  const failure = findFailure({ job, problem });
  const analysis = toAnalysisState({ commit, variant });
  return {
    commit: commit?.slice(0, 12),
    indexed_at: indexedAt,
    ...(analysis === "present" ? {} : { analysed_by: `${analysis} version` }),
    ...(failure === null ? {} : { refresh_failed: failure }),
  };
}

function listRepositories(store: HubStore): Reply {
  const repositories = store.list().map((one) => ({
    name: one.name,
    ...(one.branch === null ? {} : { branch: one.branch }),
    files: one.files,
    ...describeIndex(one),
    ...(one.job === null ? {} : { job: one.job.isLeased ? "under way" : "waits" }),
  }));
  const reply = { ok: true as const, total: repositories.length, repositories };
  return fitReply(reply, LIMITS.replyMaxBytes.value);
}

function refuseName(name: string): Reply {
  const names = [LIST_REPOSITORIES.name, ...HUB_ROWS.map((row) => row.name)];
  const hint = `The tools are ${names.join(", ")}.${formatSuggestion(name, names)}`;
  const shown = JSON.stringify(name.slice(0, 80));
  return refuse("unknown_tool", `There is no tool ${shown}`, { hint });
}

/** The part of a row that arguments and listings are read by. */
function chooseReadable(row: HubRow | typeof LIST_REPOSITORIES): ToolRow {
  return READABLE.get(row) ?? remember(row);
}

const READABLE = new Map<HubRow | typeof LIST_REPOSITORIES, ToolRow>();

function remember(row: HubRow | typeof LIST_REPOSITORIES): ToolRow {
  const run = () => Promise.reject(new Error("a row of a hub is run for each repository"));
  const command = { name: row.name, summary: row.title };
  const made: ToolRow = { ...row, needs: null, command, run };
  READABLE.set(row, made);
  return made;
}
