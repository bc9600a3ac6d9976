/** The store before it is loaded: it sees no less than the store itself. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { SAMPLE_ID, sampleState } from "./sample_state.ts";
import { withStore } from "./store_fixture.ts";

Deno.test("a project without sessions has no active one and nothing to tell, whatever else lies there", () =>
  withStore(async ({ store, sessionsDir }) => {
    const look = async () => [await store.findActive(), await store.loadAll()];
    deepEqual(await look(), [null, []]);
    await Deno.mkdir(join(sessionsDir, `${SAMPLE_ID}.json`), { recursive: true });
    await Deno.writeTextFile(join(sessionsDir, "notes.json"), "{}");
    deepEqual(await look(), [null, []]);
    deepEqual([await store.takeNotices(), await store.takeNotices(null)], [[], []]);
  }));

Deno.test("a session that another process begins is seen by the next look, and its end too", () =>
  withStore(async ({ store, again }) => {
    equal(await store.findActive(), null);
    const other = again();
    await other.save({ state: sampleState() }, { expectedRevision: 0 });
    const found = await store.findActive();
    equal(found?.kind, "loaded");
    deepEqual((await store.loadAll()).map(({ id }) => id), [SAMPLE_ID]);
    await other.archive(SAMPLE_ID);
    equal(await store.findActive(), null);
  }));

Deno.test("damage is told by a store that was never asked before, once", () =>
  withStore(async ({ store, again, sessionsDir }) => {
    await store.save({ state: sampleState() }, { expectedRevision: 0 });
    await store.save({ state: sampleState({ visit: 2 }) }, { expectedRevision: 1 });
    await Deno.writeTextFile(join(sessionsDir, `${SAMPLE_ID}.json`), "damaged");
    const other = again();
    equal((await other.findActive())?.kind, "loaded");
    deepEqual((await other.takeNotices(SAMPLE_ID)).map(({ code }) => code), ["checkpoint_damaged"]);
    deepEqual(await other.takeNotices(), []);
  }));
