/** Loads the tools of a hub only where one is served. */
import type { Reply } from "../../base/reply.ts";
import type { ListedTool } from "../tools.ts";
import type { HubParts } from "./hub_call.ts";

/** Runs a tool of a hub; never throws. */
export async function callHubTool(
  name: string,
  raw: unknown,
  parts: HubParts & { readonly signal: AbortSignal },
): Promise<Reply> {
  return await (await import("./hub_call.ts")).callHubTool(name, raw, parts);
}

/** The tools of a hub as clients see them. */
export async function listHubTools(): Promise<readonly ListedTool[]> {
  return (await import("./hub_call.ts")).listHubTools();
}
