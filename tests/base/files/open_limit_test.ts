/** Too low a limit of open files is said at the start, before anything is done by halves. */
import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { join } from "node:path";
import { expectOpenFiles } from "../../../src/base/files/open_file.ts";
import { SOURCE_COMMAND } from "../../support/server/mcp_client.ts";
import { testNeeding } from "../../support/needs.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

Deno.test("expectOpenFiles() lets this process go on, and leaves nothing open", () => {
  expectOpenFiles();
});

testNeeding(
  ["posix"],
  "a limit of 64 open files is named at the start: no program is called missing, no thread panics",
  async () => {
    await using repo = await createTempRepo();
    await Deno.writeTextFile(join(repo.dir, "pay.ts"), "export function pay() {}\n");
    await Deno.mkdir(join(repo.dir, ".code-intel"));
    const text = await runLimited(["text", "pay", "--json"], { limit: 64, cwd: repo.dir });
    const { ok, error, message, hint } = JSON.parse(text.stdout);
    deepEqual([text.code, ok, error, text.stderr], [2, false, "too_many_files", ""]);
    match(message, /only \d+ more files, and 96 are needed .*ulimit -n/);
    match(hint, /ulimit -n 1024/);
    const server = await runLimited(["serve"], { limit: 64, cwd: repo.dir });
    deepEqual([server.code, server.stdout], [2, ""]);
    match(server.stderr, /Cannot start: .*\nRaise the limit/);
  },
);

testNeeding(
  ["posix"],
  "a hook under a low limit of open files fails open with one line",
  async () => {
    await using repo = await createTempRepo();
    await Deno.mkdir(join(repo.dir, ".code-intel"));
    const event = JSON.stringify({ cwd: repo.dir, session_id: "a", source: "startup" });
    const words = ["hook", "session-start"];
    const hook = await runLimited(words, { limit: 64, cwd: repo.dir, stdin: event });
    deepEqual([hook.code, hook.stdout], [1, ""]);
    match(hook.stderr, /^code-intel hook: Cannot start: .*; nothing was decided\n$/);
  },
);

interface Limited {
  readonly limit: number;
  readonly cwd: string;
  readonly stdin?: string;
}

async function runLimited(words: readonly string[], { limit, cwd, stdin = "" }: Limited) {
  const child = new Deno.Command("sh", {
    args: ["-c", `ulimit -n ${limit} && exec "$@"`, "sh", ...SOURCE_COMMAND, ...words],
    cwd,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin)).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
