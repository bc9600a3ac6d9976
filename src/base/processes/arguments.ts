/**
 * Lists in the arguments of a program. A command line has a length limit, so a list goes by standard input
 * where the program reads it from there; where it does not, only through this file.
 */
import { delimiter, isAbsolute, join } from "node:path";

/** Where a program is looked for. */
export interface ProgramSearch {
  /** The working folder, absolute: names with a slash are relative to it. */
  readonly cwd: string;
  /** Folders, as the variable `PATH` has them. */
  readonly path: string;
}

/** Endings of programs on Windows that can be started without a shell. */
const ENDINGS = Deno.build.os === "windows" ? ["", ".exe", ".com"] : [""];

/** The absolute path of a program, or null where nothing of this name can be started. */
export async function findProgram(name: string, place: ProgramSearch): Promise<string | null> {
  const folders = /[\\/]/.test(name)
    ? [isAbsolute(name) ? "" : place.cwd]
    // A relative folder would mean another program in each working folder.
    : place.path.split(delimiter).filter((folder) => isAbsolute(folder));
  for (const folder of folders) {
    for (const ending of ENDINGS) {
      const file = folder === "" ? name + ending : join(folder, name + ending);
      if (await canStart(file)) return file;
    }
  }
  return null;
}

async function canStart(file: string): Promise<boolean> {
  const info = await Deno.stat(file).catch(() => null);
  if (info === null || !info.isFile) return false;
  return info.mode === null || (info.mode & 0o111) !== 0;
}

/**
 * Windows takes 32,767 characters for the whole command line, program and settings included. The other
 * systems take at least a megabyte; three bytes is the most that a UTF-16 unit takes in UTF-8.
 */
const MOST_BYTES = Deno.build.os === "windows" ? 24_000 : 800_000;
/** git holds each path against each argument: beyond so many it is faster to ask for all and filter (guessed). */
const MOST_ARGUMENTS = 1_000;

/** Whether a list may stand on a command line of its own. */
export function fitsCommandLine(values: readonly string[]): boolean {
  return values.length <= MOST_ARGUMENTS && measureArguments(values) <= MOST_BYTES;
}

/** A list in parts that each fit on a command line, in its order. */
export function* batchArguments(values: readonly string[]): Generator<string[]> {
  let batch: string[] = [];
  let sizeBytes = 0;
  for (const value of values) {
    const bytes = measureArguments([value]);
    if (sizeBytes + bytes > MOST_BYTES && batch.length > 0) {
      yield batch;
      batch = [];
      sizeBytes = 0;
    }
    batch.push(value);
    sizeBytes += bytes;
  }
  if (batch.length > 0) yield batch;
}

/** With room for what stands round each value: `./`, a blank or quotes. */
function measureArguments(values: readonly string[]): number {
  return values.reduce((sum, value) => sum + value.length * 3 + 3, 0);
}
