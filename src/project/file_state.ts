/** Reads the files that a set-up concerns, and writes them: whole, with their mode, never through a link. */
import { dirname, join } from "node:path";
import { writeFileAtomic } from "../base/atomic_write.ts";
import { CodeIntelError, toIoError } from "../base/errors.ts";
import type { FileState } from "./init_plan.ts";

/** Where paths of a plan lie. */
export interface Places {
  /** Absolute path of the project. */
  readonly root: string;
  /** The person's home folder; null where there is none. */
  readonly home: string | null;
}

/** The absolute path of a path of a plan. */
export function toAbsolute({ root, home }: Places, path: string): string {
  if (!path.startsWith("~/")) return join(root, path);
  if (home !== null) return join(home, path.slice(2));
  throw new CodeIntelError("io_failed", `Cannot find "${path}": no home folder is known`, {
    hint: "Set HOME, then run the command again.",
  });
}

/** Reads a file, or says why it is left alone. */
export async function readFileState(places: Places, path: string): Promise<FileState> {
  const odd = await findOddFolder(places, path);
  if (odd !== null) return { kind: "odd", message: odd };
  const absolute = toAbsolute(places, path);
  try {
    const info = await Deno.lstat(absolute);
    if (info.isSymlink) return { kind: "odd", message: "it is a symbolic link" };
    if (info.isDirectory) return { kind: "odd", message: "it is a folder" };
    if (!info.isFile) return { kind: "odd", message: "it is no ordinary file" };
    const bytes = await Deno.readFile(absolute);
    const isReadOnly = info.mode !== null && (info.mode & 0o200) === 0;
    // The byte order mark belongs to the text: it has to be written back.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { kind: "text", text, isReadOnly };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { kind: "missing" };
    if (error instanceof TypeError) return { kind: "odd", message: "it is not UTF-8 text" };
    return { kind: "odd", message: toIoError("read it", error).message };
  }
}

/** Writes a file in one piece, keeping its mode; makes the folders above it. */
export async function writeText(places: Places, path: string, text: string): Promise<void> {
  const absolute = toAbsolute(places, path);
  const info = await Deno.stat(absolute).catch(() => null);
  await Deno.mkdir(dirname(absolute), { recursive: true }).catch((cause) => {
    throw toIoError(`make the folder of "${path}"`, cause);
  });
  const mode = info?.mode ?? null;
  await writeFileAtomic(absolute, text, mode === null ? {} : { mode: mode & 0o777 });
  // The umask of the process may have taken bits that the file had.
  if (mode !== null && Deno.build.os !== "windows") await Deno.chmod(absolute, mode & 0o777);
}

/** Folders above a path of the project that do not exist yet, parents first. */
export async function listMissingFolders(
  places: Places,
  paths: readonly string[],
): Promise<readonly string[]> {
  const missing = new Set<string>();
  for (const path of paths) {
    for (const folder of toFolders(path)) {
      const info = await Deno.lstat(toAbsolute(places, folder)).catch(() => null);
      if (info === null) missing.add(folder);
    }
  }
  return [...missing].sort();
}

/** A folder above the path that is a link or no folder: nothing is written through it. */
async function findOddFolder(places: Places, path: string): Promise<string | null> {
  for (const folder of toFolders(path)) {
    const info = await Deno.lstat(toAbsolute(places, folder)).catch(() => null);
    if (info?.isSymlink) return `its folder ${folder} is a symbolic link`;
    if (info !== null && !info.isDirectory) return `${folder} is a file, not a folder`;
  }
  return null;
}

function toFolders(path: string): readonly string[] {
  const home = path.startsWith("~/") ? "~/" : "";
  const parts = path.slice(home.length).split("/").slice(0, -1);
  return parts.map((_, index) => home + parts.slice(0, index + 1).join("/"));
}
