/**
 * Finds out whether hooks of the client run here, by the records, or by a mark that a hook left
 * just before a start.
 */
import { join } from "node:path";
import { readControlTextIfUsable } from "../../base/files/control_file.ts";
import type { Desk } from "../context/desk.ts";

/** The file by which hooks show `start_session` that they run here. */
const SEEN_FILE = "cache/hooks_seen.json";
/**
 * How long the mark counts: between a hook before `start_session` and the call itself the person
 * may be asked.
 */
const SEEN_MS = 10 * 60 * 1000;

/** Whether hooks were seen: during the present session, or just before its start. */
export async function readHooksSeen(
  desk: Desk,
  sessionId: string | null,
): Promise<"seen" | "not_seen"> {
  const { codeIntelDir, clock } = desk.deps;
  if (sessionId !== null) {
    const records = await desk.records(sessionId);
    const isSeen = records.some((record) =>
      record.kind === "hook" || ("via" in record && record.via === "hook")
    );
    if (isSeen) return "seen";
  }
  const text = readControlTextIfUsable(join(codeIntelDir, SEEN_FILE), "memory") ?? "{}";
  const at = toTime(text);
  return clock.now().getTime() - at < SEEN_MS ? "seen" : "not_seen";
}

function toTime(text: string): number {
  try {
    return Date.parse(JSON.parse(text).at) || 0;
  } catch {
    return 0;
  }
}
