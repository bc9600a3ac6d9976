/** The threads of a hub's server with a thread of the tests, which crashes and hangs when it is told to. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import type { StorePlace } from "../../../../src/features/hub/postgres/store_place.ts";
import type {
  HubAnswer,
  ThreadBounds,
} from "../../../../src/features/hub/answers/answer_threads.ts";
import {
  AnswerThreads,
  countThreads,
} from "../../../../src/features/hub/answers/answer_threads.ts";
import { HELD_MS, holdTimers } from "../../../support/held_timers.ts";

const workerUrl = new URL("./fake_answer_worker.ts", import.meta.url);

/** Runs `act` with threads that are ended after it; answers what they noted. */
async function withThreads(
  bounds: ThreadBounds,
  act: (ask: Ask, threads: AnswerThreads, notes: readonly string[]) => Promise<void>,
  database = "some",
): Promise<readonly string[]> {
  const place = { host: "127.0.0.1", port: 1, database } as StorePlace;
  const notes: string[] = [];
  const logger = { note: (line: string) => notes.push(line) };
  const threads = new AnswerThreads(place, logger, { workerUrl, ...bounds });
  const ask: Ask = async (name, raw = {}, { client = "one", signal } = {}) => {
    const caller = { client, signal: signal ?? new AbortController().signal };
    return toReply(await threads.call(name, raw, caller));
  };
  try {
    await act(ask, threads, notes);
  } finally {
    threads.close();
  }
  return notes;
}

type Ask = (
  name: string,
  raw?: { readonly ms?: number; readonly repository?: string },
  caller?: { readonly client?: string; readonly signal?: AbortSignal },
) => Promise<Record<string, unknown>>;

function toReply({ text, isOk }: HubAnswer): Record<string, unknown> {
  const reply = JSON.parse(text);
  equal(isOk, reply.ok !== false);
  return reply;
}

function toErrors(replies: readonly Record<string, unknown>[]): readonly unknown[] {
  return replies.map(({ error }) => error);
}

Deno.test("a thread that crashes or hangs costs its own call alone, and another one takes its place", async () => {
  using timers = holdTimers();
  const notes = await withThreads({ threads: 1, callMs: HELD_MS }, async (ask) => {
    const asked = [ask("crash"), ask("plain"), ask("hang"), ask("plain")];
    await asked[1];
    // The thread has gone on to the call on which it hangs.
    equal(timers.size, 1);
    timers.goOff();
    const replies = await Promise.all(asked);
    deepEqual(toErrors(replies), ["thread_lost", undefined, "timed_out", undefined]);
    ok(replies[0]?.["hint"] && replies[2]?.["hint"]);
    equal(new Set([replies[1]?.["thread"], replies[3]?.["thread"]]).size, 2);
  });
  match(notes.join("\n"), /it crashed.*\n.*longer than 3599999 ms/);
});

Deno.test("a thread that does not start is tried again, and its calls are told after their time", async () => {
  using timers = holdTimers();
  await withThreads({ threads: 1, waitMs: HELD_MS }, async (ask, _, notes) => {
    const asked = ask("plain");
    while (notes.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    timers.goOff();
    equal((await asked)["error"], "busy");
  }, "none");
});

Deno.test("a thread that holds too much after a call is replaced, and its call is answered", async () => {
  const notes = await withThreads({ threads: 1, threadMb: 512 }, async (ask) => {
    const [grown, next] = [await ask("grow"), await ask("plain")];
    equal(grown["name"], "grow");
    ok(grown["thread"] !== next["thread"]);
  });
  match(notes.join(), /held 1024 MB/);
});

Deno.test("a question about a repository goes to the thread that answered for it", async () => {
  await withThreads({ threads: 3 }, async (ask) => {
    const repositories = ["shop", "app", "lib"];
    const ms = 20;
    // Until all have started.
    for (let count = 0; count < 3;) {
      const replies = await Promise.all(repositories.map(() => ask("a", { ms })));
      count = new Set(replies.map(({ thread }) => thread)).size;
    }
    const first = await Promise.all(repositories.map((repository) => ask("a", { ms, repository })));
    equal(new Set(first.map(({ thread }) => thread)).size, 3);
    for (const at of [2, 0, 1, 0]) {
      const again = await ask("a", { repository: repositories[at] ?? "" });
      equal(again["thread"], first[at]?.["thread"]);
    }
  });
});

Deno.test("a queue without room, a wait that is too long and a cancelled call are answered at once", async () => {
  using timers = holdTimers();
  await withThreads({ threads: 1, waitingCalls: 2, waitMs: HELD_MS }, async (ask) => {
    equal((await ask("plain"))["name"], "plain");
    const working = ask("a", { ms: 20 });
    const cancel = new AbortController();
    const cancelled = ask("b", {}, { signal: cancel.signal });
    const late = ask("c");
    const full = await ask("d");
    equal(full["error"], "busy");
    match(String(full["message"]), /2 others wait/);
    cancel.abort();
    equal((await cancelled)["error"], "cancelled");
    equal((await ask("e", {}, { signal: cancel.signal }))["error"], "cancelled");
    // Only the call that still waits has a timer of this length.
    equal(timers.size, 1);
    timers.goOff();
    match(String((await late)["message"]), /none of the 1 threads .* free for 3599999 ms/);
    equal((await working)["name"], "a");
    equal((await ask("f"))["name"], "f", "there is room again");
  });
});

Deno.test("of two clients the one with many calls does not keep the other one waiting", async () => {
  await withThreads({ threads: 1 }, async (ask) => {
    const order: string[] = [];
    const note = async (name: string, client: string) => {
      order.push(String((await ask(name, { ms: 5 }, { client }))["name"]));
    };
    await Promise.all([
      ...["a1", "a2", "a3", "a4"].map((name) => note(name, "a")),
      note("b1", "b"),
    ]);
    deepEqual(order, ["a1", "b1", "a2", "a3", "a4"]);
  });
});

Deno.test("drain() waits for all calls and takes no further one; close() ends what is left", async () => {
  await withThreads({ threads: 1 }, async (ask, threads) => {
    const taken = [ask("a", { ms: 50 }), ask("b")];
    const drained = threads.drain();
    equal((await ask("c"))["error"], "busy");
    await drained;
    deepEqual((await Promise.all(taken)).map(({ name }) => name), ["a", "b"]);
  });
  await withThreads({ threads: 1 }, async (ask, threads) => {
    const left = [ask("hang"), ask("b")];
    await ask("c", {}, { signal: AbortSignal.abort() });
    threads.close();
    deepEqual(toErrors(await Promise.all(left)), ["busy", "busy"]);
  });
});

Deno.test("countThreads() gives two at least, since one works while the other waits for the store", () => {
  deepEqual([1, 2, 4, 64].map(countThreads), [2, 2, 4, 8]);
});
