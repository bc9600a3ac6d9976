/** What is remembered of proofs: only whole ones, only for a day, and nothing that somebody else wrote. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { createSeal } from "../../src/base/files/seal.ts";
import type { VerificationResultRow } from "../../src/evidence/runs/verification.ts";
import { openProofMemory } from "../../src/prove/proof_memory.ts";
import type { Proof } from "../../src/prove/verdict.ts";

const KEY = { base: "a".repeat(40), tree: "b".repeat(40), commandsHash: "c" };
const PROOF: Proof = { verdict: "proven", line: "proven: all", findings: [], checks: [] };
const COMMAND = { name: "test", run: ["pytest"], paths: null, writes: [], timeoutMs: 1 };
const ROW = { name: "test", cancelled: false, timedOut: false } as VerificationResultRow;

async function open(steering: Readonly<Record<string, string>> = {}, dir = "") {
  const stateDir = dir === "" ? await Deno.makeTempDir() : dir;
  let at = Date.parse("2026-01-01T00:00:00.000Z");
  const clock = { now: () => new Date(at) };
  const memory = openProofMemory({ stateDir, seal: createSeal(stateDir), clock, steering });
  return {
    stateDir,
    memory,
    folder: join(stateDir, "proofs"),
    pass: (hours: number) => at += hours * 3_600_000,
  };
}

Deno.test("a proof of the same trees and commands is known for a day, another one is not", async () => {
  const { memory, pass } = await open();
  await memory.saveProof(KEY, PROOF);
  deepEqual((await memory.readProof(KEY))?.proof, PROOF);
  equal(await memory.readProof({ ...KEY, tree: "d".repeat(40) }), null);
  equal(await memory.readProof({ ...KEY, commandsHash: "d" }), null);
  pass(25);
  equal(await memory.readProof(KEY), null);
});

Deno.test("what was not looked at to its end is not kept, nor a file without the seal", async () => {
  const { memory, folder } = await open();
  await memory.saveProof(KEY, { ...PROOF, verdict: "unknown" });
  const late = { name: "commands", state: "skipped", seconds: 0, why: "the time is up" } as const;
  await memory.saveProof(KEY, { ...PROOF, checks: [late] });
  equal(await memory.readProof(KEY), null);
  await memory.saveProof(KEY, { ...PROOF, verdict: "broken" });
  const [file] = await Array.fromAsync(Deno.readDir(folder));
  const path = join(folder, file?.name ?? "");
  const text = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, text.replace("broken", "proven"));
  equal(await memory.readProof(KEY), null);
});

Deno.test("results on the tree of before are kept by their commands, unless they were ended early", async () => {
  const { memory } = await open();
  await memory.saveResults("t", [COMMAND], [{ ...ROW, timedOut: true }]);
  equal(await memory.readResults("t", [COMMAND]), null);
  await memory.saveResults("t", [COMMAND], [ROW]);
  deepEqual(await memory.readResults("t", [COMMAND]), [ROW]);
  equal(await memory.readResults("t", [{ ...COMMAND, run: ["pytest", "-x"] }]), null);
});

Deno.test("what ran with other variables that steer runners is not known, and answers to it are", async () => {
  const { memory: steered, stateDir } = await open({ PYTEST_ADDOPTS: "hash" });
  await steered.saveProof(KEY, PROOF);
  await steered.saveResults("t", [COMMAND], [ROW]);
  const answer = { finding: null, reason: "no net", by: "agent", at: "2026" } as const;
  await steered.addAnswers("t", [answer]);
  const { memory } = await open({}, stateDir);
  equal(await memory.readProof(KEY), null);
  equal(await memory.readResults("t", [COMMAND]), null);
  deepEqual(await memory.readAnswers("t"), [answer]);
});

Deno.test("at most 200 files stay, the newest", async () => {
  const { memory, folder } = await open();
  for (let at = 0; at < 203; at++) await memory.saveResults(`${at}`, [COMMAND], [ROW]);
  equal((await Array.fromAsync(Deno.readDir(folder))).length, 200);
  deepEqual(await memory.readResults("202", [COMMAND]), [ROW]);
});
