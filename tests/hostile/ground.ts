/**
 * The ground of the hostile rows: a repository made at test time, a folder outside of it that nothing may read or
 * write, and the real server. What lies outside holds a word that must turn up in no answer and no file.
 */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { dirname, join } from "node:path";
import type { CalledTool, McpClient } from "../support/server/mcp_client.ts";
import { startClient } from "../support/server/mcp_client.ts";
import type { CliResult } from "../support/server/cli.ts";
import { runHosted } from "../support/server/hosted_cli.ts";
import type { Project } from "../support/session/project.ts";
import { createProject } from "../support/session/project.ts";
import { giveUp } from "../support/temp_folder.ts";

/** A word of the files outside. */
export const SECRET = "canary-0f9d2b7e";
/** A server from source needs some 250 MB; a device that is read takes gigabytes within seconds. */
const MOST_MEMORY_MB = 900;
/** Longest answer: what hangs takes for ever, and what works takes a second, on a busy machine ten. */
const MOST_MS = 60_000;

/** A project with its surroundings. */
export class Ground implements AsyncDisposable {
  readonly project: Project;
  /** Folder beside the project with a file, a folder and a pipe. */
  readonly outside: string;
  #client: McpClient | null = null;
  #before: readonly string[] = [];
  /** Variables for every process of the program, beside those of the project. */
  env: Readonly<Record<string, string>> = {};

  private constructor(project: Project, outside: string) {
    this.project = project;
    this.outside = outside;
  }

  /** Makes a project, and beside it the folder that must stay as it is. */
  static async create(files?: Readonly<Record<string, string>>): Promise<Ground> {
    const project = await createProject(files === undefined ? {} : { files });
    const outside = await Deno.realPath(await Deno.makeTempDir({ prefix: "code-intel-outside-" }));
    await Deno.mkdir(join(outside, "folder"));
    const old = new Date("2001-02-03T04:05:06Z");
    for (const name of ["secret.txt", "folder/secret.md", "victim"]) {
      await Deno.writeTextFile(join(outside, name), `${SECRET}\n`);
      await Deno.utime(join(outside, name), old, old);
    }
    return new Ground(project, outside);
  }

  get dir(): string {
    return this.project.dir;
  }

  /** The absolute path of a path of the project. */
  at(path: string): string {
    return join(this.dir, path);
  }

  /** Makes a symbolic link in the project; its folder is made, what was in its place goes. */
  async link(path: string, target: string): Promise<void> {
    await this.clear(path);
    await Deno.symlink(target, this.at(path));
  }

  /** Makes a pipe without a writer: whoever opens it to read waits for ever. */
  async pipe(path: string): Promise<void> {
    await this.clear(path);
    const { success } = await new Deno.Command("mkfifo", { args: [this.at(path)] }).output();
    ok(success, "mkfifo");
  }

  /** Makes a file of many bytes that takes no space. */
  async sparse(path: string, sizeBytes: number): Promise<void> {
    await this.clear(path);
    await Deno.writeTextFile(this.at(path), "");
    await Deno.truncate(this.at(path), sizeBytes);
  }

  /** Makes the folder of a path and removes what is in its place. */
  async clear(path: string): Promise<void> {
    await Deno.mkdir(dirname(this.at(path)), { recursive: true });
    await Deno.remove(this.at(path), { recursive: true }).catch(() => {});
  }

  /** The server, started at the first call. */
  async server(): Promise<McpClient> {
    const env = { ...this.project.env, ...this.env };
    this.#client ??= await startClient({ projectDir: this.dir, env });
    return this.#client;
  }

  /** Asks the server, and fails when the answer takes too long or holds the word from outside. */
  async call(name: string, args: unknown = {}): Promise<CalledTool> {
    const client = await this.server();
    const called = await within(client.call(name, args), `${name} had no answer`)
      .catch(async (error) => {
        // A server that hangs would take the rows behind this one with it.
        await client.kill();
        this.#client = null;
        throw error;
      });
    ok(!called.text.includes(SECRET), `${name} showed what lies outside: ${called.text}`);
    ok(called.reply.error !== "internal_error", called.text);
    return called;
  }

  /** Runs a command line in the project, with the same checks. */
  async run(words: readonly string[], stdin = ""): Promise<CliResult> {
    const env = { ...this.project.env, ...this.env };
    const result = await within(
      runHosted(words, { cwd: this.dir, env, stdin }),
      `${words.join(" ")} did not end`,
    );
    const shown = `${result.stdout}${result.stderr}`;
    ok(!shown.includes(SECRET), `${words.join(" ")} showed what lies outside: ${shown}`);
    ok(result.code !== 3, shown);
    return result;
  }

  /** Notes how the outside is now; call it when everything hostile has been put in its place. */
  async note(): Promise<void> {
    this.#before = await readOutside(this.outside);
  }

  /** Holds the outside against the note, and the memory of the server against its bound. */
  async check(): Promise<void> {
    deepEqual(await readOutside(this.outside), this.#before, "the outside was changed");
    for (
      const folder of [this.at(".code-intel"), this.at(".git/code-intel"), this.project.stateDir]
    ) {
      await expectNoSecret(folder);
    }
    if (this.#client !== null) await checkMemory(this.#client.pid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client?.kill();
    await this.project[Symbol.asyncDispose]();
    await giveUp(this.outside);
  }
}

async function within<T>(work: Promise<T>, failure: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${failure} within ${MOST_MS} ms`)), MOST_MS);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}

/** Names, contents and times of everything outside. */
async function readOutside(folder: string, below = ""): Promise<readonly string[]> {
  const rows: string[] = [];
  for await (const { name, isDirectory, isFile } of Deno.readDir(join(folder, below))) {
    const path = join(below, name);
    const { mtime, mode, size } = await Deno.lstat(join(folder, path));
    const text = isFile ? await Deno.readTextFile(join(folder, path)) : "";
    rows.push([path, size, mode, mtime?.getTime(), text].join(" "));
    if (isDirectory) rows.push(...await readOutside(folder, path));
  }
  return rows.sort();
}

/** No file that the program wrote may hold what lies outside. */
async function expectNoSecret(folder: string): Promise<void> {
  const info = await Deno.lstat(folder).catch(() => null);
  if (info?.isDirectory !== true) return;
  for await (const { name, isDirectory, isFile } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) await expectNoSecret(path);
    // Larger files are those of the rows themselves.
    if (!isFile || (await Deno.lstat(path)).size > 32 * 1024 * 1024) continue;
    const text = new TextDecoder("latin1").decode(await Deno.readFile(path));
    ok(!text.includes(SECRET), `${path} holds what lies outside`);
  }
}

async function checkMemory(pid: number): Promise<void> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`).catch(() => "");
  const peakKb = Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? "0");
  ok(peakKb < MOST_MEMORY_MB * 1024, `the server took ${Math.round(peakKb / 1024)} MB`);
}
