/** What the program writes into a git folder without starting git: its own folder there, tag objects, and refs to them. */
import { dirname, join, parse } from "node:path";
import { withFile } from "../../base/files/open_file.ts";
import { checkOwnFile, checkOwnFolder } from "../../base/files/own_folder.ts";
import { listRefFiles } from "../store_files.ts";
import type { Repository } from "../repository.ts";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { readControlTextIfUsable } from "../../base/files/control_file.ts";
import { makeIoError } from "../../base/errors.ts";

/**
 * Makes a ref below `refs/code-intel` that names an object. False where that is left to git: there
 * is such a ref, refs or objects are not files, or the file system has no hard links.
 *
 * @param options.isKept True where another ref names the object, so that it is there wherever it lies.
 */
export async function createOwnRef(
  repo: Repository,
  ref: string,
  id: string,
  { isKept = false }: { readonly isKept?: boolean } = {},
): Promise<boolean> {
  // In a repository that several accounts share, only git knows the rights of a new file.
  if (!allowsLooseObjects(readConfig(repo))) return false;
  if (!isKept && !(await isLoose(repo, id))) return false;
  // A packed ref would stay in place behind the new file.
  if (listRefFiles(repo, ref)?.has(ref) !== false) return false;
  const path = join(repo.commonDir, ref);
  const folder = await openOwnFolder(repo);
  const temporary = join(folder, `scratch-${crypto.randomUUID().slice(0, 13)}.ref`);
  try {
    checkOwnFile(path, { below: join(repo.commonDir, ...ref.split("/").slice(0, 2)) });
    await Deno.mkdir(dirname(path), { recursive: true });
    await withFile(temporary, { write: true, createNew: true }, async (file) => {
      await file.write(new TextEncoder().encode(`${id}\n`));
      await file.sync();
    });
    // Fails where there is a file already.
    await Deno.link(temporary, path);
    return true;
  } catch {
    return false; // Git finds the same, or a way.
  } finally {
    await Deno.remove(temporary).catch(() => {});
  }
}

/** Lowest compression: the contents are small and read only a few times. */
const ZLIB_LEVEL = 1;

/**
 * Whether objects may be written without git: in a repository that several accounts share, or that
 * translates ids, only git knows the rules.
 */
export function allowsLooseObjects(config: string): boolean {
  return !/sharedrepository|compatobjectformat/i.test(config);
}

/** The repository's own settings as text; empty when they cannot be read. */
export function readConfig({ commonDir }: Repository): string {
  const path = join(commonDir, "config");
  return readControlTextIfUsable(path, "memory", { within: parse(commonDir).root }) ?? "";
}

/** Whether objects of a repository may be missing because it fetches them when they are asked for. */
export function isPartialClone(repo: Repository): boolean {
  return /promisor|partialclone/i.test(readConfig(repo));
}

/** Writes a tag object unless it exists; returns its id. */
export async function writeLooseTag(repo: Repository, body: Uint8Array): Promise<string> {
  const whole = Buffer.concat([Buffer.from(`tag ${body.length}\0`), body]);
  const id = createHash(repo.objectFormat).update(whole).digest("hex");
  const path = buildLoosePath(repo, id);
  if (await freshen(path)) return id;
  try {
    await writeNew(path, deflateSync(whole, { level: ZLIB_LEVEL }));
  } catch (cause) {
    throw makeIoError(`write object ${id}`, cause);
  }
  return id;
}

/** Whether an object is stored in a file of its own; one in a pack is not. */
export async function isLoose(repo: Repository, id: string): Promise<boolean> {
  return await Deno.lstat(buildLoosePath(repo, id)).then(({ isFile }) => isFile, () => false);
}

function buildLoosePath(repo: Repository, id: string): string {
  return join(repo.commonDir, "objects", id.slice(0, 2), id.slice(2));
}

/** Gives an object that is used again a new time, because garbage collection removes by age. */
async function freshen(path: string): Promise<boolean> {
  const now = new Date();
  return await Deno.utime(path, now, now).then(() => true, () => false);
}

async function writeNew(path: string, bytes: Uint8Array): Promise<void> {
  const folder = join(path, "..");
  // Git removes old files with a name of this form.
  const temporary = join(folder, `tmp_obj_${crypto.randomUUID().slice(0, 8)}`);
  const write = () => Deno.writeFile(temporary, bytes, { mode: 0o444, createNew: true });
  try {
    await write().catch(async (cause) => {
      if (!(cause instanceof Deno.errors.NotFound)) throw cause;
      await Deno.mkdir(folder).catch(() => {});
      await write();
    });
    await Deno.rename(temporary, path);
  } catch (cause) {
    await Deno.remove(temporary).catch(() => {});
    throw cause;
  }
}

/**
 * The program's folder inside the git folder of a worktree. If the git folder is gone it is not
 * made again, because it would be in the way of whoever restores it.
 *
 * @throws {CodeIntelError} `io_failed`, `disk_full`.
 */
export async function openOwnFolder(repo: Repository): Promise<string> {
  if (repo.missing !== undefined) throw repo.missing;
  const folder = join(repo.gitDir, "code-intel");
  checkOwnFolder(folder);
  await Deno.mkdir(folder).catch((cause) => {
    if (!(cause instanceof Deno.errors.AlreadyExists)) throw makeIoError(`make "${folder}"`, cause);
  });
  return folder;
}
