/** Loads the tools of a hub only where one is served. */
import type { Logger } from "../../base/logger.ts";
import type { StorePlace } from "../../index/mod.ts";
import type { ListedTool } from "../tools.ts";
import type { AnswerThreads, ThreadBounds } from "./answer_threads.ts";

/** Starts the threads that answer calls of a hub's tools. */
export async function createHubThreads(
  place: StorePlace,
  logger: Logger,
  bounds?: ThreadBounds,
): Promise<AnswerThreads> {
  const { AnswerThreads } = await import("./answer_threads.ts");
  return new AnswerThreads(place, logger, bounds);
}

/** The tools of a hub as clients see them. */
export async function listHubTools(): Promise<readonly ListedTool[]> {
  return (await import("./hub_call.ts")).listHubTools();
}
