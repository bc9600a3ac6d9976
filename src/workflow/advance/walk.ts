/**
 * The way that the server walks by itself, to a payload of a later step or with the one payload of the default way. It
 * makes the payloads of the steps between from what it saw. Each is judged like one that was sent.
 */
import type { Problem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import type { JsonRecord } from "../../base/text/json_record.ts";
import { asRecord } from "../../base/text/json_record.ts";
import type { ChangeResolution } from "../../phase/payload/payloads.ts";
import { listClauses } from "../../phase/contract/clauses.ts";
import { formatSaid, readRetreat } from "../../phase/draft_work.ts";
import { draftPayload, foreseeClauses } from "../../phase/drafts.ts";
import { findMeant, isForAnyStage, isLazy } from "../../phase/lazy.ts";
import type { SessionState } from "../../phase/state.ts";
import { buildOkReply } from "../context/replies.ts";
import type { Sessions } from "../context/sessions.ts";
import { gatherDraft } from "../look/draft_facts.ts";
import type { PreviousObservation } from "./progress.ts";

/** What is submitted next for a payload. */
export type NextPayload =
  /** The payload itself, or what it means. */
  | { readonly kind: "sent"; readonly data?: JsonRecord }
  /** A payload that the server made; the one that was sent comes behind it. */
  | {
    readonly kind: "draft";
    readonly data: JsonRecord;
    readonly draft: { readonly sent: JsonRecord | null };
    /** What the reply tells of it. */
    readonly fields: JsonRecord;
  }
  /** The facts do not settle the step. */
  | { readonly kind: "ask"; readonly reply: Reply };

/** The fields that steer a call and belong to no step. */
const CALL_FIELDS: readonly string[] = ["change_resolution", "compaction_count", "tools_used"];

/** A report of tests holds for the files as they were, so it is not taken from an earlier payload. */
const ONCE: readonly string[] = ["passed", "verifier_used", "failed_tasks", "details"];

/** Chooses what is submitted next: the payload, or a draft of the present step on the way to it. */
export async function chooseNext(
  sessions: Sessions,
  data: unknown,
  lookBefore: PreviousObservation | null,
): Promise<NextPayload> {
  const payload = asRecord(data);
  const active = await sessions.openActive();
  if (active.kind !== "open" || active.session.state.pending !== null) return { kind: "sent" };
  const meant = findMeant(active.session.state, payload);
  if (meant.kind === "present") return { kind: "sent" };
  const opened = await sessions.enter(active.session.id);
  if (opened.kind !== "open") return { kind: "sent" };
  const { state } = opened.session;
  const clauses = state.frame === null ? foreseeClauses(state.query) : listClauses(state);
  const retreat = state.sent === undefined ? readRetreat(payload, clauses) : null;
  if (retreat !== null) return { kind: "sent", data: { abandon: true, reason: retreat } };
  const sent = meant.kind === "whole"
    ? { ...keepOwn(state.sent ?? {}, ONCE), ...keepOwn(payload, CALL_FIELDS) }
    : null;
  const tree = lookBefore?.looked?.tree ?? null;
  const { facts, fields } = await gatherDraft({ ...opened, sent: sent ?? {}, tree });
  const wanted = Object.keys(opened.contract.contract[state.stage].expectedPayload);
  const draft = draftPayload(state, { ...facts, wanted });
  if (draft.kind === "ask") {
    const reply = await buildOkReply({ ...opened, state, fields: { asked: draft.ask, ...fields } });
    return { kind: "ask", reply };
  }
  const { change_resolution: rows, compaction_count: count } = payload;
  const beside = {
    ...(rows === undefined ? {} : { change_resolution: rows }),
    ...(count === undefined ? {} : { compaction_count: count }),
  };
  return { kind: "draft", data: { ...draft.data, ...beside }, draft: { sent }, fields };
}

function keepOwn(payload: JsonRecord, without: readonly string[]): JsonRecord {
  return Object.fromEntries(Object.entries(payload).filter(([field]) => !without.includes(field)));
}

/** The payload that goes on with the default way after an answer to what was asked; null where nothing does. */
export function chooseRest(state: SessionState | null, data: unknown): JsonRecord | null {
  if (isForAnyStage(asRecord(data))) return null;
  const isOpen = state?.status === "active" && state.stage !== "SESSION_COMPLETE";
  const { sent } = state ?? {};
  return isOpen && sent !== undefined && isLazy(state)
    ? { done: {}, ...keepOwn(sent, ONCE) }
    : null;
}

/**
 * Resolutions for changes that the agent names as its work in the one payload, so that it is not asked for them: the
 * guard judges them as it would before the write. Null where something else stands in the way.
 */
export function authoriseNamed(
  reply: Reply,
  state: SessionState | null,
  data: unknown,
): readonly ChangeResolution[] | null {
  const payload = asRecord(data);
  const problems = (reply["problems"] ?? []) as readonly Problem[];
  const total = Number(reply["unsettled_total"] ?? 0);
  const isOthers = problems.some(({ code }) => code !== "unauthorized_change");
  if (state === null || problems.length === 0 || isOthers || total !== problems.length) return null;
  if (payload["change_resolution"] !== undefined) return null;
  const said = formatSaid({ done: payload["done"] });
  const named = problems.flatMap(({ path }) =>
    path !== undefined && said.includes(path.slice(path.lastIndexOf("/") + 1)) ? [path] : []
  );
  if (named.length < problems.length) return null;
  return named.map((path) => ({
    path,
    action: "authorize" as const,
    reason: "named as its work in the one payload",
  }));
}
