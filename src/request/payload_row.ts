/** Takes the payloads of one call apart: those of further steps, reports of several tasks, what is put round a payload. Pure. */
import type { JsonRecord } from "../base/text/json_record.ts";
import { asRecord, isRecord, parseJson } from "../base/text/json_record.ts";
import { findSameName } from "../base/text/near_key.ts";
import { PAYLOADS } from "../phase/payload/payloads.ts";
import { STAGES } from "../phase/table/phases.ts";

/** The payload of the present step, and those of the steps that are expected to follow. */
export interface Sent {
  readonly data: unknown;
  readonly then?: readonly unknown[];
}

/** The payloads in order: reports of several tasks are one each. */
export function listPayloads({ data, then = [] }: Sent): readonly unknown[] {
  const sent = [data, ...then].map((one) => nameFields(unwrapPayload(one, STAGES)))
    .flatMap(splitFollowing);
  const [first, ...others] = sent.flatMap(splitTaskReports);
  return [first, ...others.map((payload) => fillRepeatedFields(payload, asRecord(first)))];
}

/** The fields of all payloads, and those of the one payload of the default way. */
const NAMES: readonly string[] = [
  ...new Set(Object.values(PAYLOADS).flatMap(({ shape }) => Object.keys(shape))),
  ...["task_id", "done", "then", "change_resolution", "compaction_count", "summary", "tools_used"],
];

/** A payload with its fields in the letters of the forms: `commitMessage` is `commit_message`. */
function nameFields(data: unknown): unknown {
  if (!isRecord(data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      const meant = findSameName(name, NAMES) ?? name;
      return [Object.hasOwn(data, meant) ? name : meant, value];
    }),
  );
}

/**
 * A payload behind the first one. It may leave out what it would only repeat: the count of the
 * conversation, and tools (no call comes between the two). A missing summary is its reason, or else
 * the summary of the first.
 */
function fillRepeatedFields(payload: unknown, first: JsonRecord): unknown {
  if (!isRecord(payload)) return payload;
  const { compaction_count: count, summary } = first;
  return {
    ...(count === undefined ? {} : { compaction_count: count }),
    summary: payload.reason ?? summary,
    ...payload,
  };
}

/** A payload that brings the next ones in itself (`then`), as one payload each. */
function splitFollowing(data: unknown): readonly unknown[] {
  if (!isRecord(data) || !Array.isArray(data.then)) return [data];
  const { then, ...first } = data;
  return [first, ...then];
}

/** A payload with the reports of several tasks (`tasks` with a `task_id` each) as one payload a task. */
function splitTaskReports(data: unknown): readonly unknown[] {
  if (!isRecord(data) || !Array.isArray(data.tasks) || data.tasks.length === 0) return [data];
  const { tasks, ...rest } = data;
  const reports = tasks as readonly unknown[];
  const isReport = reports.every((task) => isRecord(task) && typeof task.task_id === "string");
  return isReport ? reports.map((task) => ({ ...rest, ...task as object })) : [data];
}

/** What some put round a payload. */
const WRAPPERS: readonly string[] = ["data", "payload", "arguments", "expected_payload"];

/** The payload without what was put round it: JSON in a text, a list of one, its name as the only key. */
export function unwrapPayload(sent: unknown, names: readonly string[]): unknown {
  const value = typeof sent === "string" ? parseJson(sent) ?? sent : sent;
  if (Array.isArray(value) && value.length === 1) return unwrapPayload(value[0], names);
  if (!isRecord(value)) return value;
  const rows = Object.entries(value).filter(([key]) => key !== "compaction_count");
  const [key = "", inner] = rows[0] ?? [];
  const isWrapper = rows.length === 1 && [...WRAPPERS, ...names].includes(key);
  return isWrapper && (isRecord(inner) || typeof inner === "string" && isRecord(parseJson(inner)))
    ? { ...value, [key]: undefined, ...unwrapPayload(inner, names) as JsonRecord }
    : value;
}
