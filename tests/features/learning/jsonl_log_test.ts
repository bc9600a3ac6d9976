/** The learning logs on disk: whole lines, each once, from several processes, within their bound. */
import {
  deepStrictEqual as deepEqual,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { testNeeding } from "../../support/needs.ts";
import { JsonlLog } from "../../../src/features/learning/jsonl_log.ts";

interface Line {
  readonly recordId: string;
  readonly text: string;
}

function parse(value: unknown): Line | undefined {
  const line = value as Line;
  return typeof line.recordId === "string" && typeof line.text === "string" ? line : undefined;
}

function open(folder: string, maxBytes?: number): JsonlLog<Line> {
  return new JsonlLog({ folder, name: "test", parse, ...(maxBytes ? { maxBytes } : {}) });
}

async function withFolder(check: (folder: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    await check(join(dir, "logs"));
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("add() writes a line once, whoever wrote it before", () =>
  withFolder(async (folder) => {
    const line = { recordId: "a", text: "1" };
    const log = open(folder);
    deepEqual(await log.read(), { lines: [], damaged: 0 });
    deepEqual([await log.has("a"), await log.add(line), await log.add(line)], [false, true, false]);
    const other = open(folder);
    deepEqual([other.isKnown("a"), await other.has("a"), other.isKnown("a")], [false, true, true]);
    equal(await open(folder).add(line), false);
    deepEqual(await log.read(), { lines: [line], damaged: 0 });
  }));

Deno.test("a torn line and foreign text spoil themselves only, and are counted", () =>
  withFolder(async (folder) => {
    await Deno.mkdir(folder);
    const path = join(folder, "test.jsonl");
    await Deno.writeTextFile(path, 'nonsense\n{"recordId":"x"}\n{"recordId":"torn","te');
    await open(folder).add({ recordId: "b", text: "2" });
    deepEqual(await open(folder).read(), { lines: [{ recordId: "b", text: "2" }], damaged: 3 });
  }));

Deno.test("a full log is turned over: two generations are read, and a line of the older one is not repeated", () =>
  withFolder(async (folder) => {
    const log = open(folder, 200);
    for (let n = 1; n <= 12; n++) await log.add({ recordId: `line_${n}`, text: "x".repeat(40) });
    const { lines } = await log.read();
    ok(lines.length >= 3 && lines.length < 12, `${lines.length} lines`);
    equal(lines.at(-1)?.recordId, "line_12");
    const oldest = lines[0];
    ok(oldest !== undefined);
    equal(await open(folder, 200).add(oldest), false);
    for (const name of ["test.jsonl", "test.1.jsonl"]) {
      const { size } = await Deno.stat(join(folder, name));
      ok(size < 300, `${name}: ${size} bytes`);
    }
  }));

Deno.test("several processes at once lose no line and mix none", () =>
  withFolder(async (folder) => {
    const writer = fileURLToPath(new URL("log_writer.ts", import.meta.url));
    const runs = [1, 2, 3].map((name) =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", "--quiet", "-P=test", writer, folder, `${name}`],
        stderr: "inherit",
      }).output()
    );
    for (const { code } of await Promise.all(runs)) equal(code, 0);
    const { lines, damaged } = await open(folder).read();
    // Each process writes twenty lines of its own and the one that all share.
    deepEqual([lines.length, damaged], [3 * 20 + 1, 0]);
    equal((await Deno.readTextFile(join(folder, "test.jsonl"))).trim().split("\n").length, 61);
  }));

testNeeding(
  ["posix"],
  "a log that was a link got its lines written into the file that it led to",
  () =>
    withFolder(async (folder) => {
      const victim = `${folder}.victim`;
      await Deno.mkdir(folder, { recursive: true });
      try {
        await Deno.writeTextFile(victim, "mine");
        await Deno.symlink(victim, join(folder, "test.jsonl"));
        const log = open(folder);
        await rejects(log.add({ recordId: "a", text: "1" }), { code: "control_file_unusable" });
        await Deno.remove(victim);
        await rejects(log.add({ recordId: "a", text: "1" }), { code: "control_file_unusable" });
        await Deno.remove(join(folder, "test.jsonl"));
        await Deno.remove(join(folder, ".lock"));
        await Deno.symlink(victim, join(folder, ".lock"));
        await rejects(log.add({ recordId: "a", text: "1" }), { code: "own_path_refused" });
        equal(await Deno.stat(victim).then(() => "there", () => "gone"), "gone");
      } finally {
        await Deno.remove(victim).catch(() => {});
      }
    }),
);

Deno.test("a folder that cannot be made is an error with a hint", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(folder, "a file");
    await rejects(open(folder).add({ recordId: "a", text: "1" }), {
      code: "own_path_refused",
      message: /it is no folder/,
    });
  }));
