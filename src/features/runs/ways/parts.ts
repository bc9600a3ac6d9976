/** What ways with runs of their own share: they collect what each part of a suite ran, and run several parts at once. */
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

/** Collects tests and the functions that they ran, each function once. */
export class PartTally {
  readonly #ids = new Map<string, number>();
  readonly #functions: RanFunction[] = [];
  readonly #tests: RecordedTest[] = [];
  readonly #loaded = new Set<number>();
  readonly #notes = new Set<string>();
  #isWhole = true;

  /** The position of a function. */
  find({ path, line, name }: RanFunction): number {
    const key = `${line} ${name} ${path}`;
    let id = this.#ids.get(key);
    if (id === undefined) {
      this.#ids.set(key, id = this.#functions.length);
      this.#functions.push({ path, line, name });
    }
    return id;
  }

  /** Notes a test and what it ran. */
  add(test: Omit<RecordedTest, "ran">, ran: ReadonlySet<number>): void {
    this.#tests.push({ ...test, ran: [...ran] });
  }

  /** Notes functions that run before any test does. */
  addLoaded(ran: ReadonlySet<number>): void {
    for (const id of ran) this.#loaded.add(id);
  }

  /** Notes in a sentence what is missing from the record. */
  leaveOut(note: string): void {
    this.#isWhole = false;
    if (this.#notes.size < MOST_NOTES) this.#notes.add(note);
  }

  /** All of it. Ways with runs of their own see no calls. */
  toRecording(runner: string): Recording {
    return {
      runner,
      functions: this.#functions,
      tests: this.#tests,
      loaded: [...this.#loaded],
      calls: [],
      isWhole: this.#isWhole,
      notes: [...this.#notes],
    };
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

/** Removes a file that a run wrote, so that the next one's is known to be its own. */
export async function removeWritten(path: string): Promise<void> {
  await Deno.remove(path).catch(() => {});
}
