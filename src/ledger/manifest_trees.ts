/**
 * States of the working files as manifests, for projects without git. The id of a state is the hash
 * of its manifest, so the checkpoint that names it vouches for it. Contents are kept only of files
 * that the server cleared for writing; other files can be compared, but not put back.
 */
import type { TreePath } from "../base/paths.ts";
import { dirname, join } from "node:path";
import { writeFileAtomic } from "../base/files/atomic_write.ts";
import { CodeIntelError, toIoError } from "../base/errors.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { checkOwnFile, makeOwnFolder, writeOwnFile } from "../base/files/own_folder.ts";
import { readRegularFile } from "../base/files/regular_file.ts";
import type { CarriedTree } from "../git/trees/carry_changes.ts";
import type { LineChanges } from "../git/trees/changed_lines.ts";
import type { Change } from "../git/trees/changes.ts";
import { FileScanner } from "./file_scan.ts";
import type { ObservedChange } from "./ledger.ts";
import type { Manifest, ManifestChange, ManifestEntry } from "./manifest.ts";
import {
  adoptEntries,
  carryEntries,
  diffManifests,
  parseManifest,
  toManifestText,
} from "./manifest.ts";
import { toChanges, toLineChanges } from "./manifest_lines.ts";
import { ObjectStore, toContentHash } from "./object_store.ts";
import type { Looked, TreePaths, Trees, Unrestorable, WriteTreeOptions } from "./trees.ts";

/** What the states of one project are made from. */
export interface ManifestTreesOptions {
  /** Absolute folder of the project. */
  readonly root: string;
  /** Absolute folder for copies and manifests, `.code-intel/backup`. */
  readonly backupDir: string;
  /**
   * Lists files and links that are not ignored, relative to the root; may stop once there are more
   * than `maxFiles`.
   */
  readonly listFiles: (maxFiles: number) => Promise<readonly string[]>;
}

const PREFIX = "manifest:";
const BYTES_PER_MB = 1024 * 1024;
/** Manifests held in memory: those of the ledger, of the baseline, and of the tasks at hand. */
const MOST_LOADED = 16;

/** True for the id of a manifest, false for one of a git tree. */
export function isManifestId(tree: string): boolean {
  return tree.startsWith(PREFIX);
}

/** Name of the folder below `backup/` for the files that putting something back replaced. */
export function toCopyName(sessionId: string, at: Date): string {
  return `${sessionId}_before_${at.toISOString().replaceAll(/[-:.]/g, "")}`;
}

/**
 * The states of one project. Make one for the life of the process, because it remembers what it has
 * read.
 */
export class ManifestTrees implements Trees {
  readonly kind = "manifest";
  readonly #options: ManifestTreesOptions;
  readonly #scanner: FileScanner;
  readonly #store: ObjectStore;
  readonly #loaded = new Map<string, Manifest>();
  readonly #ids = new WeakMap<Manifest, string>();

  /** @param options Nothing is read before the first call. */
  constructor(options: ManifestTreesOptions) {
    this.#options = options;
    this.#scanner = new FileScanner(options);
    this.#store = new ObjectStore(join(options.backupDir, "objects"));
  }

  async write({ maxFileMb, known }: WriteTreeOptions): Promise<string> {
    const before = known === null ? null : await this.#load(known);
    const manifest = await this.#scanner.scan({ maxFileMb, known: before });
    const last = this.#ids.get(manifest);
    // Nothing changed since the last scan, so the manifest is stored already.
    if (last !== undefined && await this.#store.touch(last.slice(PREFIX.length))) return last;
    return await this.#save(manifest);
  }

  /** A manifest has the hash of every file, however large, so no file is odd. */
  async look(options: WriteTreeOptions): Promise<Looked> {
    return { tree: await this.write(options), odd: {}, large: [] };
  }

  async diff(from: string, to: string): Promise<readonly ObservedChange[]> {
    return (await this.#compare(from, to)).map(toObserved);
  }

  async adopt(options: {
    readonly onto: string;
    readonly from: string;
    readonly paths: readonly TreePath[];
  }): Promise<string> {
    const [onto, from] = [await this.#load(options.onto), await this.#load(options.from)];
    return await this.#save(adoptEntries(onto, from, options.paths));
  }

  async carry(options: {
    readonly onto: string;
    readonly from: string;
    readonly to: string;
  }): Promise<CarriedTree> {
    const onto = await this.#load(options.onto);
    const [from, to] = [await this.#load(options.from), await this.#load(options.to)];
    // Without git nothing is committed, so overlaps of the person and the session do not matter.
    return { tree: await this.#save(carryEntries(onto, { from, to })), overlaps: [] };
  }

  async changes(
    from: string,
    to: string,
    paths?: readonly TreePath[],
  ): Promise<readonly Change[]> {
    const changes = await this.#compare(from, to);
    return toChanges(
      paths === undefined ? changes : changes.filter(({ path }) => paths.includes(path)),
    );
  }

  async changedLines(
    from: string,
    to: string,
    paths?: readonly TreePath[],
  ): Promise<ReadonlyMap<string, LineChanges>> {
    const changes = await this.#compare(from, to);
    return await toLineChanges(changes, {
      read: (path, entry) => this.#read(path, entry),
      ...(paths === undefined ? {} : { paths }),
    });
  }

  async readText(tree: string, path: TreePath): Promise<string | null> {
    const entry = (await this.#load(tree)).get(path);
    const bytes = entry === undefined ? null : await this.#read(path, entry);
    return bytes === null ? null : new TextDecoder().decode(bytes);
  }

  /** A manifest is a file of its own, which is never garbage collected. */
  keepStates(): Promise<void> {
    return Promise.resolve();
  }

  async keepVersions({ tree, paths }: TreePaths): Promise<void> {
    const manifest = await this.#load(tree);
    for (const path of paths) {
      const entry = manifest.get(path);
      if (entry?.kind !== "file" && entry?.kind !== "executable") continue;
      const bytes = await this.#readDisk(path);
      // A file that was written since the look is left out; it is judged and kept at the next look.
      if (bytes !== null && toContentHash(bytes) === entry.content) await this.#store.put(bytes);
    }
  }

  async findUnrestorable(
    { tree, paths, maxFileMb }: TreePaths & { readonly maxFileMb: number },
  ): Promise<readonly Unrestorable[]> {
    const manifest = await this.#load(tree);
    const found: Unrestorable[] = [];
    for (const path of paths) {
      const entry = manifest.get(path);
      const info = await Deno.lstat(this.#toAbsolute(path)).catch(() => null);
      const isKept = entry === undefined || entry.kind === "link" ||
        await this.#read(path, entry) !== null;
      if (!isKept) found.push({ path, reason: "no_copy" });
      else if (info?.isFile && info.size > maxFileMb * BYTES_PER_MB) {
        found.push({ path, reason: "too_large" });
      }
    }
    return found;
  }

  async putBack({ tree, paths }: TreePaths): Promise<void> {
    const manifest = await this.#load(tree);
    const gone = paths.filter((path) => !manifest.has(path));
    // A link or a file that lies where a folder has to be is removed first.
    for (const path of gone) await this.#remove(path);
    for (const path of paths) {
      const entry = manifest.get(path);
      if (entry !== undefined) await this.#restore(path, entry);
    }
  }

  /**
   * Copies present files to `backup/<name>/`, where a person finds them by their paths; an existing
   * copy stays. Returns the paths that have a copy; files larger than `maxFileMb` get none.
   */
  async copyPresent(
    name: string,
    paths: readonly TreePath[],
    { maxFileMb = Infinity }: { readonly maxFileMb?: number } = {},
  ): Promise<readonly string[]> {
    const kept: string[] = [];
    for (const path of paths) {
      const info = await Deno.lstat(this.#toAbsolute(path)).catch(() => null);
      if (info === null || info.size > maxFileMb * BYTES_PER_MB) continue;
      const bytes = await this.#readDisk(path);
      if (bytes === null) continue;
      const hash = await this.#store.put(bytes);
      const copy = join(this.#options.backupDir, name, path);
      checkOwnFile(copy);
      if (await Deno.lstat(copy).catch(() => null) === null) {
        await makeOwnFolder(dirname(copy));
        // The copy shares its content with the stored object; a file system without hard links gets
        // a second file.
        await Deno.link(this.#store.toPath(hash), copy)
          .catch(() => writeOwnFile(copy, bytes, { mode: 0o600 }));
        if (((info.mode ?? 0) & 0o111) !== 0 && Deno.build.os !== "windows") {
          await Deno.chmod(copy, 0o700);
        }
      }
      kept.push(path);
    }
    return kept;
  }

  /** Writes the copies made by {@link copyPresent} to their places in the project. */
  async bringBack(name: string, paths: readonly TreePath[]): Promise<void> {
    for (const path of paths) {
      const copy = join(this.#options.backupDir, name, path);
      checkOwnFile(copy);
      const bounds = { within: this.#options.backupDir, maxBytes: LIMITS.keptFileBytes.value };
      const reading = readRegularFile(copy, bounds);
      if (reading.kind !== "read") throw toNoCopy(path);
      const kind = ((reading.mode ?? 0) & 0o100) === 0 ? "file" : "executable";
      await this.#place(path, kind, reading.bytes);
    }
  }

  async #restore(path: TreePath, entry: ManifestEntry): Promise<void> {
    const bytes = await this.#read(path, entry);
    if (bytes === null) throw toNoCopy(path);
    await this.#place(path, entry.kind, bytes);
  }

  async #place(path: TreePath, kind: ManifestEntry["kind"], bytes: Uint8Array): Promise<void> {
    const absolute = this.#toAbsolute(path);
    await Deno.mkdir(dirname(absolute), { recursive: true }).catch((cause) => {
      throw toIoError(`restore "${path}"`, cause);
    });
    await this.#checkFolder(path);
    const info = await Deno.lstat(absolute).catch(() => null);
    if (info !== null && (!info.isFile || kind === "link")) await this.#remove(path);
    if (kind === "link") return await makeLink(new TextDecoder().decode(bytes), absolute);
    const mode = kind === "executable" ? 0o755 : 0o644;
    const present = info?.isFile === true ? info.mode : null;
    await writeFileAtomic(absolute, bytes, { mode: present ?? mode });
    const isExecutable = ((present ?? mode) & 0o111) !== 0;
    if (isExecutable !== (kind === "executable") && Deno.build.os !== "windows") {
      await Deno.chmod(absolute, mode);
    }
  }

  /** Nothing may be written through a link that has taken the place of a folder. */
  async #checkFolder(path: TreePath): Promise<void> {
    const wanted = dirname(join(await Deno.realPath(this.#options.root), path));
    if (await Deno.realPath(dirname(this.#toAbsolute(path))) === wanted) return;
    throw new CodeIntelError(
      "io_failed",
      `Cannot restore "${path}": a link stands for its folder`,
      {
        hint: "Restore the link too, or ask the person and send action person.",
      },
    );
  }

  async #remove(path: TreePath): Promise<void> {
    try {
      await Deno.remove(this.#toAbsolute(path));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw toIoError(`remove "${path}"`, error);
    }
  }

  async #compare(from: string, to: string): Promise<readonly ManifestChange[]> {
    if (from === to) return [];
    const [before, now] = [await this.#load(from), await this.#load(to)];
    return diffManifests(before, now);
  }

  /**
   * The content of an entry: from the disk where it is unchanged there, else from the kept
   * contents.
   */
  async #read(path: TreePath, entry: ManifestEntry): Promise<Uint8Array | null> {
    if (entry.kind === "link") return new TextEncoder().encode(entry.content);
    if (entry.kind === "large") return null;
    const kept = await this.#store.get(entry.content);
    if (kept !== null) return kept;
    const bytes = await this.#readDisk(path);
    return bytes !== null && toContentHash(bytes) === entry.content ? bytes : null;
  }

  /** The bytes of a file; null where there is no file. */
  async #readDisk(path: TreePath): Promise<Uint8Array | null> {
    const absolute = this.#toAbsolute(path);
    const info = await Deno.lstat(absolute).catch(() => null);
    if (info?.isFile !== true) return null;
    const bounds = { within: this.#options.root, maxBytes: LIMITS.keptFileBytes.value };
    const reading = readRegularFile(absolute, bounds);
    return reading.kind === "read" ? reading.bytes : null;
  }

  #toAbsolute(path: TreePath): string {
    return join(this.#options.root, path);
  }

  async #save(manifest: Manifest): Promise<string> {
    const bytes = new TextEncoder().encode(toManifestText(manifest));
    const id = `${PREFIX}${await this.#store.put(bytes)}`;
    this.#ids.set(manifest, id);
    this.#remember(id, manifest);
    return id;
  }

  async #load(id: string): Promise<Manifest> {
    const known = this.#loaded.get(id);
    if (known !== undefined) return known;
    const bytes = await this.#store.get(id.slice(PREFIX.length));
    const manifest = bytes === null ? null : parseManifest(new TextDecoder().decode(bytes));
    if (manifest === null) throw toLost();
    this.#remember(id, manifest);
    return manifest;
  }

  #remember(id: string, manifest: Manifest): void {
    this.#loaded.delete(id);
    this.#loaded.set(id, manifest);
    const [oldest] = this.#loaded.keys();
    if (this.#loaded.size > MOST_LOADED && oldest !== undefined) this.#loaded.delete(oldest);
  }
}

async function makeLink(target: string, absolute: string): Promise<void> {
  await Deno.symlink(target, absolute).catch((cause) => {
    throw toIoError(`make the link "${absolute}"`, cause);
  });
}

function toObserved({ path, before, now }: ManifestChange): ObservedChange {
  const kind = before === null
    ? "added"
    : now === null
    ? "deleted"
    : (before.kind === "link") !== (now.kind === "link")
    ? "type"
    : "modified";
  return { path, kind, sizeBytes: now?.sizeBytes ?? null };
}

function toNoCopy(path: TreePath): CodeIntelError {
  return new CodeIntelError("io_failed", `Cannot restore "${path}": no copy of it was kept`, {
    hint: "Put the file back yourself, or ask the person and send action person.",
  });
}

function toLost(): CodeIntelError {
  return new CodeIntelError(
    "manifest_failed",
    "Cannot compare the files: the manifest of the session is gone from .code-intel/backup/objects",
    {
      hint:
        "Put the folder back, or abandon the session and start again; the files stay as they are.",
    },
  );
}
