/** The marks of how far each session was: kept by project and session, and never in the way. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { createRevisionMarks, UNKNOWN_MARK } from "../../src/session/revision_marks.ts";
import { SAMPLE_ID } from "./sample_state.ts";

const NOTED = {
  isSealed: true,
  came: { bytes: 3, hash: "ab" },
  revision: 3,
  counts: { backs: 2 },
} as const;

Deno.test("createRevisionMarks() remembers by project and session, and forgets", async () => {
  const stateDir = await Deno.makeTempDir();
  try {
    const marks = createRevisionMarks(stateDir, "/project/.code-intel/sessions");
    equal((await marks.read(SAMPLE_ID)).revision, 0);
    await marks.note(SAMPLE_ID, { ...NOTED, revision: 12 });
    deepEqual(
      await createRevisionMarks(stateDir, "/project/.code-intel/sessions").read(SAMPLE_ID),
      { ...NOTED, isKnown: true, revision: 12 },
    );
    deepEqual(
      await createRevisionMarks(stateDir, "/copy/.code-intel/sessions").read(SAMPLE_ID),
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

Deno.test("createRevisionMarks() fails nowhere: without a home, with one that is a file, with a torn mark", async () => {
  const none = createRevisionMarks(null, "/p");
  await none.note(SAMPLE_ID, NOTED);
  equal((await none.read(SAMPLE_ID)).revision, 0);
  const stateDir = await Deno.makeTempDir();
  try {
    const blocked = join(stateDir, "file");
    await Deno.writeTextFile(blocked, "");
    const marks = createRevisionMarks(blocked, "/p");
    await marks.note(SAMPLE_ID, NOTED);
    equal((await marks.read(SAMPLE_ID)).revision, 0);
    const torn = createRevisionMarks(stateDir, "/p");
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
