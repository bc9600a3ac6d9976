/** Finds the file of a program as the operating system would when it starts it; starts nothing. */
import { delimiter, isAbsolute, join } from "node:path";

/** Where a program is looked for. */
export interface ProgramPlace {
  /** The working folder, absolute: names with a slash are relative to it. */
  readonly cwd: string;
  /** Folders, as the variable `PATH` has them. */
  readonly path: string;
}

/** Endings of programs on Windows that can be started without a shell. */
const ENDINGS = Deno.build.os === "windows" ? ["", ".exe", ".com"] : [""];

/** The absolute path of a program, or null where nothing of this name can be started. */
export async function findProgram(name: string, place: ProgramPlace): Promise<string | null> {
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
