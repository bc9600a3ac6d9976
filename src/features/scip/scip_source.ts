/**
 * The index files of a project: found, read and kept until one of them changes. A long one is read in turns, so that other
 * answers go on meanwhile; nothing is started and nothing is written.
 */
import { dirname, join } from "node:path/posix";
import { readStampText } from "../../base/files/file_stamp.ts";
import type { RefusedFile } from "../../base/files/regular_file.ts";
import { readRegularFile } from "../../base/files/regular_file.ts";
import { parseRepoPath } from "../../base/repo_path.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { ScipFile } from "./decode.ts";
import { ScipRefusal } from "./decode.ts";
import { ScipTrust } from "./trust.ts";
import { waitAtMost } from "../../base/clock.ts";

/** What there is of index files. */
export type ScipState =
  | { readonly kind: "absent" }
  /** The next answers have it. */
  | { readonly kind: "reading" }
  | { readonly kind: "refused"; readonly path: string; readonly reason: string }
  | { readonly kind: "read"; readonly paths: readonly string[]; readonly trust: ScipTrust };

/** Where index files are. */
export interface ScipSourceOptions {
  /** Absolute path of the project. */
  readonly projectRoot: string;
  /** Paths of the index files, from the project. */
  readonly loadPaths: () => Promise<readonly string[]>;
  /** Longest wait of an answer; default as a server waits, which has it for the next one. */
  readonly waitMs?: number;
}

/** Work of one turn, before other work goes first. */
const TURN_MS = 20;

/** Reads the index files of one project. */
export class ScipSource {
  readonly #options: ScipSourceOptions;
  #stamp = "";
  #state: ScipState = { kind: "absent" };
  #reading: Promise<void> = Promise.resolve();

  constructor(options: ScipSourceOptions) {
    this.#options = options;
  }

  /** Longest time that an answer waits for work on the files. */
  get waitMs(): number {
    return this.#options.waitMs ?? LIMITS.indexWaitMs.value;
  }

  /** What there was at the last look. */
  get state(): ScipState {
    return this.#state;
  }

  /** What there is now; waits for a file that is being read, but not longer than an answer may. */
  async read(waitMs: number = this.waitMs): Promise<ScipState> {
    const paths = await this.#findPaths();
    const stamp = paths.map(({ stamp }) => stamp).join("\n");
    if (stamp !== this.#stamp) {
      this.#stamp = stamp;
      this.#state = paths.length === 0 ? { kind: "absent" } : { kind: "reading" };
      if (paths.length > 0) this.#reading = this.#load(paths.map(({ path }) => path), stamp);
    }
    if (this.#state.kind === "reading" && waitMs > 0) await waitAtMost(this.#reading, waitMs);
    return this.#state;
  }

  async #load(paths: readonly string[], stamp: string): Promise<void> {
    const state = await this.#readAll(paths);
    // A file that was replaced meanwhile is read by whoever saw that.
    if (stamp === this.#stamp) this.#state = state;
  }

  async #readAll(paths: readonly string[]): Promise<ScipState> {
    const files: ScipFile[] = [];
    for (const path of paths) {
      const reading = this.#readFile(path);
      if (reading.kind === "refused") return { kind: "refused", path, reason: reading.reason };
      if (reading.kind === "read") files.push({ folder: dirname(path), bytes: reading.bytes });
    }
    const [path = ""] = paths;
    try {
      return { kind: "read", paths, trust: await decodeInTurns(files) };
    } catch (error) {
      if (!(error instanceof ScipRefusal)) throw error;
      return { kind: "refused", path, reason: error.message };
    }
  }

  #readFile(path: string): ReturnType<typeof readRegularFile> | RefusedFile {
    const { projectRoot } = this.#options;
    const maxBytes = LIMITS.scipFileBytes.value;
    return readRegularFile(join(projectRoot, path), { within: projectRoot, maxBytes });
  }

  /** The files that are there, each with what changes when its content does. */
  async #findPaths(): Promise<readonly { readonly path: string; readonly stamp: string }[]> {
    const { projectRoot, loadPaths } = this.#options;
    const found = [];
    for (const named of await loadPaths()) {
      const parsed = parseRepoPath(projectRoot, named);
      if (parsed.kind === "refused") continue;
      const stamp = readStampText(join(projectRoot, parsed.path));
      if (stamp !== null) found.push({ path: parsed.path, stamp: `${stamp} ${parsed.path}` });
    }
    return found;
  }
}

async function decodeInTurns(files: readonly ScipFile[]): Promise<ScipTrust> {
  // Most projects have no index file: the reader and its package are loaded for the first one.
  const { decodeScip } = await import("./decode.ts");
  const work = decodeScip(files);
  let endsAt = performance.now() + TURN_MS;
  while (true) {
    const step = work.next();
    if (step.done === true) return new ScipTrust(step.value);
    if (performance.now() < endsAt) continue;
    await new Promise((resolve) => setTimeout(resolve, 0));
    endsAt = performance.now() + TURN_MS;
  }
}
