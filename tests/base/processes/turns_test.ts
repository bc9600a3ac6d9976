/** Turns within a process: the order, the end of the waiting, and what moves it on. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { passTurn, takeTurn } from "../../../src/base/processes/lock_file.ts";

const LONG_MS = 60_000;

Deno.test("takeTurn() gives turns in the order of the calls, and is free again after the last", async () => {
  const order: number[] = [];
  const take = async (n: number) => {
    const leftMs = await takeTurn("a", LONG_MS);
    equal(leftMs, LONG_MS, "whoever comes next has its whole time");
    order.push(n);
    passTurn("a", true);
  };
  equal(await takeTurn("a", LONG_MS), LONG_MS);
  const waiting = [1, 2, 3].map(take);
  equal(await takeTurn("b", 0), 0, "another line is free");
  passTurn("b", true);
  passTurn("a", true);
  await Promise.all(waiting);
  deepEqual(order, [1, 2, 3]);
  equal(await takeTurn("a", 0), 0);
  passTurn("a", true);
});

Deno.test("takeTurn() ends the waiting for a holder that stays, and the next one is not held up by it", async () => {
  await takeTurn("a", LONG_MS);
  const short = takeTurn("a", 1);
  const long = takeTurn("a", LONG_MS);
  equal(await short, null);
  passTurn("a", true);
  ok((await long ?? 0) > LONG_MS / 2);
  passTurn("a", true);
});

Deno.test("passTurn() gives whoever waits its whole time again, unless nothing was had", async () => {
  await takeTurn("a", LONG_MS);
  const first = takeTurn("a", LONG_MS);
  const second = takeTurn("a", LONG_MS);
  await new Promise((resolve) => setTimeout(resolve, 20));
  passTurn("a", true);
  equal(await first, LONG_MS, "its holder worked");
  await new Promise((resolve) => setTimeout(resolve, 20));
  passTurn("a", false);
  const leftMs = await second ?? 0;
  ok(leftMs < LONG_MS - 10, `${leftMs} of its time are left, not all`);
  passTurn("a", true);
});
