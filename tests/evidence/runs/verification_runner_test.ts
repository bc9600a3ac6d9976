/** Runs in the background: one for one tree, read by every process, forged by none. */
import {
  deepStrictEqual as deepEqual,
  match,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { dirname } from "node:path";
import type {
  VerificationProgress,
  VerificationRun,
} from "../../../src/evidence/runs/verification.ts";
import { formatSummary } from "../../../src/evidence/runs/run_formats.ts";
import { hashRunId } from "../../../src/evidence/runs/verification_file.ts";
import { archiveFiles } from "../../../src/session/archive.ts";
import { isRunning } from "../../support/server/processes.ts";
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

Deno.test("start() runs the commands in order, and all of them although one fails", async () => {
  const { create } = await createPlace();
  const runner = create();
  const finished: VerificationRun[] = [];
  const request = toRequest([
    { name: "lint", script: "echo lint" },
    { name: "test", script: "echo red; exit 2" },
    { name: "build", script: "sleep 60", timeoutMs: 200 },
  ], { onFinished: (run) => void finished.push(run) });
  const started = await runner.start(request);
  ok(started.kind === "running" && started.command === "lint" && started.pid === Deno.pid);
  const state = await runner.wait(started.id, PATIENCE_MS);
  ok(state.kind === "done");
  const { run } = state;
  deepEqual(run.results.map((row) => [row.name, row.exitCode, row.timedOut, row.outputTail]), [
    ["lint", 0, false, "lint\n"],
    ["test", 2, false, "red\n"],
    ["build", null, true, ""],
  ]);
  deepEqual([run.treeAtStart, run.kind, run.wasCancelled], ["a".repeat(40), "verify", false]);
  ok(run.results.every(({ treeAtStart }) => treeAtStart === run.treeAtStart));
  deepEqual(finished, [run]);
  deepEqual(await runner.read(SESSION), [run]);
});

Deno.test("start() returns before the commands end, and wait() only after its time", async () => {
  const { create, projectRoot } = await createPlace();
  const runner = create();
  const progress: VerificationProgress[] = [];
  const script = "echo one; until [ -e go ]; do sleep 0.05; done";
  const state = await runner.start(toRequest([{ name: "slow", script }], {
    onProgress: (row) => void progress.push(row),
  }));
  ok(state.kind === "running");
  let waited = await runner.wait(state.id, 300);
  ok(waited.kind === "running" && waited.elapsedMs >= 250);
  while (waited.kind === "running" && !waited.lastLine) {
    waited = await runner.wait(state.id, 50);
  }
  ok(waited.kind === "running");
  deepEqual([waited.command, waited.lastLine], ["slow", "one"]);
  await Deno.writeTextFile(`${projectRoot}/go`, "");
  equal((await runner.wait(state.id, PATIENCE_MS)).kind, "done");
  deepEqual([progress[0]?.position, progress[0]?.total], [1, 1]);
});

Deno.test("start() runs once for one tree, however often and from whichever runner it is asked", async () => {
  const { create, countRuns, projectRoot } = await createPlace();
  const [one, two] = [create(), create()];
  const script = `${COUNTED}until [ -e go ]; do sleep 0.05; done`;
  const request = toRequest([{ name: "test", script }]);
  const states = await Promise.all([one.start(request), one.start(request), two.start(request)]);
  deepEqual(states.map(({ kind }) => kind), ["running", "running", "running"]);
  await Deno.writeTextFile(`${projectRoot}/go`, "");
  const id = hashRunId(request);
  equal((await two.wait(id, PATIENCE_MS)).kind, "done");
  equal((await one.wait(id, PATIENCE_MS)).kind, "done");
  equal((await one.start(request)).kind, "done");
  equal((await create().start(request)).kind, "done");
  equal(await countRuns(), 1);
});

Deno.test("start() runs again for another tree, other commands, texts, or the baseline", async () => {
  const { create, countRuns } = await createPlace();
  const runner = create();
  const commands = [{ name: "test", script: COUNTED }];
  const requests = [
    toRequest(commands),
    toRequest(commands, { tree: "b".repeat(40) }),
    toRequest(commands, { commandsHash: "other" }),
    toRequest(commands, { kind: "baseline" }),
    toRequest([...commands, { name: "more", script: ":" }]),
  ];
  for (const request of requests) {
    await runner.start(request);
    equal((await runner.wait(hashRunId(request), PATIENCE_MS)).kind, "done");
  }
  equal(await countRuns(), requests.length);
  equal((await runner.read(SESSION)).length, requests.length);
});

Deno.test("cancel() ends the program, marks the run, and lets it be started again", async () => {
  const { create, countRuns } = await createPlace();
  const runner = create();
  const request = toRequest([
    { name: "a", script: `${COUNTED}sleep 60` },
    { name: "b", script: COUNTED },
  ], { kind: "baseline" });
  const { kind } = await runner.start(request);
  equal(kind, "running");
  const id = hashRunId(request);
  await waitFor(async () => await countRuns() === 1);
  const began = performance.now();
  equal(await runner.cancel(id), true);
  ok(performance.now() - began < PATIENCE_MS);
  const [run] = await runner.read(SESSION);
  deepEqual([run?.wasCancelled, run?.results.map(({ name }) => name)], [true, ["a"]]);
  equal((await runner.wait(id, 0)).kind, "lost");
  equal(await runner.cancel(id), false);
  equal((await runner.start(request)).kind, "running");
  await waitFor(async () => await countRuns() === 2);
  await runner.close();
});

Deno.test("results changed by hand count for nothing, and are run again", async () => {
  const place = await createPlace();
  const request = toRequest([{ name: "test", script: `${COUNTED}exit 1` }]);
  const first = place.create();
  await first.start(request);
  await first.wait(hashRunId(request), PATIENCE_MS);
  const text = await Deno.readTextFile(place.path);
  match(text, /"exitCode":1/);
  const forgeries = [
    text.replace('"exitCode":1', '"exitCode":0'),
    text.replace('"exitCode":1', '"exitCode":0').replace(/,"seal":"[^"]*"/, ""),
    text.replace('"exitCode":1', '"exitCode":0').replace(/"seal":"[0-9a-f]{8}/, '"seal":"00000000'),
    "{broken",
    "",
  ];
  for (const [index, forged] of forgeries.entries()) {
    ok(forged !== text);
    await Deno.writeTextFile(place.path, forged);
    const runner = place.create();
    deepEqual(await runner.read(SESSION), [], `forgery ${index}`);
    equal((await runner.start(request)).kind, "running");
    const state = await runner.wait(hashRunId(request), PATIENCE_MS);
    deepEqual(state.kind === "done" && state.run.results[0]?.exitCode, 1);
    // What fails is run once more.
    equal(await place.countRuns(), 2 * (index + 2));
  }
});

Deno.test("results of another session count for nothing", async () => {
  const place = await createPlace();
  const request = toRequest([{ name: "test", script: COUNTED }]);
  const runner = place.create();
  await runner.start(request);
  await runner.wait(hashRunId(request), PATIENCE_MS);
  const other = "session_20261121_101500_ffff";
  await Deno.copyFile(place.path, place.path.replace(SESSION, other));
  deepEqual(await place.create().read(other), []);
  deepEqual((await place.create().read(SESSION)).length, 1);
});

Deno.test("a runner without a key believes what it ran itself, and nothing else", async () => {
  const { create, countRuns } = await createPlace();
  const request = toRequest([{ name: "test", script: COUNTED }]);
  const runner = create(null);
  await runner.start(request);
  await runner.wait(hashRunId(request), PATIENCE_MS);
  equal((await runner.start(request)).kind, "done");
  equal((await runner.read(SESSION)).length, 1);
  equal((await create(null).start(request)).kind, "running");
  await waitFor(async () => await countRuns() === 2);
});

Deno.test("another process sees the run, waits for it, and gets its results", async () => {
  const place = await createPlace();
  const request = toRequest([{ name: "test", script: `${COUNTED}sleep 1.5; echo done` }]);
  const runner = place.create();
  const child = spawnRunner(place, request);
  await waitFor(async () => await place.countRuns() === 1);
  const state = await runner.start(request);
  ok(state.kind === "running" && state.pid === child.pid && state.command === "test");
  equal(await runner.cancel(state.id), false, "it is not ours");
  const end = await runner.wait(state.id, PATIENCE_MS);
  const told = JSON.parse(new TextDecoder().decode((await child.output()).stdout));
  equal(told.first, "running");
  deepEqual(end, told.end);
  equal(end.kind === "done" && end.run.results[0]?.outputTail, "done\n");
  equal(await place.countRuns(), 1);
});

Deno.test("of two processes that start at once one runs and both get its results", async () => {
  const place = await createPlace();
  const request = toRequest([{ name: "test", script: `${COUNTED}sleep 0.5` }]);
  const children = [spawnRunner(place, request), spawnRunner(place, request)];
  const ends = await Promise.all(children.map(async (child) => {
    const { stdout } = await child.output();
    return JSON.parse(new TextDecoder().decode(stdout)).end;
  }));
  deepEqual(ends[0], ends[1]);
  equal(ends[0].kind, "done");
  equal(await place.countRuns(), 1);
});

Deno.test("a killed server's run is lost, its command is ended, and it is run again", async () => {
  const place = await createPlace();
  const script = `echo $$ >> pids; ${COUNTED}[ $(wc -c < ran) = 1 ] && exec sleep 60; echo again`;
  const request = toRequest([{ name: "test", script }]);
  const child = spawnRunner(place, request);
  const id = hashRunId(request);
  const runner = place.create();
  // The mark names the process of the command only after it has begun.
  await waitFor(async () => {
    const text = await Deno.readTextFile(place.path).catch(() => "");
    return /"commandPid":\d/.test(text) && await place.countRuns() === 1;
  });
  equal((await runner.wait(id, 0)).kind, "running");
  child.kill("SIGKILL");
  await child.output();
  equal((await runner.wait(id, PATIENCE_MS)).kind, "lost");
  const pid = await Deno.readTextFile(`${place.projectRoot}/pids`);
  await waitFor(async () => !await isRunning(pid));
  equal((await runner.start(request)).kind, "running");
  const end = await runner.wait(id, PATIENCE_MS);
  equal(end.kind === "done" && end.run.results[0]?.outputTail, "again\n");
  equal(await place.countRuns(), 2);
});

Deno.test("what a killed server left is no run that goes on, before anybody asks for its result", async () => {
  const place = await createPlace();
  const request = toRequest([{ name: "test", script: `${COUNTED}exec sleep 60` }]);
  const child = spawnRunner(place, request);
  const runner = place.create();
  await waitFor(async () => (await runner.readRunning(SESSION))[0]?.commandPid !== null);
  await waitFor(async () => (await runner.readRunning(SESSION)).length === 1);
  child.kill("SIGKILL");
  await child.output();
  deepEqual(await runner.readRunning(SESSION), []);
});

Deno.test("a run that ends after its session was archived writes nothing", async () => {
  const place = await createPlace();
  const runner = place.create();
  const request = toRequest([{ name: "test", script: `${COUNTED}sleep 0.5` }]);
  const state = await runner.start(request);
  await waitFor(async () => await place.countRuns() === 1);
  await archiveFiles(dirname(place.path), SESSION);
  ok(state.kind === "running");
  equal((await runner.wait(state.id, PATIENCE_MS)).kind, "done");
  await rejects(Deno.stat(place.path), Deno.errors.NotFound);
});

Deno.test("a run leaves no mark of life behind, and an unknown id is lost", async () => {
  const place = await createPlace();
  const runner = place.create();
  const request = toRequest([{ name: "test", script: ":" }]);
  await runner.start(request);
  await runner.wait(hashRunId(request), PATIENCE_MS);
  const names = (await Array.fromAsync(Deno.readDir(`${place.projectRoot}/.code-intel/sessions`)))
    .map(({ name }) => name).sort();
  deepEqual(names, [`${SESSION}.verify.json`, `${SESSION}.verify.lock`]);
  for (
    const id of [
      "",
      "x",
      "../../etc.verify.0123456789abcdef",
      `${SESSION}.verify.${"0".repeat(16)}`,
    ]
  ) {
    deepEqual(await runner.wait(id, 0), { kind: "lost", id });
  }
});

Deno.test("start() answers as running, and begins nothing, while another process has the mark of life", async () => {
  const { create, projectRoot, countRuns } = await createPlace();
  const runner = create();
  const rows = [{ name: "check", script: `${COUNTED}true` }];
  const request = toRequest(rows, { watch: toVoiding({ path: "src/a.ts", command: null }) });
  await runner.start(request);
  const id = hashRunId(request);
  equal((await runner.wait(id, PATIENCE_MS)).kind, "done");
  const alive = `${projectRoot}/.code-intel/sessions/${id}.alive`;
  const take = async () => {
    const file = await Deno.open(alive, { read: true, write: true, create: true });
    await file.lock(true);
    return file;
  };
  // A run that is void is begun anew; one that is over has let its mark go. Either may find it taken.
  for (const voided of [true, false]) {
    if (!voided) await Deno.remove(`${projectRoot}/.code-intel/sessions/${SESSION}.verify.json`);
    const before = await countRuns();
    const other = await take();
    equal((await create().start(request)).kind, "running");
    equal(await countRuns(), before);
    // A program that is being started at this moment has the file too: closing it would not let the lock go.
    await other.unlock();
    other.close();
    const again = create();
    await again.start(request);
    equal((await again.wait(id, PATIENCE_MS)).kind, "done");
    equal(await countRuns(), before + 1);
  }
});

Deno.test("start() asks for the mark of life once: what it let go it need not get again", async () => {
  const { create, countRuns } = await createPlace();
  const request = toRequest([{ name: "check", script: `${COUNTED}true` }]);
  const open = Deno.open;
  let asked = 0;
  // On a machine that is busy the second request may come back empty-handed.
  Deno.open = async (path, options) => {
    const file = await open(path, options);
    if (!String(path).endsWith(".alive") || ++asked === 1) return file;
    const other = await open(path, options);
    await other.lock(true);
    return file;
  };
  try {
    const runner = create();
    await runner.start(request);
    equal((await runner.wait(hashRunId(request), PATIENCE_MS)).kind, "done");
  } finally {
    Deno.open = open;
  }
  deepEqual([asked, await countRuns()], [1, 1]);
});

Deno.test("close() ends what this process runs", async () => {
  const { create, countRuns } = await createPlace();
  const runner = create();
  await runner.start(toRequest([{ name: "test", script: `${COUNTED}sleep 60` }]));
  await waitFor(async () => await countRuns() === 1);
  const began = performance.now();
  await runner.close();
  ok(performance.now() - began < PATIENCE_MS);
});

const SUMMARY =
  /flaky: it failed first \(exit code 1 only; \d+\.\d s\) and passed when the server ran it once more/;

Deno.test("start() runs once more what failed by the work, and tells a flaky command with both results", async () => {
  const green = { exitCode: 0, timedOut: false, cancelled: false };
  const rows = [
    ["flaky", "verify", `${COUNTED}[ "$(cat ran)" = xx ]`, 2, 0],
    ["red", "verify", `${COUNTED}exit 1`, 2, 1],
    ["green", "verify", COUNTED, 1, 0],
    ["baseline", "baseline", `${COUNTED}exit 1`, 1, 1],
  ] as const;
  for (const [name, kind, script, count, exitCode] of rows) {
    const { create, countRuns } = await createPlace();
    const runner = create();
    const before = [{ ...green, name }] as never;
    const request = toRequest([{ name, script }], kind === "verify" ? { before } : { kind });
    await runner.start(request);
    const state = await runner.wait(hashRunId(request), PATIENCE_MS);
    ok(state.kind === "done", name);
    const [result] = state.run.results;
    ok(result !== undefined);
    deepEqual([result.exitCode, await countRuns()], [exitCode, count], name);
    equal(SUMMARY.test(formatSummary(result)), name === "flaky", formatSummary(result));
  }
});
