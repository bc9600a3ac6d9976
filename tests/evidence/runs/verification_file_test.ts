/** The file of a session's runs: what is kept, and the mark of life of a run. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { createSeal } from "../../../src/base/files/seal.ts";
import type { RunKind, VerificationRun } from "../../../src/evidence/runs/verification.ts";
import { release, VerificationFile } from "../../../src/evidence/runs/verification_file.ts";

const SESSION = "session_20261121_101500_3fa9";

async function setUp() {
  const sessionsDir = `${await Deno.makeTempDir()}/.code-intel/sessions`;
  const seal = createSeal(await Deno.makeTempDir());
  const create = () => new VerificationFile(SESSION, { sessionsDir, seal });
  return { sessionsDir, file: create(), create };
}

function toRun(id: string, kind: RunKind): VerificationRun {
  return {
    id,
    kind,
    sessionId: SESSION,
    visit: 0,
    treeAtEnd: null,
    wrote: [],
    voided: null,
    treeAtStart: "t",
    commandsHash: "h",
    startedAt: "2026-11-21T10:15:00.000Z",
    finishedAt: "2026-11-21T10:16:00.000Z",
    wasCancelled: false,
    results: [],
  };
}

Deno.test("write() keeps the last five runs and the last baseline, however old", async () => {
  const { file, create } = await setUp();
  const later = ["1", "2", "3", "4", "5", "6", "7"].map((id) => toRun(id, "verify"));
  const runs = [toRun("old", "baseline"), toRun("base", "baseline"), ...later];
  equal(await file.exists(), false);
  await file.withLock(() => file.write({ running: [], runs }));
  equal(await file.exists(), true);
  const kept = await create().read();
  deepEqual(kept.runs.map(({ id }) => id), ["base", "3", "4", "5", "6", "7"]);
});

Deno.test("tryHold() gives the mark of life to one at a time", async () => {
  const { file, create, sessionsDir } = await setUp();
  await file.withLock(async () => {
    const hold = await file.tryHold("run");
    ok(hold !== null);
    equal(await create().tryHold("run"), null);
    const other = await create().tryHold("other");
    ok(other !== null);
    await release(hold);
    await release(other);
    const again = await create().tryHold("run");
    ok(again !== null);
    await release(again);
  });
  const names = await Array.fromAsync(Deno.readDir(sessionsDir), ({ name }) => name);
  deepEqual(names, [`${SESSION}.verify.lock`]);
});
