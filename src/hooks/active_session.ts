/**
 * A glance at the sessions of a project, for callers that have to answer at once: only whether there is
 * one, and where it stands. It checks no seal and no form; who acts on a session opens it properly.
 */
import { join } from "node:path";
import { readControlText, readControlTextIfUsable } from "../base/control_file.ts";
import { withFile } from "../base/open_file.ts";
import { checkOwnFile, listOwnFolder } from "../base/own_folder.ts";
import { lockWithin } from "../base/try_lock.ts";

/** What a glance tells. */
export interface SessionGlance {
  readonly id: string;
  readonly status: "active" | "parked" | "ended" | "unreadable";
  /** Counts the saves of the session; 0 where it cannot be read. */
  readonly revision: number;
  /** The stored state as it is; empty where it cannot be read. */
  readonly state: Readonly<Record<string, unknown>>;
}

/** What a glance at the records tells. */
export interface RecordsGlance {
  /** Conversations of clients that called tools of the session. */
  readonly conversations: ReadonlySet<string>;
  /** Files that the client's own reading tool showed, relative to the worktree. */
  readonly shown: ReadonlySet<string>;
  /** Revision at which the agent was last kept from ending. */
  readonly stoppedAt: number;
}

const FILE = /^(session_\d{8}_\d{6}_[0-9a-f]{4})\.json$/;
const STATUSES: readonly string[] = ["active", "parked", "ended"];

/** Every session that is not archived, oldest first; an empty list where there is no folder. */
export async function glanceSessions(codeIntelDir: string): Promise<readonly SessionGlance[]> {
  const folder = join(codeIntelDir, "sessions");
  const entries = await listOwnFolder(folder).catch(() => []);
  const names = entries.map(({ name }) => name).filter((name) => FILE.test(name)).sort();
  return names.map((name) => glance(join(folder, name), name));
}

/** The active session, where there is one; an unreadable one counts, because it may be it. */
export async function glanceActive(codeIntelDir: string): Promise<SessionGlance | null> {
  const all = await glanceSessions(codeIntelDir);
  return all.findLast(({ status }) => status === "active") ??
    all.findLast(({ status }) => status === "unreadable") ?? null;
}

function glance(path: string, name: string): SessionGlance {
  const id = name.slice(0, -".json".length);
  try {
    const { state, revision = 0 } = JSON.parse(readControlText(path, "checkpoint") ?? "");
    if (STATUSES.includes(state?.status)) return { id, status: state.status, revision, state };
  } catch {
    // It is told as unreadable: who opens it properly says why.
  }
  return { id, status: "unreadable", revision: 0, state: {} };
}

/** Looks through the records of a session, without their seals. */
export function glanceRecords(codeIntelDir: string, id: string): RecordsGlance {
  const path = join(codeIntelDir, "sessions", `${id}.records.jsonl`);
  const text = readControlTextIfUsable(path, "records") ?? "";
  const conversations = new Set<string>();
  const shown = new Set<string>();
  let stoppedAt = -1;
  for (const line of text.split("\n")) {
    // Most lines are calls; only the others are worth parsing.
    if (!/^\{"kind":"(?:hook|explored)"/.test(line)) continue;
    const record = parse(line);
    if (record?.kind === "explored" && record.via === "hook") {
      for (const shownPath of record.paths ?? []) shown.add(shownPath);
    }
    if (record?.kind !== "hook") continue;
    if (record.event === "bind") conversations.add(record.conversation);
    if (record.event === "stop") stoppedAt = record.revision;
  }
  return { conversations, shown, stoppedAt };
}

/** Whether verification commands of a session run now, in whatever process. */
export async function isVerifying(codeIntelDir: string, id: string): Promise<boolean> {
  const folder = join(codeIntelDir, "sessions");
  const names = await listOwnFolder(folder).catch(() => []);
  for (const { name } of names) {
    if (!name.startsWith(`${id}.verify.`) || !name.endsWith(".alive")) continue;
    try {
      // A run holds the lock of its mark; a mark that can be locked was left by a killed process.
      const options = { read: true, write: true };
      checkOwnFile(join(folder, name));
      const isLeft = await withFile(join(folder, name), options, (file) => lockWithin(file, 0));
      if (!isLeft) return true;
    } catch {
      // The run has just ended.
    }
  }
  return false;
}

// deno-lint-ignore no-explicit-any -- a glance: what does not fit is passed over
function parse(line: string): any {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
