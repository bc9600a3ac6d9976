/** Values and objects that are made when they are first asked for. */
import { deepStrictEqual as deepEqual, rejects, strictEqual as equal } from "node:assert/strict";
import { lazyObject, loadOnce } from "../../src/base/lazy.ts";

interface Desk {
  readonly name: string;
  count(): number;
  note(text: string): Promise<number>;
  fail(): Promise<never>;
}

/** A lazy desk, and what happened to it. */
function createDesk(prepare: () => Promise<void> = () => Promise.resolve()) {
  const events: string[] = [];
  const load = loadOnce<Desk>(async () => {
    events.push("load");
    await prepare();
    return {
      name: "loaded",
      count: () => events.length,
      note: (text) => Promise.resolve(events.push(text)),
      fail: () => Promise.reject(new Error("refused")),
    };
  });
  return { events, load, desk: lazyObject(load, { name: "own", count: () => 0 }) };
}

Deno.test("nothing is loaded before a method is called, and all calls share one load in their order", async () => {
  const { events, load, desk } = createDesk();
  deepEqual([load.started, desk.name, desk.count(), events], [undefined, "own", 0, []]);
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
  const { events, load, desk } = createDesk(() =>
    isBroken ? Promise.reject(new Error("no memory")) : Promise.resolve()
  );
  await rejects(desk.note("lost"), /no memory/);
  equal(load.started, undefined);
  isBroken = false;
  await desk.note("kept");
  deepEqual(events, ["load", "load", "kept"]);
});

Deno.test("a lazy object can be the value of a promise", async () => {
  const { events, desk } = createDesk();
  equal(await Promise.resolve(desk), desk);
  deepEqual(events, []);
});
