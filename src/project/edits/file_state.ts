/**
 * Reads and writes the files of a set-up. A write replaces the whole file, keeps its mode, and
 * follows no link.
 */
import { dirname } from "node:path";
import { writeFileAtomic } from "../../base/files/atomic_write.ts";
import { toIoError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { readRegularFile } from "../../base/files/regular_file.ts";
import type { FileState } from "../setup/init_plan.ts";
import { findLinkTarget } from "./link_targets.ts";
import type { Places } from "../setup/places.ts";
import { toAbsolute } from "../setup/places.ts";
import type { SetupManifest } from "../setup/setup_manifest.ts";

/** Reads a file, or says why it must be left alone. */
export async function readFileState(places: Places, path: string): Promise<FileState> {
  const odd = await findOddFolder(places, path);
  if (odd !== null) return { kind: "odd", message: odd };
  const absolute = toAbsolute(places, path);
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
  places: Places,
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
export async function writeText(places: Places, path: string, text: string): Promise<void> {
  const absolute = toAbsolute(places, path);
  const info = await Deno.stat(absolute).catch(() => null);
  await Deno.mkdir(dirname(absolute), { recursive: true }).catch((cause) => {
    throw toIoError(`make the folder of "${path}"`, cause);
  });
  const mode = info?.mode ?? null;
  await writeFileAtomic(absolute, text, mode === null ? {} : { mode: mode & 0o777 });
  // The umask of the process may have removed permission bits of the file.
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

/** The first folder above the path that is a link or no folder; nothing is written through it. */
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
