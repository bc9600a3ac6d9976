/**
 * Reads and writes the files of a set-up, and finds where their paths lead. A write replaces the whole file, keeps its mode,
 * and follows no link; a link within the project is followed before, so that `CLAUDE.md -> AGENTS.md` is one text.
 */
import { basename, dirname, join, relative } from "node:path";
import { CodeIntelError, makeIoError } from "../../base/errors.ts";
import { writeFileAtomic } from "../../base/files/atomic_write.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { readRegularFile } from "../../base/files/regular_file.ts";
import type { FileState } from "../setup/init_plan.ts";
import type { SetupManifest } from "../setup/setup_manifest.ts";

/** The folders that the paths of a plan are below. */
export interface SetupRoots {
  /** Absolute path of the project. */
  readonly root: string;
  /** The user's home folder; null where none is known. */
  readonly home: string | null;
}

/** The absolute path of a planned file. */
export function resolvePath({ root, home }: SetupRoots, path: string): string {
  if (!path.startsWith("~/")) return join(root, path);
  if (home !== null) return join(home, path.slice(2));
  throw new CodeIntelError("io_failed", `Cannot find "${path}": no home folder is known`, {
    hint: "Set HOME, then run the command again.",
  });
}

/** Where a path leads. */
export type LinkTarget =
  /** There is no link on the way. */
  | { readonly kind: "plain" }
  /** A link leads to this path of the project. */
  | { readonly kind: "inside"; readonly path: string }
  | { readonly kind: "odd"; readonly message: string; readonly hint: string };

/** Folders in which nothing is written through a link. */
const CLOSED = /^(?:\.git|\.code-intel)(?:\/|$)/;

/** Follows the links of a path of the project or the home folder. */
export async function findLinkTarget(places: SetupRoots, path: string): Promise<LinkTarget> {
  const link = await findFirstLink(places, path);
  if (link === null) return { kind: "plain" };
  const said = link === path ? "it is a symbolic link" : `its folder ${link} is a symbolic link`;
  const own = link === path ? "a file" : "a folder";
  const replace = `Replace ${link} by ${own} of its own`;
  if (link.startsWith("~/") || CLOSED.test(link)) {
    return { kind: "odd", message: said, hint: `${replace}, then run init again.` };
  }
  const found = await resolve(places, path);
  if (found === null) {
    const hint = `Make the file that ${link} leads to, or remove the link, then run init again.`;
    return { kind: "odd", message: `${said} that leads nowhere`, hint };
  }
  if (!isInside(found) || CLOSED.test(found)) {
    const where = isInside(found) ? found : "out of the project";
    const hint = `${replace} or by a link to one in this project, then run init again.`;
    return {
      kind: "odd",
      message: `${said} that leads to ${where}`.replace("to out", "out"),
      hint,
    };
  }
  return { kind: "inside", path: found };
}

/** The first link on the way to a path, which may be the path itself; null where there is none. */
async function findFirstLink(places: SetupRoots, path: string): Promise<string | null> {
  const home = path.startsWith("~/") ? "~/" : "";
  const parts = path.slice(home.length).split("/");
  for (let length = 1; length <= parts.length; length++) {
    const part = home + parts.slice(0, length).join("/");
    const info = await Deno.lstat(resolvePath(places, part)).catch(() => null);
    if (info === null) return null;
    if (info.isSymlink) return part;
  }
  return null;
}

/**
 * The real path of a file, relative to the project; the file need not exist. Null for a link to
 * nothing.
 */
async function resolve(places: SetupRoots, path: string): Promise<string | null> {
  const root = await Deno.realPath(places.root);
  const absolute = resolvePath(places, path);
  const info = await Deno.lstat(absolute).catch(() => null);
  const real = info === null ? await resolveMissing(absolute) : await tryRealPath(absolute);
  return real === null ? null : relative(root, real).replaceAll("\\", "/");
}

/** A folder above is a link, and the file is still to be made. */
async function resolveMissing(absolute: string): Promise<string | null> {
  const names: string[] = [];
  for (let folder = absolute; dirname(folder) !== folder; folder = dirname(folder)) {
    names.unshift(basename(folder));
    const parent = await Deno.lstat(dirname(folder)).catch(() => null);
    if (parent === null) continue;
    const real = await tryRealPath(dirname(folder));
    return real === null ? null : join(real, ...names);
  }
  return null;
}

async function tryRealPath(path: string): Promise<string | null> {
  return await Deno.realPath(path).catch(() => null);
}

function isInside(path: string): boolean {
  return path !== "" && path !== ".." && !path.startsWith("../") && !/^[A-Za-z]:/.test(path) &&
    !path.startsWith("/");
}

/** Reads a file, or says why it must be left alone. */
export async function readFileState(places: SetupRoots, path: string): Promise<FileState> {
  const odd = await findUnsafeFolder(places, path);
  if (odd !== null) return { kind: "odd", message: odd };
  const absolute = resolvePath(places, path);
  const within = path.startsWith("~/") ? dirname(absolute) : places.root;
  const info = await Deno.lstat(absolute).catch(() => null);
  if (info?.isSymlink) return { kind: "odd", message: "it is a symbolic link" };
  const found = readRegularFile(absolute, { within, maxBytes: LIMITS.setupFileBytes.value });
  if (found.kind === "absent") return { kind: "missing" };
  if (found.kind === "refused") return { kind: "odd", message: found.reason };
  try {
    const isReadOnly = found.mode !== null && (found.mode & 0o200) === 0;
    // The byte order mark is kept in the text, because it has to be written back.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(found.bytes);
    return { kind: "text", text, isReadOnly };
  } catch {
    return { kind: "odd", message: "it is not UTF-8 text" };
  }
}

/**
 * Reads every file of a manifest. A name that has become a link to another of them counts as
 * missing.
 */
export async function readKnownFiles(
  places: SetupRoots,
  { files, edits }: SetupManifest,
): Promise<ReadonlyMap<string, FileState>> {
  const states = new Map<string, FileState>();
  for (const path of [...Object.keys(files), ...Object.keys(edits)]) {
    const target = edits[path] === undefined ? null : await findLinkTarget(places, path);
    const isTwin = target?.kind === "inside" && edits[target.path] !== undefined;
    states.set(path, isTwin ? { kind: "missing" } : await readFileState(places, path));
  }
  return states;
}

/** Writes a file in one piece, keeping its mode; makes the folders above it. */
export async function writeText(places: SetupRoots, path: string, text: string): Promise<void> {
  const absolute = resolvePath(places, path);
  const info = await Deno.stat(absolute).catch(() => null);
  await Deno.mkdir(dirname(absolute), { recursive: true }).catch((cause) => {
    throw makeIoError(`make the folder of "${path}"`, cause);
  });
  const mode = info?.mode ?? null;
  await writeFileAtomic(absolute, text, mode === null ? {} : { mode: mode & 0o777 });
  // The umask of the process may have removed permission bits of the file.
  if (mode !== null && Deno.build.os !== "windows") await Deno.chmod(absolute, mode & 0o777);
}

/** Folders above a path of the project that do not exist yet, parents first. */
export async function listMissingFolders(
  places: SetupRoots,
  paths: readonly string[],
): Promise<readonly string[]> {
  const missing = new Set<string>();
  for (const path of paths) {
    for (const folder of listParentFolders(path)) {
      const info = await Deno.lstat(resolvePath(places, folder)).catch(() => null);
      if (info === null) missing.add(folder);
    }
  }
  return [...missing].sort();
}

/** The first folder above the path that is a link or no folder; nothing is written through it. */
async function findUnsafeFolder(places: SetupRoots, path: string): Promise<string | null> {
  for (const folder of listParentFolders(path)) {
    const info = await Deno.lstat(resolvePath(places, folder)).catch(() => null);
    if (info?.isSymlink) return `its folder ${folder} is a symbolic link`;
    if (info !== null && !info.isDirectory) return `${folder} is a file, not a folder`;
  }
  return null;
}

function listParentFolders(path: string): readonly string[] {
  const home = path.startsWith("~/") ? "~/" : "";
  const parts = path.slice(home.length).split("/").slice(0, -1);
  return parts.map((_, index) => home + parts.slice(0, index + 1).join("/"));
}
