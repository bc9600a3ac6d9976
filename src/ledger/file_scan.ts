/**
 * Makes the manifest of a folder. A file is read again only when its size, times or number changed
 * since this process read it. That memory is not on the disk, so that nobody can forge it.
 */
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { CodeIntelError } from "../base/errors.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { toStamp, wasOldAt } from "../base/files/file_stamp.ts";
import { withFile } from "../base/files/open_file.ts";
import { readRegularFile } from "../base/files/regular_file.ts";
import type { Manifest, ManifestEntry } from "./manifest.ts";
import { toContentHash } from "./object_store.ts";
import { isWorkingFile } from "./write_guard.ts";

/** What one scan needs. */
export interface ScanOptions {
  /** Larger files are not read, in MiB. */
  readonly maxFileMb: number;
  /** A manifest whose files are looked at even where they are ignored now. */
  readonly known: Manifest | null;
}

/** What a scanner works with. */
export interface ScannerOptions {
  /** Absolute folder of the project. */
  readonly root: string;
  /**
   * Lists files and links that are not ignored, relative to the root; may stop once there are more
   * than `maxFiles`.
   */
  readonly listFiles: (maxFiles: number) => Promise<readonly string[]>;
  /** Most files, default `LIMITS.manifestFiles`. */
  readonly maxFiles?: number;
  /** Most bytes of all files that are read, default `LIMITS.manifestTotalMb`. */
  readonly maxTotalBytes?: number;
}

interface Remembered {
  readonly state: string;
  readonly readAt: number;
  readonly entry: ManifestEntry;
}

const BYTES_PER_MB = 1024 * 1024;
const AT_ONCE = 32;
const HASH_BUFFER_BYTES = 64 * 1024;
/** Larger files are hashed in pieces, so that many at once do not fill the memory. */
const WHOLE_BYTES = BYTES_PER_MB;
/** Scans one folder again and again, and remembers what it has read. */
export class FileScanner {
  readonly #options: ScannerOptions;
  #memory = new Map<string, Remembered>();
  #last: Manifest = new Map();

  /** @param options Nothing is read before the first scan. */
  constructor(options: ScannerOptions) {
    this.#options = options;
  }

  /**
   * The manifest of the folder now; the same object as last time where nothing changed.
   *
   * @throws {CodeIntelError} `manifest_failed` when there is more than the limits allow.
   */
  async scan(options: ScanOptions): Promise<Manifest> {
    const { maxFiles = LIMITS.manifestFiles.value } = this.#options;
    const paths = await this.#list(options.known, maxFiles);
    const memory = new Map<string, Remembered>();
    const budget = { bytes: 0 };
    const maxBytes = options.maxFileMb * BYTES_PER_MB;
    for (let at = 0; at < paths.length; at += AT_ONCE) {
      await Promise.all(
        paths.slice(at, at + AT_ONCE).map(async (path) => {
          const found = await this.#look(path, maxBytes);
          if (found === null) return;
          memory.set(path, found);
          if (found.entry.kind !== "large") budget.bytes += found.entry.sizeBytes;
        }),
      );
      const { maxTotalBytes = LIMITS.manifestTotalMb.value * BYTES_PER_MB } = this.#options;
      if (budget.bytes > maxTotalBytes) {
        throw toTooMuch(`${Math.floor(maxTotalBytes / BYTES_PER_MB)} MiB`, paths);
      }
    }
    const isSame = memory.size === this.#memory.size &&
      [...memory].every(([path, { entry }]) => this.#memory.get(path)?.entry === entry);
    this.#memory = memory;
    if (!isSame) this.#last = new Map([...memory].map(([path, { entry }]) => [path, entry]));
    return this.#last;
  }

  async #list(known: Manifest | null, maxFiles: number): Promise<readonly string[]> {
    const listed = (await this.#options.listFiles(maxFiles)).filter((path) => !isWorkingFile(path));
    if (listed.length > maxFiles) throw toTooMuch(`${maxFiles} files`, listed);
    // A file that was in the known manifest stays in it when a rule begins to ignore it.
    const seen = new Set(listed);
    const hidden: string[] = [];
    for (const path of known?.keys() ?? []) {
      if (!seen.has(path) && !await this.#isBehindLink(path)) hidden.push(path);
    }
    return [...listed, ...hidden];
  }

  /** True for a path behind a link, which is another place under the name of this one. */
  async #isBehindLink(path: string): Promise<boolean> {
    const names = path.split("/");
    for (let count = 1; count < names.length; count++) {
      const folder = join(this.#options.root, ...names.slice(0, count));
      const info = await Deno.lstat(folder).catch(() => null);
      if (info === null || info.isSymlink) return true;
    }
    return false;
  }

  /** The entry of a path; null where there is no file. */
  async #look(path: string, maxBytes: number): Promise<Remembered | null> {
    const absolute = join(this.#options.root, path);
    const readAt = Date.now();
    const info = await Deno.lstat(absolute).catch(() => null);
    if (info === null || (!info.isFile && !info.isSymlink)) return null;
    const state = toState(info);
    const known = this.#memory.get(path);
    const isLarge = info.isFile && info.size > maxBytes;
    const isKnown = known?.state === state && (known.entry.kind === "large") === isLarge &&
      wasOldAt(toStamp(info), known.readAt);
    if (isKnown) return known;
    const entry = isLarge
      ? { kind: "large" as const, sizeBytes: info.size, content: state }
      : await readEntry(absolute, info);
    return entry === null ? null : { state, readAt, entry };
  }
}

/**
 * Size, times, number and mode of a file as a text: as long as it stays the same, so does the
 * content.
 */
function toState({ size, mtime, ctime, ino, mode }: Deno.FileInfo): string {
  return [size, mtime?.getTime(), ctime?.getTime(), ino, mode].join(" ");
}

async function readEntry(absolute: string, info: Deno.FileInfo): Promise<ManifestEntry | null> {
  if (info.isSymlink) {
    const content = await Deno.readLink(absolute).catch(() => null);
    return content === null ? null : { kind: "link", sizeBytes: content.length, content };
  }
  const isExecutable = ((info.mode ?? 0) & 0o111) !== 0;
  const kind = isExecutable ? "executable" : "file";
  try {
    if (info.size <= WHOLE_BYTES) {
      const bounds = { within: dirname(absolute), maxBytes: LIMITS.keptFileBytes.value };
      const reading = readRegularFile(absolute, bounds);
      if (reading.kind === "absent") return null;
      if (reading.kind === "refused") throw new Error(reading.reason);
      const { bytes } = reading;
      return { kind, sizeBytes: bytes.length, content: toContentHash(bytes) };
    }
    return { kind, ...await hashStream(absolute) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    // An unreadable file has a state of its own, so that nobody can hide a change by taking the
    // right to read it away.
    return { kind, sizeBytes: info.size, content: "unreadable" };
  }
}

async function hashStream(
  absolute: string,
): Promise<{ readonly sizeBytes: number; readonly content: string }> {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  const buffer = new Uint8Array(HASH_BUFFER_BYTES);
  await withFile(absolute, { read: true }, async (file) => {
    for (let count = await file.read(buffer); count !== null; count = await file.read(buffer)) {
      hash.update(buffer.subarray(0, count));
      sizeBytes += count;
    }
  });
  return { sizeBytes, content: hash.digest("hex") };
}

function toTooMuch(bound: string, paths: readonly string[]): CodeIntelError {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const top = path.split("/").slice(0, -1).slice(0, 2).join("/") || ".";
    counts.set(top, (counts.get(top) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return new CodeIntelError(
    "manifest_failed",
    `Cannot watch the files of the project without git: there are more than ${bound}, most below "${
      most?.[0] ?? "."
    }"`,
    {
      hint:
        "Run `git init`, name what nobody writes by hand in a .gitignore, or work in a smaller folder (`code-intel init .` makes it a project of its own).",
    },
  );
}
