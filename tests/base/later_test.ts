/** Objects whose code is loaded with their first call. */
import { deepStrictEqual as deepEqual, rejects } from "node:assert/strict";
import { Late, later } from "../../src/base/later.ts";

interface Desk {
  note(text: string): Promise<number>;
  fail(): Promise<never>;
}

/** A late desk, and what happened to it. */
function createDesk(load: () => Promise<void> = () => Promise.resolve()) {
  const events: string[] = [];
  const late = new Late<Desk>(async () => {
    events.push("load");
    await load();
    return {
      note: (text) => Promise.resolve(events.push(text)),
      fail: () => Promise.reject(new Error("refused")),
    };
  });
  return { events, late, desk: later(late, { note: true, fail: true }) };
}

Deno.test("nothing is loaded before a method is called, and all calls share one load in their order", async () => {
  const { events, late, desk } = createDesk();
  deepEqual([late.opened, events], [undefined, []]);
  await Promise.all([desk.note("first"), desk.note("second")]);
  await desk.note("third");
  deepEqual(events, ["load", "first", "second", "third"]);
});

Deno.test("a failure of a method reaches its caller and loads nothing anew", async () => {
  const { events, desk } = createDesk();
  await rejects(desk.fail(), /refused/);
  await desk.note("after");
  deepEqual(events, ["load", "after"]);
});

Deno.test("after a load that failed the next call tries again", async () => {
  let isBroken = true;
  const { events, late, desk } = createDesk(() =>
    isBroken ? Promise.reject(new Error("no memory")) : Promise.resolve()
  );
  await rejects(desk.note("lost"), /no memory/);
  deepEqual(late.opened, undefined);
  isBroken = false;
  await desk.note("kept");
  deepEqual(events, ["load", "load", "kept"]);
});
