/** What ways with runs of their own share: they collect what each part of a suite ran, and run several parts at once. */
import { relative } from "node:path";
import { LIMITS } from "../../../base/settings/limits.ts";
import { readRegularText } from "../../../base/files/regular_file.ts";
import type { RanFunction, RecordedTest, Recording } from "../record/recording.ts";

/** Longest run of one part, in milliseconds (guessed). */
export const PART_MS = 120_000;
/** Longest build of what the parts need, in milliseconds (guessed). */
export const BUILD_MS = 900_000;
/** Most parts that are run (guessed); more are left out. */
export const MOST_PARTS = 20_000;
const MOST_NOTES = 20;

/** How often code ran, by its number or place. */
export type Counts<Key> = ReadonlyMap<Key, number>;

/** What ran more often in a part than it does with no test at all. */
export function listGrown<Key>(counts: Counts<Key>, loaded: Counts<Key>): readonly Key[] {
  return [...counts].flatMap(([key, count]) => count > (loaded.get(key) ?? 0) ? [key] : []);
}

/** Collects tests and the functions that they ran. */
export class PartTally {
  readonly #root: string;
  readonly #ids = new Map<string, number>();
  readonly #functions: RanFunction[] = [];
  readonly #tests: RecordedTest[] = [];
  readonly #loaded = new Set<number>();
  readonly #notes = new Set<string>();

  /** @param root absolute folder of the run. */
  constructor({ root }: { readonly root: string }) {
    this.#root = root;
  }

  /** A path relative to the folder of the run, with `/`. */
  toPath(path: string): string {
    return relative(this.#root, path).replaceAll("\\", "/");
  }

  /** The position of a function, by a line of it. */
  find(path: string, line: number): number {
    const key = `${line} ${path}`;
    const id = this.#ids.get(key) ?? this.#functions.push({ path, line, name: "" }) - 1;
    this.#ids.set(key, id);
    return id;
  }

  /** Notes a test, or a part of the suite, and what it ran. */
  add(test: Omit<RecordedTest, "ran">, ran: Iterable<number>): void {
    this.#tests.push({ ...test, ran: [...new Set(ran)] });
  }

  /** Notes functions that run before any test does. */
  addLoaded(ran: Iterable<number>): void {
    for (const id of ran) this.#loaded.add(id);
  }

  /** Notes in a sentence what is missing from the record. */
  leaveOut(note: string): void {
    if (this.#notes.size < MOST_NOTES) this.#notes.add(note);
  }

  /** All of it. Ways with runs of their own see no calls. */
  toRecording(runner: string): Recording {
    const [functions, tests, notes] = [this.#functions, this.#tests, [...this.#notes]];
    const loaded = [...this.#loaded];
    return { runner, functions, tests, loaded, calls: [], isWhole: notes.length === 0, notes };
  }
}

/** Runs `run` for each item, as many at once as there are cores. */
export async function runAtOnce<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items].reverse();
  const runNext = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await run(item);
  };
  await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, runNext));
}

/** The text of a file that a run wrote into the folder of the record; null where it wrote none, or too much. */
export function readWritten(folder: string, path: string): string | null {
  return readRegularText(path, { within: folder, maxBytes: LIMITS.wholeFileBytes.value }) ?? null;
}

/** The same, and removes it, so that the next one's is known to be its own. */
export async function takeWritten(folder: string, path: string): Promise<string | null> {
  const text = readWritten(folder, path);
  await Deno.remove(path).catch(() => {});
  return text;
}
