/** An executable in a folder that was removed: one line, where the runtime would end with a panic. */
import { deepStrictEqual as deepEqual, strictEqual as equal, throws } from "node:assert/strict";
import { join } from "node:path";
import { guardPresentFolder } from "../../tools/compile/gone_folder.ts";
import { testNeeding } from "../support/needs.ts";

const LINUX = {
  what: "Linux on x64",
  hindrance: Deno.build.os === "linux" && Deno.build.arch === "x86_64"
    ? null
    : `this is ${Deno.build.os} on ${Deno.build.arch}`,
};

const CODE_AT = 0x1000;
const ADDRESS = 0x400000;
/** Ends with the count of the arguments, which stands on the stack: `mov rdi, [rsp]`, `mov eax, exit`, `syscall`. */
const CODE = [0x48, 0x8b, 0x3c, 0x24, 0xb8, 60, 0, 0, 0, 0x0f, 0x05];

/** A program of two segments, as the linker of the runtime lays them out: data, and code a page further in memory. */
function makeProgram(): Uint8Array {
  const bytes = new Uint8Array(CODE_AT + CODE.length);
  const view = new DataView(bytes.buffer);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  for (const [at, value] of [[0x10, 2], [0x12, 62], [0x34, 64], [0x36, 56], [0x38, 2]] as const) {
    view.setUint16(at, value, true);
  }
  view.setUint32(0x14, 1, true);
  view.setBigUint64(0x18, BigInt(ADDRESS + 2 * CODE_AT), true);
  view.setBigUint64(0x20, 64n, true);
  const rows = [
    { flags: 4, offset: 0, address: ADDRESS, size: 64 + 2 * 56 },
    { flags: 5, offset: CODE_AT, address: ADDRESS + 2 * CODE_AT, size: CODE.length },
  ];
  for (const [at, { flags, offset, address, size }] of rows.entries()) {
    const row = 64 + at * 56;
    view.setUint32(row, 1, true);
    view.setUint32(row + 4, flags, true);
    const fields = [offset, address, address, size, size, CODE_AT];
    fields.forEach((value, index) => view.setBigUint64(row + 8 + index * 8, BigInt(value), true));
  }
  bytes.set(CODE, CODE_AT);
  return bytes;
}

testNeeding(
  ["processes", LINUX],
  "a guarded executable says in one line that its folder is gone, and else runs as before",
  async () => {
    const dir = await Deno.makeTempDir();
    const program = join(dir, "program");
    await Deno.writeFile(program, guardPresentFolder(makeProgram()), { mode: 0o755 });
    const run = async (script: string, ...words: string[]) => {
      const args = ["-c", script, "sh", program, ...words];
      const { code, stderr } = await new Deno.Command("/bin/sh", { args, cwd: dir }).output();
      return [code, new TextDecoder().decode(stderr)];
    };
    const gone = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
    const command = "code-intel: the present folder is gone: cd to an existing one\n";
    const hook =
      "code-intel hook: the present folder is gone: start the client in one that exists; nothing was decided\n";
    deepEqual(await run('exec "$@"'), [1, ""]);
    deepEqual(await run('exec "$@"', "hook", "stop"), [3, ""]);
    deepEqual(await run(gone), [2, command]);
    deepEqual(await run(gone, "def", "x"), [2, command]);
    deepEqual(await run(gone, "hooks"), [2, command]);
    deepEqual(await run(gone, "hook", "stop"), [1, hook]);
    // These need no folder: the program runs, and ends with the count of its words.
    for (const word of ["--version", "-V", "--help", "-h"]) {
      deepEqual(await run(gone, word), [2, ""]);
    }
    deepEqual(await run(gone, "def", "x", "--project", "/"), [5, ""]);
    deepEqual(await run(gone, "def", "--project=/"), [3, ""]);
    for (const word of ["--print-config", "-Vx", "-help", "--json"]) {
      deepEqual(await run(gone, "init", word), [2, command], word);
    }
  },
);

Deno.test("guardPresentFolder() changes nothing but the entry point, one segment and the unused end of a page", () => {
  const before = makeProgram();
  const after = guardPresentFolder(before);
  equal(after.length, before.length);
  deepEqual(after.subarray(CODE_AT), before.subarray(CODE_AT));
  deepEqual(before, makeProgram(), "the bytes that were given stay");
});

Deno.test("guardPresentFolder() refuses an executable that is laid out in another way", () => {
  const taken = makeProgram();
  taken[CODE_AT - 1] = 1;
  const near = makeProgram();
  new DataView(near.buffer).setBigUint64(64 + 56 + 16, BigInt(ADDRESS + CODE_AT), true);
  for (const bytes of [taken, near]) {
    throws(() => guardPresentFolder(bytes), /not laid out as this task knows it.*2\.6\.10/);
  }
});
