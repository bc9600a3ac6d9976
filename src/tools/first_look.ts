/**
 * What the server looks at by itself for the step that a reply opens, so that the agent need not
 * ask for it. Where rules are wanted, that is the documents. Once the frame of the request is
 * accepted, it is the code of the request. Once a plan is accepted, it is whether its files may be
 * written. Where the work is called complete, it is the changes without evidence. Where the review
 * begins, it is all changes. The step is taken already: where a look fails or takes too long, the
 * reply goes without it, and the agent asks.
 */
import { join } from "node:path";
import { readStampText } from "../base/files/file_stamp.ts";
import type { Problem } from "../base/problem.ts";
import type { OkReply, Reply } from "../base/reply.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { asRecord, isRecord } from "../base/text/json_record.ts";
import type { SessionState } from "../phase/state.ts";
import { PHASES } from "../phase/table/phases.ts";
import { searchDocuments } from "../question/document_look.ts";
import type { Services } from "../services/services_api.ts";
import type { CallRecord } from "../session/records.ts";
import type { Workflow } from "../workflow/workflow_api.ts";
import { CODE_LOOK, lookAtCode } from "./code_look.ts";
import { readNamedPaths } from "./session_route.ts";

/** The call whose reply is completed. */
export interface FirstLookInput {
  readonly services: Services;
  readonly signal: AbortSignal;
  /** The payloads of the call; none at the start. */
  readonly sent?: readonly unknown[];
}

/** The reply with the first look at what the next step is about. */
export async function addFirstAnswers(reply: Reply, input: FirstLookInput): Promise<Reply> {
  if (!isOpenStep(reply)) return reply;
  const { services, sent = [] } = input;
  try {
    if (reply.step === PHASES.PRE_COMMIT.step) {
      const { reviewed, seen } = await addReview(services.workflow, reply);
      return await addFacts(reviewed, seen, input);
    }
    if (reply.step === PHASES.READY_COMPLETE.step) {
      return await addUncovered(reply, input);
    }
    const told = reply.step === PHASES.DOCUMENT_RESEARCH.step
      ? await addDocuments(reply, input)
      : reply;
    if (isStart(reply)) return await addOrientation(told, input);
    if (reply.tasks_registered !== undefined) return await addCleared(reply, input);
    return sent.some(isFrame) ? await addOrientation(reply, input) : told;
  } catch {
    return reply;
  }
}

/**
 * The brief of a session that is at its review, with the files that were really changed in the payload. Nothing is
 * recorded: the reply that opened the review did, and who asks for the brief changes nothing.
 */
export async function addChangedFiles(reply: Reply, workflow: Workflow): Promise<Reply> {
  if (!isOpenStep(reply) || reply.step !== PHASES.PRE_COMMIT.step) return reply;
  try {
    const changes = listAllChanges(await workflow.reviewChanges(BRIEF_REVIEW));
    if (changes === null) return reply;
    const { required_tools: _required, ...rest } = reply;
    return { ...rest, expected_payload: keepAll(reply, changes) };
  } catch {
    return reply;
  }
}

/** False where the session waits for the user, is parked or over. */
function isOpenStep(reply: Reply): reply is OkReply {
  return reply.ok && reply.user_escalation === undefined && reply.session_complete === undefined &&
    reply.status === undefined;
}

/** The reply to `start_session` alone says what kind of work was asked for. */
function isStart(reply: OkReply): boolean {
  return reply.intent !== undefined && reply.status === undefined;
}

function isFrame(payload: unknown): boolean {
  return isRecord(payload) && ("slots" in payload || "target_symbols" in payload);
}

async function addOrientation<Sent extends Reply>(
  reply: Sent,
  input: FirstLookInput,
): Promise<Sent> {
  const { services } = input;
  if (await readIndexed(services) !== "whole") return reply;
  const look = await lookAtCode(input);
  if (look === null) return reply;
  const { shown, total, durationMs } = look;
  await recordLook(services.workflow, CODE_LOOK, { total, durationMs });
  return { ...reply, orientation: shown };
}

/** Shows where documents speak of the request; the search is on record as the server's, so that its result can be confirmed. */
async function addDocuments(
  reply: OkReply,
  { services, signal }: FirstLookInput,
): Promise<OkReply> {
  const { explorer, sessions, workflow } = services;
  const active = await sessions.findActive();
  if (active?.kind !== "loaded") return reply;
  const startedAt = performance.now();
  const { documents, within } = await services.listDocuments();
  const late = AbortSignal.timeout(LIMITS.answerPartMs.value);
  const look = await searchDocuments(active.checkpoint.state.query, {
    explorer,
    signal: AbortSignal.any([signal, late]),
    within,
  });
  const isSilent = look === null || look.lines.length === 0 && look.guides.length === 0;
  if (look === null || documents.length === 0 && isSilent) return reply;
  await recordLook(workflow, "search_text", {
    total: look.lines.length,
    durationMs: Math.round(performance.now() - startedAt),
  });
  const { lines, unnamed } = look;
  const guides = look.guides.filter((path) => !lines.some((line) => line.startsWith(`${path}:`)));
  return {
    ...reply,
    documents: lines.length === 0 ? "No document speaks of the request." : lines,
    ...(guides.length === 0 ? {} : { guides }),
    ...(unnamed.length === 0 ? {} : { no_document_names: unnamed }),
  };
}

/**
 * Without a whole index each question would read files, for which a step does not wait. Files that were changed just now
 * are waited for: a step begins behind the work on them.
 */
async function readIndexed({ index }: Services): Promise<"whole" | "late" | "empty"> {
  const { files, pendingTotal } = await index.ensureFresh({
    budgetMs: LIMITS.answerPartMs.value,
  });
  return files === 0 ? "empty" : pendingTotal === 0 ? "whole" : "late";
}

const MOST_CLEARED = 20;

/**
 * Asks the write guard about the files that the plan names, as the agent would; what it refuses is left to the agent.
 * Where something was written before the plan the agent asks itself: a report of old work shows by the missing call.
 */
async function addCleared(
  reply: OkReply,
  { services: { sessions, workflow, parts: { projectRoot } } }: FirstLookInput,
): Promise<Reply> {
  const active = await sessions.findActive();
  if (active?.kind !== "loaded") return reply;
  const { tasks, verification, workspace } = active.checkpoint.state;
  const isBegun = verification !== null || workspace.planTree !== workspace.baselineTree ||
    tasks.some(({ status }) => status === "completed");
  if (isBegun) return reply;
  const named = listPlanned(tasks, projectRoot).slice(0, MOST_CLEARED);
  const { cleared, problems } = await clearPaths(workflow, named);
  const refused = problems.length === 0
    ? {}
    : { not_cleared: problems.map(({ message }) => message) };
  if (cleared.length === 0) return { ...reply, ...refused };
  await recordLook(workflow, "check_write_target", { files: cleared });
  const { required_tools: _required, ...rest } = reply;
  return { ...rest, may_write: cleared, ...refused };
}

/** Clears files that were just added to the explored ones and that the plan names, so that nobody asks for them again. */
export async function addClearedAfter(
  reply: Reply,
  { services: { sessions, workflow, parts: { projectRoot } } }: Pick<FirstLookInput, "services">,
): Promise<Reply> {
  const active = reply.ok ? await sessions.findActive() : null;
  if (active?.kind !== "loaded") return reply;
  const { stage, tasks } = active.checkpoint.state;
  const { added = [] } = reply as { readonly added?: readonly string[] };
  const planned = new Set(stage === "READY_IMPL" ? listPlanned(tasks, projectRoot) : []);
  const named = added.filter((path) => planned.has(path)).slice(0, MOST_CLEARED);
  const { cleared } = await clearPaths(workflow, named);
  if (cleared.length === 0) return reply;
  await recordLook(workflow, "check_write_target", { files: cleared });
  const isAll = cleared.length === added.length;
  return { ...reply, may_write: cleared, ...(isAll ? { call: "submit_phase" } : {}) };
}

/** The paths that the items of the plan name. */
function listPlanned(tasks: SessionState["tasks"], projectRoot: string): readonly string[] {
  const items = tasks.flatMap(({ checklist }) => checklist.map(({ item }) => item));
  const isThere = (path: string) => readStampText(join(projectRoot, path)) !== null;
  return [...new Set(items.flatMap((item) => readNamedPaths(item, isThere)))];
}

/** What the server looked at for its reply is on record as its own: no agent can claim to have called it. */
async function recordLook(
  workflow: Workflow,
  tool: string,
  rest: Partial<Pick<CallRecord, "total" | "files" | "durationMs">>,
): Promise<void> {
  const admission = await workflow.admit(tool, null);
  const nothing = { argsHash: "", subject: "", total: null, files: [], symbols: [], durationMs: 0 };
  await workflow.record(admission, { ...nothing, ...rest, tool, ok: true, via: "server" });
}

/** The paths that may be written: all or none are cleared by one call, so a second one leaves the refused ones out. */
async function clearPaths(
  workflow: Workflow,
  paths: readonly string[],
): Promise<{ readonly cleared: readonly string[]; readonly problems: readonly Problem[] }> {
  if (paths.length === 0) return { cleared: [], problems: [] };
  const first = await workflow.checkWriteTarget({ paths, allowNewFiles: true });
  if (first.ok) return { cleared: paths, problems: [] };
  const { problems = [] } = first;
  const refused = new Set(problems.map(({ path }) => path));
  const rest = paths.filter((path) => !refused.has(path));
  if (rest.length === 0 || rest.length === paths.length) return { cleared: [], problems };
  const second = await workflow.checkWriteTarget({ paths: rest, allowNewFiles: true });
  return { cleared: second.ok ? rest : [], problems };
}

const MOST_UNCOVERED = 10;

/**
 * Names the changes without evidence of a task: work beyond the plan, or none of the session's. It
 * also names tests that expect a text which the changes took away.
 */
async function addUncovered(
  reply: OkReply,
  { services: { impact, workflow }, signal }: FirstLookInput,
): Promise<Reply> {
  let seen: string | undefined;
  const review = await workflow.reviewChanges({
    maxBytes: LIMITS.answerBytes.value,
    isBrief: true,
    onSeen: (tree) => seen = tree,
  });
  const { changes = [] } = review as {
    readonly changes?: readonly {
      readonly path: string;
      readonly not_in_evidence?: readonly string[];
    }[];
  };
  const places = changes.flatMap(({ path, not_in_evidence = [] }) =>
    not_in_evidence.map((lines) => `${path}:${lines}`)
  );
  const late = AbortSignal.timeout(LIMITS.answerPartMs.value);
  const pinned = await impact.describePinned(changes.map(({ path }) => path), {
    signal: AbortSignal.any([signal, late]),
    ...(seen === undefined ? {} : { seen }),
  }).catch(() => []);
  return {
    ...reply,
    ...(places.length === 0 ? {} : { not_in_evidence: places.slice(0, MOST_UNCOVERED) }),
    ...(pinned.length === 0 ? {} : { tests_expect_removed: pinned }),
  };
}

const NOT_LOOKED_UP = "not looked up: the index was not ready in time";

/** Adds to the changes what the index says of them: what the review of step 18 would have to look up. */
async function addFacts(
  reply: Reply,
  seen: string | null,
  { services, signal }: FirstLookInput,
): Promise<Reply> {
  const { changes } = reply as { readonly changes?: readonly { readonly path: string }[] };
  const indexed = changes === undefined ? "empty" : await readIndexed(services);
  if (changes === undefined || indexed === "empty") return reply;
  if (indexed === "late") return { ...reply, diff_facts: NOT_LOOKED_UP };
  const late = AbortSignal.timeout(LIMITS.answerPartMs.value);
  const facts = await services.impact.describeDiff(changes.map(({ path }) => path), {
    signal: AbortSignal.any([signal, late]),
    ...(seen === null ? {} : { seen }),
  }).catch(() => null);
  if (facts === null) return { ...reply, diff_facts: NOT_LOOKED_UP };
  return { ...reply, diff_facts: Object.keys(facts).length === 0 ? "none" : facts };
}

/**
 * Adds the changes to the reply that opens the review. Where it names every file, it stands for the call that the step
 * requires; else the agent has to make it.
 *
 * @returns with `seen`, the working tree that was compared; null where none was.
 */
async function addReview(
  workflow: Workflow,
  reply: OkReply,
): Promise<{ readonly reviewed: Reply; readonly seen: string | null }> {
  let seen: string | null = null;
  const review = await workflow.reviewChanges({ ...BRIEF_REVIEW, onSeen: (tree) => seen = tree });
  const changes = listAllChanges(review);
  if (changes === null) return { reviewed: reply, seen };
  const files = changes.map(({ path }) => path);
  await recordLook(workflow, "review_changes", { total: changes.length, files });
  const { required_tools: _required, ...rest } = reply;
  const reviewed = {
    ...rest,
    expected_payload: keepAll(reply, changes),
    ...Object.fromEntries(
      Object.entries(review).filter(([field]) => !(field in reply) && field !== "instruction"),
    ),
  };
  return { reviewed, seen };
}

const BRIEF_REVIEW = { maxBytes: LIMITS.answerBytes.value, isBrief: true } as const;

type ShownChanges = readonly { readonly path: string }[];

/** The changes of a review that names all of them; else null. */
function listAllChanges(review: Reply): ShownChanges | null {
  const { changes } = review as { readonly changes?: ShownChanges };
  const isWhole = review.ok && changes !== undefined && changes.length === review.total_changes;
  return isWhole ? changes : null;
}

/** The payload of the review that keeps every file. */
function keepAll(reply: OkReply, changes: ShownChanges): Readonly<Record<string, unknown>> {
  const kept = changes.map(({ path }) => ({ path, decision: "keep" }));
  return { ...asRecord(reply.expected_payload), reviewed_files: kept };
}
