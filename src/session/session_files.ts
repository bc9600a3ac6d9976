/** The files of sessions, by their names. */
import { listOwnFolder } from "../base/files/own_folder.ts";

/** Names of a session's files; the first group is the session's id. */
export const SESSION_FILE = /^(session_\d{8}_\d{6}_[0-9a-f]{4})\.json(?:\.prev|\.corrupt-\d+)?$/;

/** Ids of all sessions that have any file in the folder of the sessions, not in the archive, sorted. */
export async function listSessionIds(sessionsDir: string): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (const entry of await listOwnFolder(sessionsDir)) {
    const id = SESSION_FILE.exec(entry.name)?.[1];
    if (id !== undefined && entry.isFile) ids.add(id);
  }
  return [...ids].sort();
}
