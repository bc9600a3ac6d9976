/** Sessions on disk: what is saved comes back, and what was done to the files is noticed. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { SessionState } from "../../src/phase/state.ts";
import type { LoadOutcome, SaveOutcome, SessionStore } from "../../src/session/store_api.ts";
import { SAMPLE_ID, sampleState } from "./sample_state.ts";
import { withStore } from "./store_fixture.ts";

const FILE = `${SAMPLE_ID}.json`;

async function save(store: SessionStore, revision: number, patch: Partial<SessionState> = {}) {
  const result = await store.save({ state: sampleState(patch) }, { expectedRevision: revision });
  equal(result.kind, "saved");
}

/** Kind, revision and visit of a load, and its notices: what most tests look at. */
function toShort(outcome: LoadOutcome): readonly unknown[] {
  return outcome.kind === "loaded"
    ? [
      "loaded",
      outcome.checkpoint.revision,
      outcome.checkpoint.state.visit,
      outcome.notices.map(({ code }) => code),
    ]
    : [outcome.kind, outcome.problem.code];
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  await Deno.writeTextFile(path, change(await Deno.readTextFile(path)));
}

Deno.test("save() and load() give back the whole checkpoint in another process", () =>
  withStore(async ({ store, again }) => {
    const summaries = { step_13_READY_IMPL: "later", step_05_EXPLORATION: "after going back" };
    const state = sampleState({ summaries });
    const extras = { ledger: { head: "abc" } };
    const saved = await store.save({ state, extras }, { expectedRevision: 0 });
    const loaded = await again().load(SAMPLE_ID);
    ok(saved.kind === "saved" && loaded.kind === "loaded");
    deepEqual(loaded.checkpoint, saved.checkpoint);
    deepEqual(loaded.checkpoint.state, state);
    deepEqual(loaded.checkpoint.extras, extras);
    deepEqual(Object.keys(loaded.checkpoint.state.summaries), Object.keys(summaries));
    deepEqual(loaded.notices, []);
  }));

Deno.test("save() counts revisions and refuses a lower, equal or skipped one (lost update)", () =>
  withStore(async ({ store, again }) => {
    const other = again();
    await save(store, 0, { visit: 1 });
    await other.load(SAMPLE_ID);
    await save(store, 1, { visit: 2 });
    for (const expectedRevision of [0, 1, 3]) {
      const result: SaveOutcome = await other.save({ state: sampleState() }, { expectedRevision });
      equal(result.kind, "refused");
      if (result.kind === "refused") equal(result.problem.code, "checkpoint_conflict");
    }
    deepEqual(toShort(await other.load(SAMPLE_ID)), ["loaded", 2, 2, []]);
  }));

Deno.test("load() does not parse an unchanged file again, and sees another process's save", () =>
  withStore(async ({ store, again }) => {
    await save(store, 0);
    // A file that is older than a tick of the clock of its times, which may be a second, cannot change without another one.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const other = again();
    const first = await other.load(SAMPLE_ID);
    const second = await other.load(SAMPLE_ID);
    ok(first.kind === "loaded" && second.kind === "loaded");
    ok(first.checkpoint === second.checkpoint, "the same object");
    await save(store, 1, { visit: 99 });
    deepEqual(toShort(await other.load(SAMPLE_ID)), ["loaded", 2, 99, []]);
  }));

Deno.test("load() notices an edited checkpoint, and accept() takes it on the person's word", () =>
  withStore(async ({ store, again, sessionsDir }) => {
    await save(store, 0);
    await edit(join(sessionsDir, FILE), (text) => text.replace('"READY_IMPL"', '"MERGE"'));
    for (const reader of [store, again()]) {
      deepEqual(toShort(await reader.load(SAMPLE_ID)), ["tampered", "checkpoint_tampered"]);
    }
    const refused = await store.save({ state: sampleState() }, { expectedRevision: 1 });
    equal(refused.kind, "refused", "an edited file is not written over");
    deepEqual(toShort(await again().accept(SAMPLE_ID)), ["loaded", 2, 7, []]);
    const loaded = await again().load(SAMPLE_ID);
    ok(loaded.kind === "loaded");
    equal(loaded.checkpoint.state.stage, "MERGE");
    const { records } = await again().readRecords(SAMPLE_ID);
    deepEqual(records.map((record) => record.kind === "note" && record.code), [
      "checkpoint_accepted",
    ]);
  }));

Deno.test("load() notices a removed seal, a foreign seal and a file of another session", () =>
  withStore(async ({ store, again, sessionsDir }) => {
    const other = "session_20260131_142531_aaaa";
    await save(store, 0);
    const path = join(sessionsDir, FILE);
    const text = await Deno.readTextFile(path);
    const edits: readonly (readonly [what: string, text: string])[] = [
      ["no seal", text.replace(/,"seal":"[^"]*"/, "")],
      ["another hash", text.replace(/("seal":"[^"]{20})..../, "$10000")],
      ["another key", text.replace(/"seal":"[0-9a-f]{8}/, '"seal":"00000000')],
    ];
    for (const [what, edited] of edits) {
      await Deno.writeTextFile(path, edited);
      equal((await again().load(SAMPLE_ID)).kind, "tampered", what);
    }
    await Deno.writeTextFile(path, text);
    equal((await again().load(SAMPLE_ID)).kind, "loaded", "as it was");
    await Deno.copyFile(path, join(sessionsDir, `${other}.json`));
    equal((await again().load(other)).kind, "tampered", "a copy under another name");
  }));

Deno.test("load() accepts a file that an editor has only formatted", () =>
  withStore(async ({ store, again, sessionsDir }) => {
    await save(store, 0);
    await edit(join(sessionsDir, FILE), (text) => JSON.stringify(JSON.parse(text), null, 2));
    deepEqual(toShort(await again().load(SAMPLE_ID)), ["loaded", 1, 7, []]);
  }));

Deno.test("load() notices that an earlier generation was put back while the server runs", () =>
  withStore(async ({ store, sessionsDir }) => {
    // Written in place at once, the file has the number, the size and often the times of the one that was saved.
    for (let revision = 0; revision < 60; revision += 2) {
      await save(store, revision);
      const old = await Deno.readFile(join(sessionsDir, FILE));
      await save(store, revision + 1);
      const saved = await Deno.readFile(join(sessionsDir, FILE));
      await Deno.writeFile(join(sessionsDir, FILE), old);
      deepEqual(toShort(await store.load(SAMPLE_ID)), ["tampered", "checkpoint_tampered"]);
      await Deno.writeFile(join(sessionsDir, FILE), saved);
    }
  }));

Deno.test("load() notices that an earlier generation was put back while no server ran", () =>
  withStore(async ({ store, again, sessionsDir }) => {
    const path = join(sessionsDir, FILE);
    await save(store, 0);
    const old = await Deno.readFile(path);
    await save(store, 1);
    await save(store, 2);
    await Deno.writeFile(path, old);
    const other = again();
    deepEqual(toShort(await other.load(SAMPLE_ID)), ["tampered", "checkpoint_tampered"]);
    await Deno.remove(path);
    await Deno.writeFile(`${path}.prev`, old);
    deepEqual(toShort(await again().load(SAMPLE_ID)), ["tampered", "checkpoint_tampered"]);
    await Deno.writeFile(path, old);
    // What the person accepts is newer than all that was seen.
    equal((await again().accept(SAMPLE_ID)).kind, "loaded");
    deepEqual(toShort(await again().load(SAMPLE_ID)), ["loaded", 4, 7, []]);
  }));

Deno.test("withOperation() works on when somebody removed the folder of the sessions", () =>
  withStore(async ({ store, sessionsDir }) => {
    await save(store, 0);
    await Deno.remove(sessionsDir, { recursive: true });
    equal(await store.withOperation(() => Promise.resolve("done")), "done");
  }));

Deno.test("a missing key is only a notice: another home, or a key made after the save", () =>
  withStore(async ({ store, again, stateDir, setNow }) => {
    setNow(new Date(Date.now() - 3_600_000).toISOString());
    await save(store, 0);
    await Deno.remove(stateDir, { recursive: true });
    deepEqual(toShort(await again().load(SAMPLE_ID)), ["loaded", 1, 7, ["seal_unchecked"]]);
    await Deno.remove(stateDir, { recursive: true });
    await Deno.writeTextFile(stateDir, "a file, so no key can be made");
    deepEqual(toShort(await again().load(SAMPLE_ID)), ["loaded", 1, 7, ["seal_unchecked"]]);
  }));

Deno.test("a damaged file is set aside, reported, and the previous generation is used", () =>
  withStore(async ({ store, again, sessionsDir }) => {
    await save(store, 0, { visit: 1 });
    await save(store, 1, { visit: 2 });
    const path = join(sessionsDir, FILE);
    for (const [number, damage] of ["", "{", "null", '{"format":1}'].entries()) {
      await Deno.writeTextFile(path, damage);
      const reader = again();
      deepEqual(toShort(await reader.load(SAMPLE_ID)), ["loaded", 1, 1, ["checkpoint_damaged"]]);
      const aside = join(sessionsDir, `${FILE}.corrupt-${number + 1}`);
      equal(await Deno.readTextFile(aside), damage, "nothing of it is lost");
      const { records } = await reader.readRecords(SAMPLE_ID);
      equal(records.filter(({ kind }) => kind === "note").length, number + 1);
    }
    await save(again(), 1, { visit: 3 });
    deepEqual(toShort(await again().load(SAMPLE_ID)), ["loaded", 2, 3, []]);
  }));

Deno.test("a session of which no file is whole is still there, as damaged", () =>
  withStore(async ({ store, again, sessionsDir }) => {
    await save(store, 0);
    await save(store, 1);
    await Deno.writeTextFile(join(sessionsDir, FILE), "{");
    await Deno.writeTextFile(join(sessionsDir, `${FILE}.prev`), "{");
    for (let time = 0; time < 2; time++) {
      const active = await again().findActive();
      deepEqual(active && toShort(active), ["damaged", "checkpoint_damaged"]);
    }
    await again().archive(SAMPLE_ID);
    equal(await again().findActive(), null, "the archive is the way out");
  }));

Deno.test("a checkpoint of a newer format is refused by name and never set aside", () =>
  withStore(async ({ store, again, sessionsDir }) => {
    await save(store, 0);
    const path = join(sessionsDir, FILE);
    await edit(path, (text) => text.replace('"format":2', '"format":3'));
    const text = await Deno.readTextFile(path);
    const outcome = await again().load(SAMPLE_ID);
    deepEqual(toShort(outcome), ["newer", "checkpoint_version"]);
    ok(outcome.kind === "newer");
    match(String(outcome.problem.message), /format is 3, this program reads 2/);
    equal(await Deno.readTextFile(path), text);
    const saved = await again().save({ state: sampleState() }, { expectedRevision: 0 });
    equal(saved.kind, "refused");
  }));

Deno.test("a removed checkpoint is told, and the generation before it is used", () =>
  withStore(async ({ store, again, sessionsDir }) => {
    await save(store, 0, { visit: 1 });
    await save(store, 1, { visit: 2 });
    await Deno.remove(join(sessionsDir, FILE));
    deepEqual(toShort(await again().load(SAMPLE_ID)), ["loaded", 1, 1, ["checkpoint_damaged"]]);
  }));

Deno.test("save() refuses a checkpoint that could not be read back, and keeps the old one", () =>
  withStore(async ({ store }) => {
    await save(store, 0);
    const state = sampleState({ findings: ["é".repeat(5 * 1024 * 1024)] });
    const result = await store.save({ state }, { expectedRevision: 1 });
    ok(result.kind === "refused");
    equal(result.problem.code, "checkpoint_too_large");
    deepEqual(toShort(await store.load(SAMPLE_ID)), ["loaded", 1, 7, []]);
  }));

Deno.test("findActive() finds the active session among parked and ended ones", () =>
  withStore(async ({ store, again }) => {
    equal(await store.findActive(), null);
    const rows = [
      ["session_20260101_000000_0001", "parked"],
      ["session_20260102_000000_0002", "active"],
      ["session_20260103_000000_0003", "ended"],
    ] as const;
    for (const [sessionId, status] of rows) await save(store, 0, { sessionId, status });
    equal((await again().findActive())?.id, "session_20260102_000000_0002");
    deepEqual((await again().loadAll()).map(({ id }) => id), rows.map(([id]) => id));
  }));

Deno.test("findActive() names a session that was edited to look parked", () =>
  withStore(async ({ store, again, sessionsDir }) => {
    await save(store, 0);
    await edit(
      join(sessionsDir, FILE),
      (text) => text.replace('"status":"active"', '"status":"parked"'),
    );
    equal((await again().findActive())?.kind, "tampered");
  }));

Deno.test("load() makes no file name of text that is no id, and makes nothing in a new project", () =>
  withStore(async ({ store, codeIntelDir }) => {
    for (const id of ["../../etc/passwd", "", `${SAMPLE_ID}/../x`, SAMPLE_ID]) {
      deepEqual(toShort(await store.load(id)), ["missing", "session_not_found"], id);
      deepEqual(await store.readRecords(id), { records: [], rejectedLines: 0 });
    }
    await store.loadAll();
    await store.archive("../x");
    equal(await Deno.stat(codeIntelDir).then(() => true, () => false), false);
  }));

Deno.test("withOperation() lets one operation work at a time, and tells of a dead holder", () =>
  withStore(async ({ store, again, sessionsDir }) => {
    const order: string[] = [];
    const work = (name: string) => async () => {
      order.push(`${name} in`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      order.push(`${name} out`);
    };
    await Promise.all([store.withOperation(work("a")), again().withOperation(work("b"))]);
    equal(order.length, 4);
    equal(order[0]?.[0], order[1]?.[0], `not one after the other: ${order.join(", ")}`);
    await Deno.writeTextFile(join(sessionsDir, ".lock"), "99999");
    const codes = await store.withOperation((operation) =>
      Promise.resolve(operation.notices.map(({ code }) => code))
    );
    deepEqual(codes, ["lock_taken_over"]);
    const later = await store.withOperation(({ notices }) => Promise.resolve(notices));
    deepEqual(later, [], "told once");
  }));
