/** Who is next, who gives way, and what goes before, in the queue of a hub's calls. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { CallQueue } from "../../../../src/features/hub/answers/call_queue.ts";
import type { QueuedCall } from "../../../../src/features/hub/answers/call_queue.ts";

interface Call extends QueuedCall {
  readonly id: string;
}

function toCall(id: string, repository: string | null = null): Call {
  return { id, client: id.slice(0, 1), repository };
}

function fill(queue: CallQueue<Call>, ids: readonly string[]): readonly (string | null)[] {
  return ids.map((id) => queue.push(toCall(id))?.id ?? null);
}

function drain(queue: CallQueue<Call>): readonly string[] {
  const taken: string[] = [];
  for (let one = queue.take(() => true); one !== null; one = queue.take(() => true)) {
    taken.push(one.id);
  }
  return taken;
}

Deno.test("a client with one call waits for one call of each other client, not for all that another one sent", () => {
  const queue = new CallQueue<Call>(20);
  fill(queue, ["a1", "a2", "a3", "a4", "b1", "c1", "c2"]);
  deepEqual(drain(queue), ["a1", "b1", "c1", "a2", "c2", "a3", "a4"]);
  equal(queue.size, 0);
});

Deno.test("where there is no room the last call of whoever has most gives way, and a newcomer only to its equals", () => {
  const queue = new CallQueue<Call>(4);
  deepEqual(fill(queue, ["a1", "a2", "a3", "b1"]), [null, null, null, null]);
  equal(queue.push(toCall("c1"))?.id, "a3");
  equal(queue.push(toCall("a4"))?.id, "a4");
  equal(queue.push(toCall("d1"))?.id, "a2");
  equal(queue.push(toCall("e1"))?.id, "e1", "each client has one");
  deepEqual(drain(queue), ["a1", "b1", "c1", "d1"]);
});

Deno.test("a call that fits a free thread goes before, and the one at the front waits for three of them at most", () => {
  const queue = new CallQueue<Call>(20);
  queue.push(toCall("a1", "shop"));
  for (const client of ["b", "c", "d", "e", "f"]) queue.push(toCall(`${client}1`, "app"));
  const take = () => queue.take(({ repository }) => repository === "app")?.id;
  deepEqual([take(), take(), take(), take(), take(), take(), take()], [
    ...["b1", "c1", "d1", "a1", "e1", "f1"],
    undefined,
  ]);
});

Deno.test("remove() takes a call out once", () => {
  const queue = new CallQueue<Call>(20);
  const call = toCall("a1");
  queue.push(call);
  deepEqual([queue.remove(call), queue.remove(call), queue.size], [true, false, 0]);
  equal(queue.take(() => true), null);
});
