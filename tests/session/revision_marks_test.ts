/** The marks of how far each session was: kept by project and session, and never in the way. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import {
  countFailures,
  judgeSeal,
  raiseFailureCounts,
  RevisionMarks,
  UNKNOWN_MARK,
} from "../../src/session/revision_marks.ts";
import { SAMPLE_ID, sampleState } from "./sample_state.ts";
import { join } from "node:path";
import type { SealVerdict } from "../../src/base/files/seal.ts";
import { createSeal } from "../../src/base/files/seal.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import type { LoadOutcome, SessionStore } from "../../src/session/store_api.ts";
import { createSessionStore } from "../../src/session/store.ts";
import type { StoreFixture } from "./store_fixture.ts";
import { withStore } from "./store_fixture.ts";

Deno.test("raiseFailureCounts() gives an older state the counters of a newer one, and lowers none", () => {
  const older = sampleState();
  const newer = {
    ...older,
    counters: { ...older.counters, interventions: older.counters.interventions + 1 },
    tasks: older.tasks.map((task) => ({ ...task, failureCount: task.failureCount + 2 })),
  };
  deepEqual(raiseFailureCounts(older, countFailures(newer)), newer);
  deepEqual(raiseFailureCounts(newer, countFailures(older)), newer);
  deepEqual(raiseFailureCounts(newer, {}), newer);
  equal(older.tasks.length > 0, true);
});

const FILE = `${SAMPLE_ID}.json`;

async function save(store: SessionStore, revision: number): Promise<void> {
  const result = await store.save({ state: sampleState() }, { expectedRevision: revision });
  equal(result.kind, "saved");
}

function toShort(outcome: LoadOutcome): readonly string[] {
  return outcome.kind === "loaded"
    ? ["loaded", outcome.checkpoint.state.stage, ...outcome.notices.map(({ code }) => code)]
    : outcome.kind === "tampered"
    ? [outcome.kind, outcome.reason]
    : [outcome.kind];
}

/** What a forger can do to the file of a session without the key. */
async function forge(path: string): Promise<void> {
  const { seal: _, ...rest } = JSON.parse(await Deno.readTextFile(path));
  const state = { ...rest.state, stage: "MERGE" };
  const text = JSON.stringify({ ...rest, savedAt: "2000-01-01T00:00:00.000Z", state });
  await Deno.writeTextFile(path, `${text}\n`);
}

const VERDICTS: readonly SealVerdict[] = ["fits", "wrong", "foreign", "absent", "off"];
const TABLE = [
  ["no mark", { isKnown: false, isSealed: false }, [
    "vouched",
    "changed",
    "unchecked",
    "unchecked",
    "unchecked",
  ]],
  ["a mark, written with a key", { isKnown: true, isSealed: true }, [
    "vouched",
    "changed",
    "key_lost",
    "changed",
    "key_lost",
  ]],
  ["a mark, written without a key", { isKnown: true, isSealed: false }, [
    "vouched",
    "changed",
    "changed",
    "unchecked",
    "unchecked",
  ]],
] as const;

for (const [name, mark, expected] of TABLE) {
  Deno.test(`judgeSeal() with ${name}`, () => {
    deepEqual(VERDICTS.map((verdict) => judgeSeal(verdict, mark)), expected);
  });
}

interface Row {
  readonly name: string;
  readonly act: (fixture: StoreFixture & { readonly path: string }) => Promise<void>;
  readonly expected: readonly string[];
}

const LOST = ["tampered", "key_lost"];

const ROWS: readonly Row[] = [
  {
    name: "the seal is taken out and the time set back",
    act: ({ path }) => forge(path),
    expected: ["tampered", "changed"],
  },
  {
    name: "the same, and the key is deleted",
    async act({ path, stateDir }) {
      await forge(path);
      await Deno.remove(join(stateDir, "seal.key"));
    },
    expected: ["tampered", "changed"],
  },
  {
    name: "the key alone is deleted",
    act: ({ stateDir }) => Deno.remove(join(stateDir, "seal.key")),
    expected: LOST,
  },
  {
    name: "the key holds nothing that is a key",
    act: ({ stateDir }) => Deno.writeTextFile(join(stateDir, "seal.key"), "nothing\n"),
    expected: LOST,
  },
  {
    name: "the mark is torn, and the seal fits",
    act: ({ stateDir }) => writeMarks(stateDir, "3x"),
    expected: ["loaded", "READY_IMPL"],
  },
  {
    name: "the mark is torn, and there is no seal",
    async act({ path, stateDir }) {
      await writeMarks(stateDir, "");
      await forge(path);
    },
    expected: ["tampered", "changed"],
  },
  {
    name: "an earlier version left the mark, and the seal is taken out",
    async act({ path, stateDir }) {
      await writeMarks(stateDir, "1 {}\n");
      await forge(path);
    },
    expected: ["tampered", "changed"],
  },
  {
    name: "the generation before has no seal either, and the newest is gone",
    async act({ store, path }) {
      await save(store, 1);
      await forge(`${path}.prev`);
      await Deno.remove(path);
    },
    expected: ["tampered", "changed"],
  },
  {
    name: "a backup of project and home is put back together",
    async act({ store, path, stateDir }) {
      const [file, mark] = [await Deno.readFile(path), await readMark(stateDir)];
      await save(store, 1);
      await Deno.writeFile(path, file);
      await writeMarks(stateDir, mark);
    },
    expected: ["loaded", "READY_IMPL"],
  },
  {
    name: "a backup of the project alone is put back",
    async act({ store, path }) {
      const file = await Deno.readFile(path);
      await save(store, 1);
      await Deno.writeFile(path, file);
    },
    expected: ["tampered", "older"],
  },
  {
    name: "a checkpoint of a version before seals and marks",
    async act({ path, stateDir }) {
      await forge(path);
      await Deno.remove(join(stateDir, "revisions"), { recursive: true });
    },
    expected: ["loaded", "MERGE", "seal_unchecked"],
  },
];

async function writeMarks(stateDir: string, text: string): Promise<void> {
  for await (const { name } of Deno.readDir(join(stateDir, "revisions"))) {
    await Deno.writeTextFile(join(stateDir, "revisions", name), text);
  }
}

async function readMark(stateDir: string): Promise<string> {
  for await (const { name } of Deno.readDir(join(stateDir, "revisions"))) {
    return await Deno.readTextFile(join(stateDir, "revisions", name));
  }
  throw new Error("no mark");
}

for (const { name, act, expected } of ROWS) {
  Deno.test(`load() where ${name}`, () =>
    withStore(async (fixture) => {
      const { store, again, sessionsDir } = fixture;
      await save(store, 0);
      const path = join(sessionsDir, FILE);
      await act({ ...fixture, path });
      const outcome = await again().load(SAMPLE_ID);
      deepEqual(toShort(outcome), expected);
      if (outcome.kind !== "tampered") return;
      // Nothing is sealed again by itself, and each refusal names the ways out.
      const before = await Deno.readTextFile(path).catch(() => "gone");
      const refused = await again().save({ state: sampleState() }, { expectedRevision: 1 });
      equal(refused.kind, "refused");
      equal(await Deno.readTextFile(path).catch(() => "gone"), before);
      match(String(outcome.problem.hint ?? ""), /session accept .*clean --all/);
      equal((await again().accept(SAMPLE_ID)).kind, "loaded");
      deepEqual(toShort(await again().load(SAMPLE_ID)).slice(0, 1), ["loaded"]);
    }));
}

Deno.test("a project that was copied to another machine goes on there, is told once, and is sealed there", () =>
  withStore(async ({ store, sessionsDir, codeIntelDir }) => {
    await save(store, 0);
    const note = {
      kind: "note",
      at: "2026-01-01T00:00:00.000Z",
      code: "test",
      text: "there",
    } as const;
    await store.appendRecord(SAMPLE_ID, note);
    const stateDir = `${codeIntelDir}-other-home`;
    const open = () =>
      createSessionStore({
        codeIntelDir,
        stateDir,
        seal: createSeal(stateDir),
        clock: { now: () => new Date() },
        logger: SILENT_LOGGER,
      });
    const other = open();
    deepEqual(toShort(await other.load(SAMPLE_ID)), ["loaded", "READY_IMPL", "seal_unchecked"]);
    deepEqual((await other.takeNotices()).map(({ code }) => code), ["seal_unchecked"]);
    deepEqual(await other.takeNotices(), []);
    await save(other, 1);
    deepEqual(toShort(await open().load(SAMPLE_ID)), ["loaded", "READY_IMPL"]);
    const { records, rejectedLines } = await open().readRecords(SAMPLE_ID);
    const texts = records.map((record) => record.kind === "note" && record.text);
    deepEqual([texts[0], texts.length, rejectedLines], ["there", 2, 0]);
    // From here on it is this home's: what has no seal is not from it.
    await forge(join(sessionsDir, FILE));
    deepEqual(toShort(await open().load(SAMPLE_ID)), ["tampered", "changed"]);
  }));

Deno.test("a home that cannot be written goes on without seals, and keeps what it has seen itself", () =>
  withStore(async ({ codeIntelDir, sessionsDir }) => {
    const open = () =>
      createSessionStore({
        codeIntelDir,
        stateDir: null,
        seal: createSeal(null),
        clock: { now: () => new Date() },
        logger: SILENT_LOGGER,
      });
    const store = open();
    await save(store, 0);
    await save(store, 1);
    deepEqual(toShort(await open().load(SAMPLE_ID)), ["loaded", "READY_IMPL", "seal_unchecked"]);
    const path = join(sessionsDir, FILE);
    await Deno.copyFile(`${path}.prev`, path);
    deepEqual(toShort(await store.load(SAMPLE_ID)), ["tampered", "older"]);
  }));

Deno.test("a home that cannot be written any more says so where a session is to be accepted", () =>
  withStore(async ({ store, again, sessionsDir, stateDir }) => {
    await save(store, 0);
    await forge(join(sessionsDir, FILE));
    const marks = join(stateDir, "revisions");
    await Deno.chmod(marks, 0o500);
    try {
      const isRoot = await Deno.writeTextFile(join(marks, "probe"), "").then(
        () => true,
        () => false,
      );
      const accepted = await again().accept(SAMPLE_ID);
      equal(accepted.kind, isRoot ? "loaded" : "tampered");
      if (accepted.kind === "tampered") match(String(accepted.problem.hint ?? ""), /writable/);
    } finally {
      await Deno.chmod(marks, 0o700);
    }
  }));

Deno.test("findActive() takes no session that nobody vouches for while this home has one of its own", () =>
  withStore(async ({ store, again, sessionsDir }) => {
    await save(store, 0);
    const forged = "session_20990101_000000_ffff";
    const { seal: _, ...rest } = JSON.parse(await Deno.readTextFile(join(sessionsDir, FILE)));
    const state = { ...rest.state, sessionId: forged, stage: "MERGE" };
    await Deno.writeTextFile(
      join(sessionsDir, `${forged}.json`),
      JSON.stringify({ ...rest, state }),
    );
    equal((await again().findActive())?.id, SAMPLE_ID);
    await forge(join(sessionsDir, FILE));
    const found = await again().findActive();
    ok(found?.kind === "tampered" && found.id === SAMPLE_ID);
  }));

const NOTED = {
  isSealed: true,
  came: { bytes: 3, hash: "ab" },
  revision: 3,
  counts: { backs: 2 },
} as const;

Deno.test("RevisionMarks remembers by project and session, and forgets", async () => {
  const stateDir = await Deno.makeTempDir();
  try {
    const marks = new RevisionMarks(stateDir, "/project/.code-intel/sessions");
    equal((await marks.read(SAMPLE_ID)).revision, 0);
    await marks.note(SAMPLE_ID, { ...NOTED, revision: 12 });
    deepEqual(
      await new RevisionMarks(stateDir, "/project/.code-intel/sessions").read(SAMPLE_ID),
      { ...NOTED, isKnown: true, revision: 12 },
    );
    deepEqual(
      await new RevisionMarks(stateDir, "/copy/.code-intel/sessions").read(SAMPLE_ID),
      UNKNOWN_MARK,
    );
    deepEqual(await marks.list(), [SAMPLE_ID]);
    await Deno.writeTextFile(join(stateDir, "revisions", await toName(stateDir)), "7\n");
    const old = { ...UNKNOWN_MARK, isKnown: true, isSealed: true };
    deepEqual(await marks.read(SAMPLE_ID), { ...old, revision: 7 });
    await Deno.writeTextFile(
      join(stateDir, "revisions", await toName(stateDir)),
      '8 {"backs":1}\n',
    );
    deepEqual(await marks.read(SAMPLE_ID), { ...old, revision: 8, counts: { backs: 1 } });
    await marks.forget(SAMPLE_ID);
    equal((await marks.read(SAMPLE_ID)).revision, 0);
  } finally {
    await Deno.remove(stateDir, { recursive: true });
  }
});

Deno.test("RevisionMarks fails nowhere: without a home, with one that is a file, with a torn mark", async () => {
  const none = new RevisionMarks(null, "/p");
  await none.note(SAMPLE_ID, NOTED);
  equal((await none.read(SAMPLE_ID)).revision, 0);
  const stateDir = await Deno.makeTempDir();
  try {
    const blocked = join(stateDir, "file");
    await Deno.writeTextFile(blocked, "");
    const marks = new RevisionMarks(blocked, "/p");
    await marks.note(SAMPLE_ID, NOTED);
    equal((await marks.read(SAMPLE_ID)).revision, 0);
    const torn = new RevisionMarks(stateDir, "/p");
    await torn.note(SAMPLE_ID, NOTED);
    for await (const { name } of Deno.readDir(join(stateDir, "revisions"))) {
      await Deno.writeTextFile(join(stateDir, "revisions", name), "3x");
    }
    const { isKnown, isSealed, revision } = await torn.read(SAMPLE_ID);
    deepEqual([isKnown, isSealed, revision], [true, true, 0], "a torn mark is a mark");
  } finally {
    await Deno.remove(stateDir, { recursive: true });
  }
});

async function toName(stateDir: string): Promise<string> {
  for await (const { name } of Deno.readDir(join(stateDir, "revisions"))) return name;
  throw new Error("no mark");
}
