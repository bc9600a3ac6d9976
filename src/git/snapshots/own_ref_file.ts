/**
 * Makes refs of this program as files, as git would store them, without starting git. Only new refs
 * are made so: a file appears with its whole content or not at all, whenever the program is killed,
 * while a ref that moves needs git's locks.
 */
import { dirname, join } from "node:path";
import { withFile } from "../../base/files/open_file.ts";
import { checkOwnFile } from "../../base/files/own_folder.ts";
import { isLoose, readConfig, takesLooseObjects } from "../index/loose_objects.ts";
import { openOwnFolder } from "../index/private_index.ts";
import { listRefFiles } from "../ref_file.ts";
import type { Repository } from "../repository.ts";

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
  if (!takesLooseObjects(readConfig(repo))) return false;
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
