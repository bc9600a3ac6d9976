/**
 * The store of sessions, loaded when there is a session or one begins: a project without one is asked about its code
 * without reading what checks a checkpoint.
 */
import { join } from "node:path";
import { Late, later } from "../base/later.ts";
import { listSessionIds } from "./session_files.ts";
import type { SessionStoreOptions } from "./store.ts";
import type { SessionStore } from "./store_api.ts";

/** Makes the store; nothing is read or written before the first call. */
export function createSessionStore(options: SessionStoreOptions): SessionStore {
  const late = new Late(async () => (await import("./store.ts")).createSessionStore(options));
  const sessionsDir = join(options.codeIntelDir, "sessions");
  // A store that was opened may know more than the disk shows: what it saved, and what it has to tell.
  const hasNone = async () =>
    late.opened === undefined && (await listSessionIds(sessionsDir)).length === 0;
  const store = later<SessionStore>(late, {
    load: true,
    loadAll: true,
    findActive: true,
    save: true,
    takeNotices: true,
    accept: true,
    listLost: true,
    giveUpLost: true,
    archive: true,
    readLastEnded: true,
    listArchived: true,
    readArchived: true,
    withOperation: true,
    appendRecord: true,
    readRecords: true,
  });
  return {
    ...store,
    loadAll: async () => await hasNone() ? [] : await store.loadAll(),
    findActive: async () => await hasNone() ? null : await store.findActive(),
    takeNotices: async (active) => {
      const isQuiet = active === null ? late.opened === undefined : await hasNone();
      return isQuiet ? [] : await store.takeNotices(active);
    },
  };
}
