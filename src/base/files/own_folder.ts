/**
 * The one way to write into the folders of the program: `.code-intel` of a project, `code-intel` in a git folder, the
 * user's state folder and cache. A clone can bring any of their parts as a symbolic link. A write
 * through such a link lands in a file of the user. So every part from the folder of the program
 * down is looked at. A link, or anything else that does not belong there, is refused by name.
 */
import { dirname, join, relative, sep } from "node:path";
import type { SystemCause } from "../system_cause.ts";
import { findSystemCause } from "../system_cause.ts";
import { closeSync, constants, fsyncSync, openSync, writeSync } from "node:fs";
import type { AtomicWriteOptions } from "./atomic_write.ts";
import { writeFileAtomic } from "./atomic_write.ts";
import { CodeIntelError, makeIoError } from "../errors.ts";
import { describeFileKind } from "./regular_file.ts";
import { SAME_CALL, say } from "../text/words.ts";

/** What a program has written and taken back again may be free by now, so that more than a page is tried. */
const PROBE_BYTES = 64 * 1024;

/** Why nothing can be written to a folder; null where it can, or the folder itself is what is wrong. */
export async function probeDisk(folder: string): Promise<SystemCause | null> {
  const path = join(folder, `probe.${crypto.randomUUID().slice(0, 8)}.tmp`);
  try {
    appendOwnFile(path, new Uint8Array(PROBE_BYTES), { below: folder });
    return null;
  } catch (failure) {
    return findSystemCause((failure as Error).cause);
  } finally {
    await Deno.remove(path).catch(() => {});
  }
}

/** Which folder belongs to the program. */
export interface OwnOptions {
  /**
   * Absolute path of the folder of the program that the path lies in; itself no link, while the folders above it may
   * be. Default: {@link findOwnFolder}, else the parent of the path.
   */
  readonly below?: string;
}

/** How a folder is made. */
export interface MakeFolderOptions extends OwnOptions {
  /** Permission bits of new folders. */
  readonly mode?: number;
}

/** How a file is written. */
export interface OwnWriteOptions extends AtomicWriteOptions, OwnOptions {}

/**
 * The folder of the program that a path lies in, by its name; null for other paths. Links are not followed. It is the
 * outermost `.code-intel`, because copies below it have the names of the project's files; else the innermost
 * `code-intel`, because a project too may lie in a folder of that name.
 */
export function findOwnFolder(path: string): string | null {
  const parts = path.split(/[\\/]/);
  const project = parts.indexOf(".code-intel");
  const at = project < 0 ? parts.lastIndexOf("code-intel") : project;
  return at < 0 ? null : parts.slice(0, at + 1).join(sep);
}

/**
 * Refuses a path that leads through a link, or whose last part is there and is no regular file. Call it before each
 * use of a file that the system would follow a link at: opening, renaming, copying, removing.
 *
 * @throws {CodeIntelError} `own_path_refused`.
 */
export function checkOwnFile(path: string, options: OwnOptions = {}): void {
  checkParts(path, options, "file");
}

/**
 * The same for a folder, which need not exist.
 *
 * @throws {CodeIntelError} `own_path_refused`.
 */
export function checkOwnFolder(path: string, options: OwnOptions = {}): void {
  checkParts(path, options, "folder");
}

/**
 * Makes a folder of the program and those above it, from the folder of the program down.
 *
 * @throws {CodeIntelError} `own_path_refused`, `disk_full`, `io_failed`.
 */
export async function makeOwnFolder(path: string, options: MakeFolderOptions = {}): Promise<void> {
  checkParts(path, options, "folder");
  const { mode } = options;
  await Deno.mkdir(path, { recursive: true, ...(mode === undefined ? {} : { mode }) })
    .catch((cause) => {
      throw makeIoError(`make the folder "${path}"`, cause);
    });
}

/**
 * Replaces a file of the program in one piece.
 *
 * @throws {CodeIntelError} `own_path_refused`, `disk_full`, `io_failed`; the file is then as it was before.
 */
export async function writeOwnFile(
  path: string,
  data: string | Uint8Array,
  options: OwnWriteOptions = {},
): Promise<void> {
  checkParts(path, options, "file");
  await writeFileAtomic(path, data, options);
}

/** How something is added to a file. */
export interface AppendOptions extends OwnOptions {
  /** True waits until the disk has it. */
  readonly sync?: boolean;
}

const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Adds bytes to a file of its owner alone, in a single write, so that several processes never mix theirs.
 *
 * @throws {CodeIntelError} `own_path_refused`, `disk_full` where only a part could be written, `io_failed`.
 */
export function appendOwnFile(path: string, bytes: Uint8Array, options: AppendOptions = {}): void {
  checkParts(path, options, "file");
  let written = 0;
  try {
    const file = openSync(path, APPEND, 0o600);
    try {
      written = writeSync(file, bytes);
      if (options.sync === true) fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw makeIoError(`write "${path}"`, cause);
  }
  if (written === bytes.length) return;
  // A part was taken, which only a full disk does.
  throw makeIoError(`write "${path}"`, new Error("ENOSPC"));
}

/**
 * What a folder of the program holds; nothing where there is no such folder.
 *
 * @throws {CodeIntelError} `own_path_refused`, `io_failed`.
 */
export async function listOwnFolder(
  path: string,
  options: OwnOptions = {},
): Promise<readonly Deno.DirEntry[]> {
  return await Promise.resolve(listNow(path, options));
}

/** Synchronous: the folders of the program are small, and each answer lists one. */
function listNow(path: string, options: OwnOptions): readonly Deno.DirEntry[] {
  if (!checkParts(path, options, "folder")) return [];
  try {
    return [...Deno.readDirSync(path)];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw makeIoError(`list "${path}"`, error);
  }
}

/** Whether the path is there; a part that is no folder or file of the program is refused. */
function checkParts(path: string, { below }: OwnOptions, wanted: "file" | "folder"): boolean {
  const own = below ?? findOwnFolder(path) ?? (wanted === "file" ? dirname(path) : path);
  const rest = relative(own, path).split(sep).filter((part) => part !== "" && part !== ".");
  const paths = [own];
  for (const part of rest) paths.push(`${paths.at(-1)}${sep}${part}`);
  for (const [at, one] of paths.entries()) {
    const info = lstatOrNull(one);
    if (info === null) return false;
    const isLast = at === paths.length - 1;
    if (isLast && wanted === "file" ? info.isFile : info.isDirectory) continue;
    throw makePathError(one, info, isLast && wanted === "file" ? "file" : "folder");
  }
  return true;
}

/** Null where nothing is: what comes below it cannot be there either. */
function lstatOrNull(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return null;
    }
    throw makeIoError(`look at "${path}"`, error);
  }
}

function makePathError(
  path: string,
  info: Deno.FileInfo,
  wanted: "file" | "folder",
): CodeIntelError {
  const what = wanted === "file" ? "a regular file" : "a folder";
  const found = info.isFile ? "it is no folder" : describeFileKind(info);
  return new CodeIntelError(
    "own_path_refused",
    `Cannot use "${path}": ${found}, and code-intel writes only into files and folders of its own`,
    { hint: say`Remove it, or put ${what} in its place, then ${SAME_CALL} again.` },
  );
}
