/**
 * Looks at the sessions of a project quickly, for callers that have to answer at once: is there a
 * session, and where does it stand? Neither seal nor form of the files is checked; a caller that
 * acts on a session opens it with the session store.
 */
import { join } from "node:path";
import { readControlText, readControlTextIfUsable } from "../base/files/control_file.ts";
import { withFile } from "../base/files/open_file.ts";
import { checkOwnFile, listOwnFolder } from "../base/files/own_folder.ts";
import { lockWithin } from "../base/processes/lock_file.ts";

/** What the quick look at a session's file tells. */
export interface SessionPreview {
  readonly id: string;
  readonly status: "active" | "parked" | "ended" | "unreadable";
  /** Number of saves of the session; 0 where the file cannot be read. */
  readonly revision: number;
  /** The stored state, unchecked; empty where the file cannot be read. */
  readonly state: Readonly<Record<string, unknown>>;
}

/** What the quick look at a session's records tells. */
export interface RecordsPreview {
  /** Conversations of clients that called tools of the session. */
  readonly conversations: ReadonlySet<string>;
  /** Files that the client's own reading tool showed, relative to the worktree. */
  readonly shown: ReadonlySet<string>;
  /** Revision at which the agent was last kept from ending. */
  readonly stoppedAt: number;
}

const FILE = /^(session_\d{8}_\d{6}_[0-9a-f]{4})\.json$/;
const STATUSES: readonly string[] = ["active", "parked", "ended"];

/** Every session that is not archived, oldest first; empty where the folder does not exist. */
export async function previewSessions(codeIntelDir: string): Promise<readonly SessionPreview[]> {
  const folder = join(codeIntelDir, "sessions");
  const entries = await listOwnFolder(folder).catch(() => []);
  const names = entries.map(({ name }) => name).filter((name) => FILE.test(name)).sort();
  return names.map((name) => previewSession(join(folder, name), name));
}

/**
 * The active session; null where there is none. An unreadable session counts as active, because it
 * may be.
 */
export async function previewActive(codeIntelDir: string): Promise<SessionPreview | null> {
  const all = await previewSessions(codeIntelDir);
  return all.findLast(({ status }) => status === "active") ??
    all.findLast(({ status }) => status === "unreadable") ?? null;
}

function previewSession(path: string, name: string): SessionPreview {
  const id = name.slice(0, -".json".length);
  try {
    const { state, revision = 0 } = JSON.parse(readControlText(path, "checkpoint") ?? "");
    if (STATUSES.includes(state?.status)) return { id, status: state.status, revision, state };
  } catch {
    // Reported as an unreadable session; whoever opens it with the store learns why.
  }
  return { id, status: "unreadable", revision: 0, state: {} };
}

/** Reads the records of a session without checking their seals. */
export function previewRecords(codeIntelDir: string, id: string): RecordsPreview {
  const path = join(codeIntelDir, "sessions", `${id}.records.jsonl`);
  const text = readControlTextIfUsable(path, "records") ?? "";
  const conversations = new Set<string>();
  const shown = new Set<string>();
  let stoppedAt = -1;
  for (const line of text.split("\n")) {
    // Most lines record calls; only lines of the other kinds are parsed.
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

/** Whether verification commands of a session run now, in any process. */
export async function isVerifying(codeIntelDir: string, id: string): Promise<boolean> {
  const folder = join(codeIntelDir, "sessions");
  const names = await listOwnFolder(folder).catch(() => []);
  for (const { name } of names) {
    if (!name.startsWith(`${id}.verify.`) || !name.endsWith(".alive")) continue;
    try {
      // A running verification holds a lock on its mark; a mark that can be locked was left by a
      // killed process.
      const options = { read: true, write: true };
      checkOwnFile(join(folder, name));
      const isLeft = await withFile(join(folder, name), options, (file) => lockWithin(file, 0));
      if (!isLeft) return true;
    } catch {
      // The run ended between the two looks.
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
