/** The file by which the connections to one database tell each other what its journal holds. */
import { checkOwnFile } from "../../base/files/own_folder.ts";

/** What its name adds to that of the database. */
export const SHARED_MEMORY = "-shm";

/**
 * SQLite maps the file of its shared memory: where somebody cut it short, the next look would end the process (SIGBUS).
 * Made as long as before it holds nothing, and SQLite makes it anew from the journal.
 *
 * @returns the largest size so far.
 */
export function keepSharedMemory(path: string, knownBytes: number): number {
  const shared = `${path}${SHARED_MEMORY}`;
  try {
    const { size } = Deno.statSync(shared);
    if (size >= knownBytes) return size;
    checkOwnFile(shared);
    Deno.truncateSync(shared, knownBytes);
  } catch {
    // It is gone as a whole: the mapping holds what it held.
  }
  return knownBytes;
}
