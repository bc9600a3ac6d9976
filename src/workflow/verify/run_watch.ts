/**
 * Watches what a verification run depends on while it lasts. Files are watched by their stamps, so
 * that even a reverted change is noticed. The commands and the texts behind them are watched by
 * their hash. The tree is watched too.
 */
import { lstat } from "node:fs/promises";
import type { ProjectCommands } from "../../evidence/runs/project_verification.ts";
import type { RunEnd, RunVoid, RunWatch } from "../../evidence/runs/verification.ts";
import type { VerifyCommand } from "../../evidence/runs/verify_commands.ts";
import { isWrittenBy } from "../../evidence/runs/verify_commands.ts";
import { isWorkingFile } from "../../ledger/write_guard.ts";
import type { SessionState } from "../../phase/state.ts";
import type { SessionContext } from "../context/sessions.ts";
import { findOutputs } from "../look/command_writes.ts";

/** What is watched. */
export interface RunWatchInput {
  readonly state: SessionState;
  readonly commands: readonly VerifyCommand[];
  readonly found: ProjectCommands;
  readonly treeAtStart: string;
  readonly maxFileMb: number;
  /** Files whose change makes the run void, relative to the worktree; "all" for every file. */
  readonly paths: readonly string[] | "all";
}

/** Most files whose stamps are read at once. */
const BATCH = 256;
/**
 * In a larger project a baseline run compares only the trees (guessed: two walks of about half a
 * second).
 */
const MAX_STAMPED = 20_000;

/** Makes the watch of one run; nothing is read before it begins. */
export function createRunWatch(context: SessionContext, input: RunWatchInput): RunWatch {
  return new Watch(context, input);
}

class Watch implements RunWatch {
  readonly #context: SessionContext;
  readonly #input: RunWatchInput;
  #stamps = new Map<string, string>();

  constructor(context: SessionContext, input: RunWatchInput) {
    this.#context = context;
    this.#input = input;
  }

  async begin(): Promise<void> {
    this.#stamps = await this.#readStamps(await this.#listPaths());
  }

  async look(after: string | null): Promise<RunVoid | null> {
    const { state, found, commands } = this.#input;
    const now = await this.#readStamps([...this.#stamps.keys()]);
    const last = commands.find(({ name }) => name === after);
    const changed = [...now].filter(([path, stamp]) => stamp !== this.#stamps.get(path))
      .map(([path]) => path);
    const outputs = await findOutputs(this.#context, changed);
    for (const path of changed) {
      const isOwn = last !== undefined &&
        (outputs.has(path) || isWrittenBy(last, this.#context.paths.toProject(path)));
      if (!isOwn) return this.#toVoid(path, after);
    }
    this.#stamps = now;
    const { hash } = await this.#context.deps.verification.loadCommands(state.fixedVerify);
    return hash === found.hash ? null : { path: ".code-intel/config.json", command: after };
  }

  async end(ran: readonly string[]): Promise<RunEnd> {
    const { trees, paths } = this.#context;
    const { state, treeAtStart, maxFileMb, commands } = this.#input;
    const tree = await trees.write({ sessionId: state.sessionId, maxFileMb });
    const changed = (await trees.diff(treeAtStart, tree)).map(({ path }) => path)
      .filter((path) => !this.#isOfProgram(path));
    const writers = commands.filter(({ name }) => ran.includes(name));
    const outputs = await findOutputs(this.#context, changed);
    const wrote = changed.flatMap((path) => {
      const writer = writers.find((command) => isWrittenBy(command, paths.toProject(path))) ??
        (outputs.has(path) ? writers.at(-1) : undefined);
      return writer === undefined ? [] : [{ path, command: writer.name }];
    });
    const first = changed.find((path) => this.#isVoiding(path, wrote));
    const voided = first === undefined ? null : this.#toVoid(first, ran.at(-1) ?? null);
    return { tree, wrote, voided };
  }

  /** A baseline run depends on every file; a later run on those of the session. */
  #isVoiding(path: string, wrote: RunEnd["wrote"]): boolean {
    const { paths } = this.#input;
    return paths === "all" ? !wrote.some((written) => written.path === path) : paths.includes(path);
  }

  #toVoid(path: string, command: string | null): RunVoid {
    return { path: this.#context.paths.toProject(path), command };
  }

  async #listPaths(): Promise<readonly string[]> {
    const { paths, found } = this.#input;
    const behind = found.behind.flatMap(({ path }) => this.#toWorktree(path));
    if (paths !== "all") return [...paths, ...behind];
    const all = (await this.#context.deps.listFiles()).flatMap((path) => this.#toWorktree(path))
      .filter((path) => !this.#isOfProgram(path));
    return all.length > MAX_STAMPED ? behind : [...all, ...behind];
  }

  /** Files of the program, its set-up included: the server writes some itself, and commands are compared by their hash. */
  #isOfProgram(path: string): boolean {
    return isWorkingFile(path) || this.#context.paths.toProject(path).startsWith(".code-intel/");
  }

  #toWorktree(path: string): readonly string[] {
    const resolved = this.#context.paths.toWorktree(path);
    return resolved.kind === "path" ? [resolved.path] : [];
  }

  async #readStamps(paths: readonly string[]): Promise<Map<string, string>> {
    const stamps = new Map<string, string>();
    for (let at = 0; at < paths.length; at += BATCH) {
      const batch = paths.slice(at, at + BATCH);
      const read = await Promise.all(
        batch.map((path) => readStamp(this.#context.paths.toAbsolute(path))),
      );
      batch.forEach((path, index) => stamps.set(path, read[index] ?? ""));
    }
    return stamps;
  }
}

/** A text that changes with every write, even of the same content; empty where there is no file. */
async function readStamp(path: string): Promise<string> {
  const info = await lstat(path, { bigint: true }).catch(() => null);
  return info === null ? "" : `${info.ino} ${info.size} ${info.mtimeNs} ${info.ctimeNs}`;
}
