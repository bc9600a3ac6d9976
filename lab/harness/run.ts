/** What every task of the lab does alike: it prints, keeps files in folders, starts scripts, and says where it ran. */
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { runProcess } from "../../src/base/processes/process.ts";
import { run } from "../../tools/run.ts";
import { print, REPOSITORY } from "../../tools/task.ts";

export { print, REPOSITORY };

/** Does something in a folder: the named one, which stays, or a temporary one. */
export async function withFolder<T>(
  named: string | undefined,
  action: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = named ?? await Deno.makeTempDir({ prefix: "code-intel-lab-" });
  try {
    return await action(folder);
  } finally {
    if (named === undefined) await Deno.remove(folder, { recursive: true });
  }
}

/** What a file of JSON holds; it is made where it is missing, and each time where no file is named. */
export async function keep<T>(path: string | undefined, make: () => Promise<T>): Promise<T> {
  if (path === undefined) return await make();
  const text = await Deno.readTextFile(path).catch(() => null);
  if (text !== null) return JSON.parse(text) as T;
  const made = await make();
  await Deno.writeTextFile(path, JSON.stringify(made));
  return made;
}

/** A line of JSON, whose fields are checked as they are read. */
export interface Row {
  /** A field that has to be a text. */
  text(key: string): string;
  /** A field that has to be a list, or is missing. */
  list(key: string): string[];
  readonly value: Readonly<Record<string, unknown>>;
}

/** Reads a file with one JSON object a line; null where there is no file. */
export async function readRows<T>(path: string, read: (row: Row) => T): Promise<T[] | null> {
  const text = await readIfThere(path);
  return text?.split("\n").filter((line) => line.trim() !== "").map((line, at) => {
    const value = JSON.parse(line) as Row["value"];
    const refuse = (key: string, what: string): never => {
      throw new Error(`${path}:${at + 1}: "${key}" is no ${what}`);
    };
    return read({
      value,
      text: (key) => {
        const field = value[key];
        return typeof field === "string" && field !== "" ? field : refuse(key, "text");
      },
      list: (key) => {
        const field = value[key] ?? [];
        return Array.isArray(field) ? field.map(String) : refuse(key, "list");
      },
    });
  }) ?? null;
}

/** The text of a file; null where there is none. */
export async function readIfThere(path: string): Promise<string | null> {
  return await Deno.readTextFile(path).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  });
}

/** Runs a script of the lab in a process of its own, and reads the JSON that it prints. */
export async function runScript<T>(
  script: string,
  args: readonly string[],
  flags: readonly string[] = [],
): Promise<T> {
  const config = ["--config", join(REPOSITORY, "deno.json")];
  const words = ["run", "-A", "--quiet", "--no-check", ...flags, ...config];
  const path = join(REPOSITORY, "lab", script);
  return JSON.parse(await run(Deno.execPath(), [...words, path, ...args], { cwd: REPOSITORY }));
}

/** How long an action takes, in milliseconds. */
export async function timeMs(action: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await action();
  return performance.now() - startedAt;
}

/** Waits. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The commit of this program, and whether files of a folder differ from it. */
export async function readCommit(folder = "."): Promise<string> {
  const commit = await run("git", ["rev-parse", "HEAD"], { cwd: REPOSITORY });
  const changed = await run("git", ["status", "--porcelain", folder], { cwd: REPOSITORY });
  return `${commit.trim()}${changed.trim() === "" ? "" : " with changes"}`;
}

/** One line: the commit, the machine, how busy it is (times are longer then), the version of Deno. */
export async function describePlace(): Promise<string> {
  const commit = (await readCommit("src")).replace(/^(.{12})\w*/, "$1");
  const cpu = cpus()[0]?.model ?? "unknown processor";
  const [load = 0] = loadavg();
  return `Commit ${commit}; ${cpus().length} cores of ${cpu}, load ${load.toFixed(1)}; ` +
    `Deno ${Deno.version.deno}`;
}

const MAX_PROGRAM_MS = 900_000;

/** What a program of another language prints; null where it is not there or fails. */
export async function readOutput(
  program: string,
  args: readonly string[],
  options: Parameters<typeof runProcess>[2] = {},
): Promise<string | null> {
  const limits = { timeoutMs: MAX_PROGRAM_MS, maxOutputBytes: 1024 ** 3 };
  const ended = await runProcess(program, args, { ...limits, ...options }).catch(() => null);
  return ended?.code === 0 ? new TextDecoder().decode(ended.stdout).trim() : null;
}

/** The same, where the program is known to be there. */
export async function requireOutput(...call: Parameters<typeof readOutput>): Promise<string> {
  const output = await readOutput(...call);
  if (output === null) throw new Error(`${call[0]} ${call[1][0] ?? ""} failed`);
  return output;
}
