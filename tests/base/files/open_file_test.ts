/** The door through which files are opened: what it opens, it closes. */
import {
  deepStrictEqual as deepEqual,
  match,
  rejects,
  strictEqual as equal,
  throws,
} from "node:assert/strict";
import { join } from "node:path";
import {
  closeAfter,
  expectOpenFiles,
  openFile,
  withFile,
} from "../../../src/base/files/open_file.ts";
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

async function inFolder(action: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(folder, "a"), "text");
    await action(join(folder, "a"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A closed file cannot be read any more. */
function expectClosed(file: Deno.FsFile): void {
  throws(() => file.statSync(), Deno.errors.BadResource);
}

Deno.test("withFile() gives what the work gives and closes the file", () =>
  inFolder(async (path) => {
    const { file, size } = await withFile(path, { read: true }, async (file) => {
      return { file, size: (await file.stat()).size };
    });
    equal(size, 4);
    expectClosed(file);
  }));

Deno.test("withFile() closes the file when the work fails, now or later", () =>
  inFolder(async (path) => {
    const seen: Deno.FsFile[] = [];
    const works: readonly ((file: Deno.FsFile) => void | Promise<void>)[] = [
      () => {
        throw new Error("now");
      },
      () => Promise.reject(new Error("later")),
    ];
    for (const work of works) {
      const failing = withFile(path, { read: true }, (file) => {
        seen.push(file);
        return work(file);
      });
      await rejects(failing, /now|later/);
    }
    equal(seen.length, 2);
    seen.forEach(expectClosed);
  }));

Deno.test("withFile() fails as the system does where there is nothing to open", () =>
  inFolder(async (path) => {
    await rejects(withFile(`${path}.none`, { read: true }, () => {}), Deno.errors.NotFound);
  }));

Deno.test("closeAfter() closes a file that was opened before", () =>
  inFolder(async (path) => {
    const file = await openFile(path);
    equal(await closeAfter(file, (open) => open.readSync(new Uint8Array(8))), 4);
    expectClosed(file);
  }));
