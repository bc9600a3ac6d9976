/** The file of a session's runs: what is kept, and the mark of life of a run. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import {
  COUNTED,
  createPlace,
  PATIENCE_MS,
  SESSION,
  spawnRunner,
  toRequest,
  toVoiding,
  waitFor,
} from "../runner_place.ts";
import { createSeal } from "../../../src/base/files/seal.ts";
import type { RunKind, VerificationRun } from "../../../src/evidence/runs/verification.ts";
import { releaseHold, VerificationFile } from "../../../src/evidence/runs/verification_file.ts";

Deno.test("start() ends the other runs of the session first, those of other processes too", async () => {
  const { create, projectRoot } = await createPlace();
  const [first, second] = [create(), create()];
  const slow = { name: "slow", script: "touch ran; sleep 60" };
  const started = await first.start(toRequest([slow], { kind: "baseline" }));
  ok(started.kind === "running");
  await waitFor(() => Deno.stat(`${projectRoot}/ran`).then(() => true, () => false));
  const next = await second.start(toRequest([{ name: "quick", script: "true" }]));
  ok(next.kind === "running");
  equal((await first.wait(started.id, PATIENCE_MS)).kind, "lost");
  ok((await second.wait(next.id, PATIENCE_MS)).kind === "done");
  const runs = await second.read(SESSION);
  deepEqual(runs.map(({ kind, wasCancelled }) => [kind, wasCancelled]), [
    ["baseline", true],
    ["verify", false],
  ]);
});

Deno.test("a run that another process has cancelled counts as cancelled, although it came to its end", async () => {
  const { create, projectRoot } = await createPlace();
  const [first, second] = [create(), create()];
  // Its watch holds the run at the end until the other process has asked.
  let letGo = () => {};
  const asked = new Promise<void>((resolve) => void (letGo = resolve));
  const watch = { ...toVoiding(null), end: () => asked.then(() => toVoiding(null).end([])) };
  const script = "touch ran";
  const started = await first.start(
    toRequest([{ name: "red", script }], { kind: "baseline", watch }),
  );
  ok(started.kind === "running");
  await waitFor(() => Deno.stat(`${projectRoot}/ran`).then(() => true, () => false));
  await second.cancelSession(SESSION, "baseline");
  letGo();
  await first.wait(started.id, PATIENCE_MS);
  equal((await second.read(SESSION))[0]?.wasCancelled, true);
});

Deno.test("a void run is run again, also on the very same tree", async () => {
  const { create, countRuns } = await createPlace();
  const runner = create();
  const watch = toVoiding({ path: "src/a.ts", command: null });
  const request = toRequest([{ name: "test", script: COUNTED }], { watch });
  const { id } = await runner.start(request) as { readonly id: string };
  equal((await runner.wait(id, PATIENCE_MS)).kind, "done");
  for (const other of [runner, create()]) {
    equal((await other.read(SESSION))[0]?.voided?.path, "src/a.ts");
  }
  await runner.start(request);
  await runner.wait(id, PATIENCE_MS);
  equal(await countRuns(), 2);
});

Deno.test("sweep() ends the command that a killed process left running", async () => {
  const place = await createPlace();
  const process = spawnRunner(
    place,
    toRequest([{ name: "slow", script: "echo $$ > ran; sleep 60" }]),
  );
  const path = `${place.projectRoot}/ran`;
  const runner = place.create();
  await waitFor(async () => (await runner.readRunning(SESSION))[0]?.commandPid !== null);
  await waitFor(async () => (await Deno.readTextFile(path).catch(() => "")).trim() !== "");
  process.kill("SIGKILL");
  await process.status;
  await process.stdout.cancel();
  const pid = (await Deno.readTextFile(path)).trim();
  const isAlive = () => Deno.stat(`/proc/${pid}/cwd`).then(() => true, () => false);
  await runner.sweep(SESSION);
  deepEqual(await runner.readRunning(SESSION), []);
  await waitFor(async () => !await isAlive());
});

const OWN_SESSION = "session_20261121_101500_3fa9";

async function setUp() {
  const sessionsDir = `${await Deno.makeTempDir()}/.code-intel/sessions`;
  const seal = createSeal(await Deno.makeTempDir());
  const create = () => new VerificationFile(OWN_SESSION, { sessionsDir, seal });
  return { sessionsDir, file: create(), create };
}

function toRun(id: string, kind: RunKind): VerificationRun {
  return {
    id,
    kind,
    sessionId: OWN_SESSION,
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
    await releaseHold(hold);
    await releaseHold(other);
    const again = await create().tryHold("run");
    ok(again !== null);
    await releaseHold(again);
  });
  const names = await Array.fromAsync(Deno.readDir(sessionsDir), ({ name }) => name);
  deepEqual(names, [`${OWN_SESSION}.verify.lock`]);
});
