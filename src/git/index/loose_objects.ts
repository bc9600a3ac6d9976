/** Writes tag objects into the store of a repository as git does, one file for each, without starting git. */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { join, parse } from "node:path";
import { deflateSync } from "node:zlib";
import { readControlTextIfUsable } from "../../base/files/control_file.ts";
import { toIoError } from "../../base/errors.ts";
import type { Repository } from "../repository.ts";

/** Lowest compression: the contents are small and read only a few times. */
const ZLIB_LEVEL = 1;

/**
 * Whether objects may be written without git: in a repository that several accounts share, or that
 * translates ids, only git knows the rules.
 */
export function takesLooseObjects(config: string): boolean {
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
  const path = toLoosePath(repo, id);
  if (await freshen(path)) return id;
  try {
    await writeNew(path, deflateSync(whole, { level: ZLIB_LEVEL }));
  } catch (cause) {
    throw toIoError(`write object ${id}`, cause);
  }
  return id;
}

/** Whether an object is stored in a file of its own; one in a pack is not. */
export async function isLoose(repo: Repository, id: string): Promise<boolean> {
  return await Deno.lstat(toLoosePath(repo, id)).then(({ isFile }) => isFile, () => false);
}

function toLoosePath(repo: Repository, id: string): string {
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
