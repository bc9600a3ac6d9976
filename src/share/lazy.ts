/** Sharing, loaded when something is shared or asked about it. */
import { Late, later } from "../base/later.ts";
import type { Share, ShareDeps } from "./share.ts";

/** Makes it; nothing is opened before the first call. */
export function createShare(deps: ShareDeps): Share {
  const late = new Late(async () => (await import("./share.ts")).createShare(deps));
  return later<Share>(late, {
    pull: true,
    pullWhenDue: true,
    push: true,
    readStatus: true,
    countShared: true,
  });
}
