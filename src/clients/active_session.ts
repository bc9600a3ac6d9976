/**
 * A glance at the sessions of a project, for callers that have to answer at once: only whether there is
 * one, and where it stands. It checks no seal and no form; who acts on a session opens it properly.
 */
import { join } from "node:path";

/** What a glance tells. */
export interface SessionGlance {
  readonly id: string;
  readonly status: "active" | "parked" | "ended" | "unreadable";
  /** The stored state as it is; empty where it cannot be read. */
  readonly state: Readonly<Record<string, unknown>>;
}

const FILE = /^(session_\d{8}_\d{6}_[0-9a-f]{4})\.json$/;
const STATUSES: readonly string[] = ["active", "parked", "ended"];

/** Every session that is not archived, oldest first; an empty list where there is no folder. */
export async function glanceSessions(codeIntelDir: string): Promise<readonly SessionGlance[]> {
  const folder = join(codeIntelDir, "sessions");
  const names: string[] = [];
  try {
    for await (const { name } of Deno.readDir(folder)) if (FILE.test(name)) names.push(name);
  } catch {
    return [];
  }
  return await Promise.all(names.sort().map((name) => glance(join(folder, name), name)));
}

/** The active session, where there is one; an unreadable one counts, because it may be it. */
export async function glanceActive(codeIntelDir: string): Promise<SessionGlance | null> {
  const all = await glanceSessions(codeIntelDir);
  return all.findLast(({ status }) => status === "active") ??
    all.findLast(({ status }) => status === "unreadable") ?? null;
}

async function glance(path: string, name: string): Promise<SessionGlance> {
  const id = name.slice(0, -".json".length);
  try {
    const { state } = JSON.parse(await Deno.readTextFile(path));
    const known = STATUSES.includes(state?.status);
    return known ? { id, status: state.status, state } : { id, status: "unreadable", state: {} };
  } catch {
    return { id, status: "unreadable", state: {} };
  }
}
