/**
 * A thread that answers calls of a hub's clients, one after the other, over a connection of its own to the store. What it
 * worked out for a repository it keeps for the next question about it.
 */
import { HubCode } from "../hub_code.ts";
import { HubStore } from "../hub_store.ts";
import type { ThreadAsk, ThreadSays } from "./answer_threads.ts";
import { callHubTool } from "./hub_call.ts";
import type { HubParts } from "./hub_call.ts";

const scope = self as unknown as {
  onmessage: (event: MessageEvent<ThreadAsk>) => void;
  postMessage(value: ThreadSays): void;
};
let opened: Promise<HubParts> | null = null;
/** A call that has begun is answered in any case: the thread hears of nothing until then. */
const { signal } = new AbortController();

// What fails here beside a call ends the thread, and the server starts another one.
scope.onmessage = async ({ data }) => {
  if (data.kind === "start") {
    opened = open(data);
    await opened;
    scope.postMessage({ kind: "ready" });
    return;
  }
  if (opened === null) throw new Error("a call came before the store was named");
  const reply = await callHubTool(data.name, data.raw, { ...await opened, signal });
  scope.postMessage({
    kind: "answer",
    answer: { isOk: reply.ok, text: JSON.stringify(reply) },
    heapBytes: Deno.memoryUsage().heapUsed,
  });
};

async function open({ place }: Extract<ThreadAsk, { readonly kind: "start" }>): Promise<HubParts> {
  const logger = { note: (message: string) => scope.postMessage({ kind: "note", message }) };
  const store = await HubStore.open(place, { isPrepared: true });
  return { store, logger, code: new HubCode(store, logger) };
}
