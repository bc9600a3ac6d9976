/** Why a program could not be started: each cause is made for real, and says its own next step. */
import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { join } from "node:path";
import { CodeIntelError } from "../../../src/base/errors.ts";
import { runProcess } from "../../../src/base/processes/process.ts";
import type { RunOptions } from "../../../src/base/processes/process.ts";
import { makeStartError } from "../../../src/base/processes/start_failure.ts";
import { testNeeding } from "../../support/needs.ts";

async function failureOf(
  command: string,
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<CodeIntelError> {
  const failure = await runProcess(command, args, options).then(() => null, (error) => error);
  if (failure instanceof CodeIntelError) return failure;
  throw new Error(`expected a failure, got ${failure}`);
}

testNeeding(
  ["posix"],
  "runProcess() tells a missing program, folder, right and interpreter apart",
  async () => {
    const dir = await Deno.makeTempDir();
    const file = async (name: string, text: string, mode: number) => {
      await Deno.writeTextFile(join(dir, name), text, { mode });
      return join(dir, name);
    };
    const rows = [
      ["backend_missing", /"no-such-program": it was not found/, "no-such-program", {}],
      ["io_failed", /no\/such" is no folder/, "sh", { cwd: join(dir, "no/such") }],
      ["io_failed", /plain" is no folder/, "sh", { cwd: await file("plain", "", 0o644) }],
      ["start_refused", /may not be executed/, await file("right", "#!/bin/sh\n", 0o644), {}],
      ["start_refused", /interpreter is missing/, await file("odd", "#!/no/such\n", 0o755), {}],
      ["start_refused", /interpreter is missing/, "./odd", { cwd: dir }],
    ] as const;
    for (const [code, message, command, options] of rows) {
      const failure = await failureOf(command, [], options);
      deepEqual(failure.code, code, failure.message);
      match(failure.message, message);
      match(String(failure.hint), /\.$/);
    }
    await Deno.remove(dir, { recursive: true });
  },
);

testNeeding(
  ["posix"],
  "runProcess() said of arguments that are too long that the program was not found",
  async () => {
    const failure = await failureOf("git", Array(100_000).fill("x".repeat(100)));
    deepEqual(failure.code, "arguments_too_long");
    match(failure.message, /100000 arguments/);
  },
);

testNeeding(
  ["posix"],
  "runProcess() said of too many open files that rg was not found",
  async () => {
    const module = JSON.stringify(import.meta.resolve("../../../src/base/processes/process.ts"));
    const code = `import { runProcess } from ${module};
      const held = [];
      try { for (;;) held.push(Deno.openSync("/dev/null")); } catch { /* The limit is reached. */ }
      await runProcess("git", ["version"]).catch((error) => console.log(error.code, error.message));`;
    // The limit is lowered for this one process.
    const run = ["-c", 'ulimit -n 64; exec "$0" "$@"', Deno.execPath(), "eval", "--no-lock", code];
    const output = await new Deno.Command("sh", { args: run }).output();
    match(
      new TextDecoder().decode(output.stdout),
      /^too_many_files Cannot start "git": the system limits how many files a process has open/,
    );
  },
);

Deno.test("makeStartError() reads every cause from its name, and passes on what it does not know", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["ENFILE", "too_many_files"],
    ["EAGAIN", "resources_short"],
    ["ENOMEM", "resources_short"],
    ["ENOEXEC", "start_refused"],
    ["EWHATEVER", "start_refused"],
  ];
  for (const [name, code] of rows) {
    const cause = Object.assign(new Error(`Failed: ${name} (os error 99)`), { code: name });
    deepEqual(makeStartError({ command: "rg", args: [] }, cause).code, code, name);
  }
});

testNeeding(
  ["posix"],
  "makeStartError() says that the present folder is gone, in whatever folder the program is to work",
  async () => {
    const gone = await Deno.makeTempDir();
    // In a process of its own: the folder belongs to all tests that run at the same time.
    const door = import.meta.resolve("../../../src/base/processes/start_failure.ts");
    const script = `import { makeStartError } from ${JSON.stringify(door)};
await Deno.remove(${JSON.stringify(gone)});
// A new folder of the same name is not the one that this process is in.
await Deno.mkdir(${JSON.stringify(gone)});
// The runtime of the executable finds no program then.
const cause = new Deno.errors.NotFound("No such file or directory (os error 2)");
const attempt = { command: "git", args: [], cwd: ${JSON.stringify(gone)} };
const { code, message } = makeStartError(attempt, cause);
console.log(JSON.stringify([code, message]));`;
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", "--no-lock", script],
      cwd: gone,
    }).output();
    deepEqual(JSON.parse(new TextDecoder().decode(stdout)), [
      "io_failed",
      'Cannot start "git": the present folder is gone',
    ]);
    await Deno.remove(gone);
  },
);
