/** Two generations of one file: whole at every moment, also when the writer is killed. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { createSeal } from "../../src/base/files/seal.ts";
import type { Checkpoint } from "../../src/session/session.ts";
import { CHECKPOINT_FORMAT } from "../../src/session/session.ts";
import {
  buildGenerationPaths,
  quarantineFile,
  readGeneration,
  sealCheckpoint,
  writeGeneration,
} from "../../src/session/checkpoint_reader.ts";
import { SAMPLE_ID, sampleState } from "./sample_state.ts";
import { killChild } from "../support/server/processes.ts";
import { inTempFolder } from "../support/temp_folder.ts";

const OFF = createSeal(null);

function checkpoint(revision: number): Checkpoint {
  return {
    format: CHECKPOINT_FORMAT,
    revision,
    savedAt: "2026-01-31T14:25:30.000Z",
    state: sampleState(),
  };
}

async function readRevision(path: string): Promise<number | string> {
  const generation = await readGeneration(path, SAMPLE_ID, OFF);
  return generation.kind === "whole" ? generation.checkpoint.revision : generation.kind;
}

Deno.test("writeGeneration() keeps the generation before, and leaves no other file", () =>
  inTempFolder(async (folder) => {
    const paths = buildGenerationPaths(folder, SAMPLE_ID);
    for (let revision = 1; revision <= 3; revision++) {
      await writeGeneration(paths, (await sealCheckpoint(checkpoint(revision), OFF)).text);
      equal(await readRevision(paths.current), revision);
      equal(await readRevision(paths.previous), revision === 1 ? "absent" : revision - 1);
    }
    const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    deepEqual(names.sort(), [`${SAMPLE_ID}.json`, `${SAMPLE_ID}.json.prev`]);
  }));

Deno.test("writeGeneration() works after a kill left both names on one file", () =>
  inTempFolder(async (folder) => {
    const paths = buildGenerationPaths(folder, SAMPLE_ID);
    await writeGeneration(paths, (await sealCheckpoint(checkpoint(1), OFF)).text);
    await Deno.link(paths.current, paths.previous);
    await writeGeneration(paths, (await sealCheckpoint(checkpoint(2), OFF)).text);
    deepEqual([await readRevision(paths.current), await readRevision(paths.previous)], [2, 1]);
    const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    equal(names.length, 2, names.join(", "));
  }));

Deno.test("R28: both generations are whole whenever the writing process is killed", () =>
  inTempFolder(async (folder) => {
    const paths = buildGenerationPaths(folder, SAMPLE_ID);
    const program = join(import.meta.dirname ?? "", "checkpoint_writer.ts");
    let last = 0;
    for (let round = 0; round < 6; round++) {
      const child = new Deno.Command(Deno.execPath(), {
        args: ["run", "--no-check", "--no-lock", "-A", program, folder, String(last)],
        stdout: "piped",
        stderr: "inherit",
      }).spawn();
      const reader = child.stdout.getReader();
      await reader.read(); // The writer says when it begins.
      await new Promise((resolve) => setTimeout(resolve, 15 + round * 7));
      killChild(child);
      await child.status;
      await reader.cancel();
      const current = await readRevision(paths.current);
      const previous = await readRevision(paths.previous);
      ok(typeof current === "number" && current > last, `current: ${current} after ${last}`);
      // A slow machine kills the first writer before its second save: there is no generation before.
      const isFirst = current === 1 && previous === "absent";
      const isNext = previous === current - 1 || previous === current;
      ok(isFirst || isNext, `previous: ${previous} of ${current}`);
      last = current;
    }
  }));

Deno.test("readGeneration() does not read a file that is too large to be a checkpoint", () =>
  inTempFolder(async (folder) => {
    const path = join(folder, "large.json");
    await Deno.writeTextFile(path, "");
    await Deno.truncate(path, 9 * 1024 * 1024);
    equal((await readGeneration(path, SAMPLE_ID, OFF)).kind, "damaged");
  }));

Deno.test("quarantineFile() never writes over an earlier damaged file", () =>
  inTempFolder(async (folder) => {
    const path = join(folder, `${SAMPLE_ID}.json`);
    for (const text of ["one", "two"]) {
      await Deno.writeTextFile(path, text);
      await quarantineFile(folder, SAMPLE_ID, path);
    }
    equal(await Deno.readTextFile(`${path}.corrupt-1`), "one");
    equal(await Deno.readTextFile(`${path}.corrupt-2`), "two");
  }));
