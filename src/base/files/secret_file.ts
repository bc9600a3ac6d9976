/** Files of the user's state folder that are made once and then kept: the key of the seal, the token over HTTP. */
import { dirname } from "node:path";
import { checkOwnFile, makeOwnFolder } from "./own_folder.ts";
import { toTemporaryPath } from "./temporary.ts";

/**
 * Makes a file that only its user may read, unless there is one. Of two processes that do so at once one wins, and its
 * text is there whole from the first moment: it is written beside and linked. File systems without hard links let the
 * exclusive creation decide instead.
 *
 * @throws what the system says when the file cannot be written.
 */
export async function createSecretFile(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  await makeOwnFolder(folder, { below: folder, mode: 0o700 });
  checkOwnFile(path, { below: folder });
  const temporary = toTemporaryPath(path);
  try {
    await Deno.writeTextFile(temporary, text, { createNew: true, mode: 0o600 });
    await Deno.link(temporary, path);
  } catch (failure) {
    if (!(failure instanceof Deno.errors.AlreadyExists)) await createExclusively(path, text);
  } finally {
    await Deno.remove(temporary).catch(() => {});
  }
}

async function createExclusively(path: string, text: string): Promise<void> {
  try {
    await Deno.writeTextFile(path, text, { createNew: true, mode: 0o600 });
  } catch (failure) {
    if (!(failure instanceof Deno.errors.AlreadyExists)) throw failure;
  }
}
