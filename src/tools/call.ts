/**
 * What happens in every call, from the protocol and from the command line: find the tool, check
 * arguments and permission, run, record, fit into the budget. A failing tool never ends the server.
 */
import { formatCount } from "../base/text/plain_text.ts";
import { omitUndefined } from "../base/text/json_record.ts";
import type { UserPrompt } from "../base/asker.ts";
import { NO_ASKER } from "../base/asker.ts";
import { CodeIntelError } from "../base/errors.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { Logger } from "../base/logger.ts";
import type { RefusedReply, Reply } from "../base/reply.ts";
import { refuse } from "../base/reply.ts";
import { buildRefusal, withNotices } from "../base/reply.ts";
import type { CallRecord, SearchCall } from "../session/records.ts";
import { hashArguments } from "../session/records.ts";
import type { Services } from "../services/services_api.ts";
import type { Admission } from "../workflow/workflow_api.ts";
import { readArguments } from "./arguments.ts";
import { addCoverage, findNestedNotices, fitReply, isAnswer, toFailure } from "./fit.ts";
import { formatSuggestion } from "../base/text/nearest.ts";
import { presentCall, SAME_CALL, say } from "../base/text/words.ts";
import type { ToolContext, ToolOutcome, ToolRow } from "./tool.ts";
import { findTool, TOOLS } from "./tools.ts";

/** What a call runs with. */
export interface CallOptions {
  /** Builds the services; called only when a call needs them. */
  readonly loadServices: () => Promise<Services>;
  /** Ends the call early. */
  readonly signal: AbortSignal;
  /** Who calls (a client or the command line), for the records. */
  readonly via: CallRecord["via"];
  /** Receives the stacks of bugs. */
  readonly logger: Logger;
  /** Budget of a call without `max_bytes`, default 16 KB. */
  readonly maxBytes?: number;
  /** Asks the user; by default nobody can be asked. */
  readonly asker?: UserPrompt;
  /** Receives how far the work is. */
  readonly progress?: ToolContext["progress"];
}

/** Runs the tool `name` and always answers: refusals, failures and bugs are replies too. */
export async function callTool(name: string, raw: unknown, options: CallOptions): Promise<Reply> {
  const row = findTool(name);
  if (row === undefined) return await withCount(refuseName(name), options);
  const read = readArguments(row, raw);
  if (read.kind === "refused") {
    const count = read.problems.length;
    const message = say`${formatCount(count, "problem")} in the arguments of ${
      presentCall(row.name)
    }`;
    const refusal = buildRefusal(read.problems, "invalid_arguments", message);
    const whole = await withCount({ ...refusal, example: row.example }, options);
    return fitReply(whole, LIMITS.replyDefaultBytes.value);
  }
  const maxBytes = chooseMaxBytes(read.input, options);
  try {
    return fitReply(
      await raceAbort(runTool(row, read.input, maxBytes, options), options),
      maxBytes,
    );
  } catch (failure) {
    return toFailure(failure, options.logger);
  }
}

async function runTool(
  row: ToolRow,
  input: unknown,
  maxBytes: number,
  options: CallOptions,
): Promise<Reply> {
  const { signal, asker = NO_ASKER, progress = () => {} } = options;
  const services = await options.loadServices();
  // Background indexing pauses while a reply is made.
  using _held = services.index.hold();
  const rest = { services, signal, asker, progress, via: options.via };
  const context: ToolContext = { ...rest, maxBytes: maxBytes - COUNT_BYTES };
  if (row.isSessionDoor === true) {
    return await withCount((await row.run(input, { ...rest, maxBytes })).reply, options);
  }
  const admission = await services.workflow.admit(row.name, row.needs);
  if (admission.kind === "refused") {
    return nameTools(await services.workflow.tellNotices(admission.reply));
  }
  const startedAt = performance.now();
  const outcome = await row.run(input, context).catch((failure: unknown): ToolOutcome => ({
    reply: toFailure(failure, options.logger),
  }));
  const durationMs = Math.round(performance.now() - startedAt);
  const index = services.takeIndexNotices();
  const covered = await addNestedNotices(outcome, { input, index, services });
  const reply = await record(row, input, { admission, outcome: covered, durationMs, options });
  // The permission check read the session's file; notices about that file are reported with this reply.
  const told = await services.workflow.tellNotices(reply, readSessionId(admission));
  return addCount(isAnswer(outcome.reply) ? told : withNotices(told, index), admission);
}

/** An answer about code, with how much it shows; what says it is no reason to fail. */
async function addNestedNotices(
  outcome: ToolOutcome,
  { input, index, services }: {
    readonly input: unknown;
    /** What the index has to say: an answer without files that it left out is not complete. */
    readonly index: readonly string[];
    readonly services: Services;
  },
): Promise<ToolOutcome> {
  if (!isAnswer(outcome.reply)) return outcome;
  const nested = await findNestedNotices(outcome.reply, input, services);
  const reply = withNotices(outcome.reply, [...nested, ...index]);
  const branch = await services.readBranch().catch(() => null);
  return { ...outcome, reply: addCoverage(reply, branch) };
}

function readSessionId(admission: Admission): string | null {
  return admission.kind === "allowed" ? admission.sessionId : null;
}

/** Room for {@link addCount} and {@link addCoverage} in the budget of a reply. */
const COUNT_BYTES = 128;

/**
 * Adds the compaction count to a reply of a session: an agent that lost its memory is told by it.
 */
function addCount(reply: Reply, admission: Admission): Reply {
  if ("compaction_count" in reply || admission.kind === "refused") return reply;
  const { compactionCount } = admission;
  return compactionCount === null ? reply : { ...reply, compaction_count: compactionCount };
}

/**
 * Adds the count to a reply that no permission check came before. Where the count cannot be read
 * the reply stays as it is.
 */
async function withCount(reply: Reply, { loadServices }: CallOptions): Promise<Reply> {
  if ("compaction_count" in reply) return reply;
  try {
    const { workflow } = await loadServices();
    const counted = addCount(reply, await workflow.admit("", null));
    return await workflow.tellNotices(counted);
  } catch {
    return reply;
  }
}

/**
 * Adds the names of the allowed tools to the reply of a blocked call; a stage itself knows only
 * capabilities.
 */
function nameTools(reply: Reply): Reply {
  const granted = reply.allowed;
  if (!Array.isArray(granted)) return reply;
  const allowed = TOOLS.filter(({ needs }) => needs !== null && granted.includes(needs))
    .map(({ name }) => name);
  return { ...reply, allowed };
}

interface FinishedCall {
  readonly admission: Admission;
  readonly outcome: ToolOutcome;
  readonly durationMs: number;
  readonly options: CallOptions;
}

/**
 * Records a finished call. Where the record cannot be written the call was answered all the same,
 * and the reply says so.
 */
async function record(row: ToolRow, input: unknown, call: FinishedCall): Promise<Reply> {
  const { admission, outcome, durationMs, options } = call;
  const { reply, shownFiles = [], shownSymbols = [], defines, refers, proven, impact } = outcome;
  const ran = outcome.ran?.map(buildAskedCall);
  if (readSessionId(admission) === null) return reply;
  try {
    await (await options.loadServices()).workflow.record(admission, {
      tool: row.name,
      argsHash: hashArguments(input),
      subject: readSubject(row, input),
      ok: reply.ok,
      total: readTotal(reply),
      files: shownFiles,
      symbols: shownSymbols,
      ...omitUndefined({ defines, refers, proven, impact, ran }),
      durationMs,
      via: options.via,
    });
    return reply;
  } catch (failure) {
    const { message } = toFailure(failure, options.logger);
    return { ...reply, notice: `This call is not on record: ${message}` };
  }
}

function refuseName(name: string): RefusedReply {
  const names = TOOLS.map((row) => row.name);
  const shown = JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
  const hint = `The tools are ${names.join(", ")}.${formatSuggestion(name, names)}`;
  return refuse("unknown_tool", `There is no tool ${shown}`, { hint });
}

function chooseMaxBytes(input: unknown, options: CallOptions): number {
  const asked = (input as { readonly max_bytes?: unknown }).max_bytes;
  if (typeof asked === "number") return asked;
  return options.maxBytes ?? LIMITS.replyDefaultBytes.value;
}

/** Answers a cancelled call at once; its work ends by the same signal. */
async function raceAbort(work: Promise<Reply>, { signal }: CallOptions): Promise<Reply> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () =>
    reject(
      new CodeIntelError("cancelled", "The call was cancelled", {
        hint: say`Nothing was lost; ${SAME_CALL} again when its answer is wanted.`,
      }),
    );
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    work.catch(() => {});
  }
}

function readTotal(reply: Reply): number | null {
  const total = (reply as Readonly<Record<string, unknown>>)["total"];
  return typeof total === "number" ? total : null;
}

/** A search that ran within a call, as the records keep it. */
function buildAskedCall(
  { tool, params, total }: NonNullable<ToolOutcome["ran"]>[number],
): SearchCall {
  const row = findTool(tool);
  return { tool, subject: row === undefined ? "" : readSubject(row, params), total };
}

/**
 * The main argument of a call for the records: the argument that stands first in the row's example.
 */
function readSubject(row: ToolRow, input: unknown): string {
  const main = Object.keys(row.example)[0];
  const value = main === undefined ? "" : (input as Readonly<Record<string, unknown>>)[main];
  const text = typeof value === "string" ? value : JSON.stringify(value ?? "");
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
