/** What is recorded of a session beside its state: calls, explored files, notes, hooks. Pure. */
import { createHash } from "node:crypto";
import { formatCanonicalJson, isRecord } from "../base/text/json_record.ts";
import type { ImpactFinding } from "../phase/facts.ts";
import type { SessionState } from "../phase/state.ts";
import type { Stage } from "../phase/table/phases.ts";
import { PHASES } from "../phase/table/phases.ts";

/** A short hash of the arguments of a call, as its record keeps them. */
export function hashArguments(input: unknown): string {
  return createHash("sha256").update(formatCanonicalJson(input)).digest("hex").slice(0, 16);
}

/** Names of symbols by file. */
export type NamesByFile = Readonly<Record<string, readonly string[]>>;

/** A search by its tool and its main argument, whether it was a call or ran within one. */
export interface SearchCall {
  readonly tool: string;
  readonly subject: string;
  /** Number of results; null where it is not known. */
  readonly total: number | null;
}

/** One tool call. */
export interface CallRecord {
  readonly tool: string;
  /** First 16 hex digits of the SHA-256 of the arguments as canonical JSON. */
  readonly argsHash: string;
  /** The main argument of the call, for people, cut to 120 characters. */
  readonly subject: string;
  readonly ok: boolean;
  /** Number of results; null where the reply has no `total`. */
  readonly total: number | null;
  readonly files: readonly string[];
  readonly symbols: readonly string[];
  /** Symbols whose definition was shown, by file; absent where none was, and in older records. */
  readonly defines?: NamesByFile;
  /** Symbols of which a use was shown, by file. */
  readonly refers?: NamesByFile;
  /** Symbols of which a use was shown that is proven to lead to their definition, by file of the use. */
  readonly proven?: NamesByFile;
  /** The searches that the call ran and that were answered; absent where it is one search itself. */
  readonly ran?: readonly SearchCall[];
  /** What an analysis of impact found; absent for other calls. */
  readonly impact?: ImpactFinding;
  readonly durationMs: number;
  /** Who called: a client over the protocol, the command line, a client's edit hook, or the server for a reply of its own. */
  readonly via: "mcp" | "cli" | "hook" | "server";
}

/** A call with the step and the stage entry in which it was made. */
export interface CallEntry extends CallRecord {
  readonly kind: "call";
  /** ISO time. */
  readonly at: string;
  readonly visit: number;
  readonly stage: Stage;
}

/** Files that became explored by something other than a recorded call. */
export interface ExploredEntry {
  readonly kind: "explored";
  readonly at: string;
  readonly visit: number;
  readonly paths: readonly string[];
  /** What showed or named them, such as `payload`, `add_explored_files`, `whole_folder` or `hook`. */
  readonly via: string;
}

/** Something that the report should tell: a lock taken over, a damaged file, an override. */
export interface NoteEntry {
  readonly kind: "note";
  readonly at: string;
  readonly code: string;
  readonly text: string;
  /**
   * False for a notice that no reply has reported yet; the same note without this field says that one
   * did.
   */
  readonly told?: boolean;
}

/** Codes of the notes that only a report tells: a refused submission, a red step 15, and a question to the user. */
export const REPORT_NOTES = {
  refused: "submission_refused",
  failed: "verification_failed",
  asked: "person_asked",
} as const;

/** What a hook of a client saw or did. */
export interface HookEntry {
  readonly kind: "hook";
  readonly at: string;
  /** Name of the client, such as `claude`. */
  readonly client: string;
  /**
   * `bind`: the conversation called a tool of the session; `stop`: the conversation was kept from
   * ending.
   */
  readonly event: "bind" | "stop";
  /** The client's id of the conversation. */
  readonly conversation: string;
  /** Revision of the checkpoint at that time. */
  readonly revision: number;
}

/** A line of `<id>.records.jsonl`. */
export type SessionRecord = CallEntry | ExploredEntry | NoteEntry | HookEntry;

/** What an explored folder is recorded by where it was named to be worked on with everything below it. */
export const WHOLE_FOLDER = "whole_folder";

/** The folders that were named to be worked on with everything below them. */
export function listWholeFolders(records: readonly SessionRecord[]): ReadonlySet<string> {
  return new Set(
    records.flatMap((one) => one.kind === "explored" && one.via === WHOLE_FOLDER ? one.paths : []),
  );
}

/** Every explored file once, in the order in which it was first seen. */
export function listExploredFiles(records: readonly SessionRecord[]): readonly string[] {
  const files = new Set<string>();
  for (const record of records) {
    if (record.kind === "call" && record.ok) { for (const file of record.files) files.add(file); }
    if (record.kind === "explored") { for (const path of record.paths) files.add(path); }
  }
  return [...files];
}

/** The calls of one stage entry, oldest first. */
export function keepStageCalls(
  records: readonly SessionRecord[],
  visit: number,
): readonly CallEntry[] {
  return records.filter((record): record is CallEntry =>
    record.kind === "call" && record.visit === visit
  );
}

/** A call with the searches that ran within it: to the session each of them is answered. */
export function listSearchCalls(call: CallEntry): readonly SearchCall[] {
  const toPlain = ({ tool, subject, total }: SearchCall) => ({ tool, subject, total });
  return [toPlain(call), ...(call.ran ?? []).map(toPlain)];
}

/** Steps whose calls show what the agent understood before the plan. */
const EXPLORING: readonly Stage[] = [
  "QUERY_FRAME",
  "EXPLORATION",
  "Q1",
  "SEMANTIC",
  "Q2",
  "VERIFICATION",
  "Q3",
  "IMPACT_ANALYSIS",
];

/**
 * The calls of the exploring steps in all their entries: after a way back, what was seen before still
 * counts, because the results of these steps are kept.
 */
export function keepExploringCalls(records: readonly SessionRecord[]): readonly CallEntry[] {
  return records.filter((record): record is CallEntry =>
    record.kind === "call" && record.ok && EXPLORING.includes(record.stage)
  );
}

/**
 * Answered calls of earlier steps that still count: none of before the last plan, and at step 5 none of before it was left
 * the last time.
 */
export function listEarlierCalls(
  records: readonly SessionRecord[],
  { path, stage, visit }: Pick<SessionState, "path" | "stage" | "visit">,
): readonly CallEntry[] {
  const since = path.findLast((entry) => PHASES[entry.stage].step >= PHASES.READY_PLAN.step)?.at;
  const own = records.filter((record): record is CallEntry =>
    record.kind === "call" && record.ok && record.via !== "server" && record.visit < visit &&
    record.at > (since ?? "") && PHASES[record.stage].step < PHASES.READY_PLAN.step
  );
  const last = own.findLast((record) => record.stage === "EXPLORATION")?.visit ?? 0;
  return stage === "EXPLORATION" ? own.filter((record) => record.visit > last) : own;
}

/** Reads a line of the file; undefined for a line that is no record. */
export function parseRecord(value: unknown): SessionRecord | undefined {
  if (!isRecord(value) || typeof value["at"] !== "string") return undefined;
  const checks = typeof value["kind"] === "string" && Object.hasOwn(FIELDS, value["kind"])
    ? FIELDS[value["kind"] as SessionRecord["kind"]]
    : undefined;
  if (checks === undefined) return undefined;
  const isWhole = Object.entries(checks).every(([key, holds]) => holds(value[key]));
  return isWhole ? value as unknown as SessionRecord : undefined;
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number";
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);

const isNames: Check = (value) =>
  value === undefined || (isRecord(value) && Object.values(value).every(isTexts));

const isRan: Check = (value) =>
  value === undefined ||
  (Array.isArray(value) &&
    value.every((one) =>
      isRecord(one) && isText(one["tool"]) && isText(one["subject"]) &&
      (one["total"] === null || isNumber(one["total"]))
    ));

const isGroups: Check = (value) =>
  value === undefined ||
  (Array.isArray(value) &&
    value.every((one) => isRecord(one) && isText(one["name"]) && isTexts(one["files"])));

const isFinding: Check = (value) =>
  value === undefined ||
  (isRecord(value) &&
    [value["targets"], value["mustVerify"], value["shouldVerify"]].every(isTexts) &&
    isGroups(value["groups"]));

const FIELDS: Readonly<Record<SessionRecord["kind"], Readonly<Record<string, Check>>>> = {
  call: {
    visit: isNumber,
    stage: isText,
    tool: isText,
    argsHash: isText,
    subject: isText,
    ok: (value) => typeof value === "boolean",
    total: (value) => value === null || isNumber(value),
    files: isTexts,
    symbols: isTexts,
    defines: isNames,
    refers: isNames,
    proven: isNames,
    ran: isRan,
    impact: isFinding,
    durationMs: isNumber,
    via: isText,
  },
  explored: { visit: isNumber, paths: isTexts, via: isText },
  note: {
    code: isText,
    text: isText,
    told: (value) => value === undefined || typeof value === "boolean",
  },
  hook: { client: isText, event: isText, conversation: isText, revision: isNumber },
};
